// Takes pictures of a demo: see pictures.sh.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const [work, url, out] = process.argv.slice(2);
const { chromium } = await import(join(work, "node_modules/playwright-core/index.mjs"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});

/** Returns a page on which somebody has signed in with one click. */
async function signedIn(role, size = { width: 1280, height: 860 }) {
  const page = await (await browser.newContext({ viewport: size, timezoneId: "UTC", locale: "en-GB" })).newPage();
  await page.goto(url);
  await page.getByRole("button", { name: role }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  return page;
}

/** Opens a view and waits until it has read everything. */
async function open(page, view) {
  const waiting = new Set();
  page.on("request", (each) => waiting.add(each));
  page.on("requestfinished", (each) => waiting.delete(each));
  page.on("requestfailed", (each) => waiting.delete(each));
  await page.goto(`${url}/#/${view}`);
  do {
    await page.waitForTimeout(2500);
  } while ([...waiting].some((each) => !each.url().includes("/stream")));
}

const PICTURES = [
  ["Client", "book?pes=8&duration=4h", "book"],
  ["Operator", "timeline?cluster=demo-gpu", "timeline"],
  ["Manager", "reports", "reports"],
  ["Operator", "admin", "admin"],
];
for (const [role, view, name] of PICTURES) {
  const page = await signedIn(role);
  await open(page, view);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.context().close();
}

// the animation: the window is dragged, the price falls, and the offer is held
const page = await signedIn("Client", { width: 1200, height: 1000 });
await mkdir(join(work, "frames"));
let frame = 0;
async function film(seconds, act = async () => {}) {
  for (let i = 0; i < 10 * seconds; i++) {
    await act(i / (10 * seconds - 1));
    await page.screenshot({ path: join(work, "frames", `${String(frame++).padStart(3, "0")}.png`) });
  }
}
await page.evaluate(() => localStorage.removeItem("berth.demo"));
await open(page, "book?pes=16&duration=4h&cluster=demo-gpu");
await page.reload();
const map = page.locator("canvas").first();
await map.waitFor();
await page.waitForTimeout(3000);
const box = await map.boundingBox();
// the handles of the window are the only squares of their colour above the map
const handle = await map.evaluate((canvas) => {
  const row = canvas.getContext("2d").getImageData(0, 24, canvas.width, 1).data;
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").match(/\w\w/g).map((each) => parseInt(each, 16));
  const columns = [...Array(canvas.width).keys()].filter((x) => accent.every((each, i) => Math.abs(row[4 * x + i] - each) < 3));
  return Math.max(...columns) - 3;
});
const [end, height] = [box.x + handle, box.y + 24];
const near = end - 0.6 * (end - box.x - 52);
const drag = (from, to) => (share) => page.mouse.move(from + (to - from) * (0.5 - Math.cos(Math.PI * share) / 2), height);
await film(1.5);
await page.mouse.move(end, height);
await page.mouse.down();
await film(3, drag(end, near));
await film(1.5);
await film(3, drag(near, end));
await page.mouse.up();
await film(1.5);
await page.getByRole("button", { name: "may still move" }).first().click();
await page.waitForTimeout(700);
await film(2.5);
await page.getByRole("button", { name: /^Confirm/ }).first().click();
await page.waitForTimeout(700);
await film(2);
await browser.close();
