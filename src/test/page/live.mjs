// How soon another browser's plan shows what is booked, and what a user causes who drags the window:
//
//   node src/test/page/live.mjs DIRECTORY URL TOKEN
//
// DIRECTORY has node_modules with playwright-core, TOKEN is an administrator's: use a service to throw away.
import { join } from "node:path";

const [directory, url, token] = process.argv.slice(2);
const { chromium } = await import(join(directory, "node_modules/playwright-core/index.mjs"));
const HOUR = 3_600_000;
const run = Date.now().toString(36);
const cluster = `live-${run}`;

async function call(path, body, by = token) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}

const instant = (moment) => new Date(moment).toISOString().replace(/\.\d+/, "");
const quantile = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))].toFixed(0);
const booked = (start, pes, hours) => ({
  cluster, terms: { readyTime: instant(start), deadline: instant(start + hours * HOUR), duration: `PT${hours}H`, pes },
});

await call("/clusters", { id: cluster, pes: 128 });
const { token: client } = await call("/accounts", { name: `client-${run}`, role: "CLIENT" });
const { token: viewer } = await call("/accounts", { name: `viewer-${run}`, role: "VIEWER" });
const begin = Math.ceil(Date.now() / HOUR) * HOUR + 24 * HOUR;
for (let i = 0; i < 1000; i++) {
  await call("/reservations", booked(begin + 200 * HOUR + i * HOUR / 4, 1 + (i % 16), 1 + (i % 3)), client);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});

async function open(who, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await context.request.post(`${url}/api/v1/session`, { headers: { Authorization: `Bearer ${who}` } });
  await page.goto(url + address);
  return page;
}

// 100 runs on all PEs, each of an hour, side by side in what the plan shows
const plan = await open(viewer, `/#/timeline?cluster=${cluster}&from=${begin}&to=${begin + 100 * HOUR}`);
await plan.waitForFunction(() => document.querySelector("[role=status]")?.textContent.length > 0);
await plan.waitForTimeout(2000);
const seen = [];
for (let i = 0; i < 100; i++) {
  const wait = plan.evaluate(async (share) => {
    const canvas = document.querySelector("canvas:not(.swatch)");
    const pen = canvas.getContext("2d");
    const x = Math.round(48 + share * (canvas.width - 48));
    const colour = () => pen.getImageData(x, canvas.height / 2, 1, 1).data.join();
    const before = colour();
    while (colour() === before) {
      await new Promise(requestAnimationFrame);
    }
    return Date.now();
  }, (i + 0.5) / 100);
  await plan.waitForTimeout(20);
  await call("/reservations", booked(begin + i * HOUR, 128, 1), client);
  const answered = Date.now();
  seen.push((await wait) - answered);
  await plan.waitForTimeout(200 + Math.random() * 200);
}
console.log(`booked until drawn on another's plan: median ${quantile(seen, 0.5)} ms, p95 ${quantile(seen, 0.95)} ms, most ${quantile(seen, 1)} ms of ${seen.length}`);
await plan.close();

// ten seconds of dragging
const find = await open(client, `/#/book?pes=16&duration=2h&cluster=${cluster}`);
const canvas = find.locator("canvas:not(.swatch)").first();
await canvas.waitFor();
await find.waitForTimeout(1500);
const box = await canvas.boundingBox();
const y = box.y + box.height / 2;
let handle = 0;
for (let x = box.x + box.width - 2; x > box.x && !handle; x -= 3) {
  await find.mouse.move(x, y);
  handle = (await canvas.evaluate((node) => node.style.cursor)) === "ew-resize" ? x : 0;
}
const [times, abandoned] = [[], []];
const isProbe = (request) => request.url().endsWith("/probes");
find.on("requestfinished", (request) => isProbe(request) && times.push(request.timing().responseEnd));
find.on("requestfailed", (request) => isProbe(request) && abandoned.push(request));
await find.mouse.move(handle, y);
await find.mouse.down();
const until = Date.now() + 10_000;
for (let i = 0; Date.now() < until; i++) {
  await find.mouse.move(handle - (box.width / 3) * Math.abs(Math.sin(i / 40)), y);
  await find.waitForTimeout(8);
}
await find.mouse.up();
await find.waitForTimeout(500);
console.log(`dragging: ${((times.length + abandoned.length) / 10).toFixed(1)} probes a second, answered ${times.length}, given up ${abandoned.length}; median ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms`);
await browser.close();
