// How fast the plan is drawn, beside vis-timeline with the same bars:
//
//   node src/test/page/frames.mjs DIRECTORY
//
// DIRECTORY has node_modules with playwright-core, vis-timeline and vis-data; Chromium is /usr/bin/chromium, or what CHROMIUM names.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";

const directory = process.argv[2];
const { chromium } = await import(join(directory, "node_modules/playwright-core/index.mjs"));
const types = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };
const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  const root = path.startsWith("/vis/") ? join(directory, "node_modules") : "src/main/resources/static";
  if (path === "/") {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><link rel=stylesheet href=page/style.css><body></body>");
    return;
  }
  try {
    const file = await readFile(join(root, path.replace(/^\/vis\//, "/")));
    response.setHeader("Content-Type", types[path.slice(path.lastIndexOf("."))] ?? "text/plain").end(file);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0);
const base = `http://localhost:${server.address().port}`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});

/** Runs in the page: bars on 512 PEs, as many in a day however many there are. */
function bars(number) {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const all = [];
  for (let i = 0; i < number; i++) {
    const start = 1.8e12 + random() * number * 60_000;
    all.push({ id: String(i), kind: "RESERVATION", state: i % 3 ? "CONFIRMED" : "RUNNING", owner: `client-${i % 20}`, project: null,
      start, end: start + 600_000 + random() * 7_200_000, pes: 1 + Math.floor(random() * 8), peIds: null });
  }
  return all;
}

/** Runs in the page: pans and zooms for so many frames; how long each took. */
async function frames(number, move) {
  const times = [];
  let last = 0;
  for (let i = 0; i <= number; i++) {
    const at = await new Promise(requestAnimationFrame);
    if (i > 0) {
      times.push(at - last);
    }
    last = at;
    move(i);
  }
  return times;
}

const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
console.log("| bars | drawn by | first paint, ms | draw median, ms | draw p95, ms | processor, ms a draw | frame median, ms | frame p95, ms |");
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const number of [1_000, 10_000, 100_000]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(base);
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  /** Of the thread that draws, in ms: whatever else the machine does. */
  const processor = async () =>
    1000 * (await session.send("Performance.getMetrics")).metrics.find((metric) => metric.name === "TaskDuration").value;
  const own = await page.evaluate(async ([number, makeBars, runFrames]) => {
    const [bars, frames] = [eval(`(${makeBars})`), eval(`(${runFrames})`)];
    const { gantt } = await import("/page/gantt.js");
    const canvas = document.createElement("canvas");
    canvas.style.height = "420px";
    document.body.append(canvas);
    const all = bars(number);
    const [from, length] = [1.8e12, number * 60_000];
    const begun = performance.now();
    const plan = gantt(canvas);
    plan.range(from, from + length, from + length / 2, "UTC");
    plan.show(all, 512);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const first = performance.now() - begun;
    const place = (i) => {
      const span = length * (0.02 + 0.98 * Math.abs(Math.cos(i / 20)));
      const start = from + (length - span) * (0.5 + 0.5 * Math.sin(i / 15));
      return [start, start + span];
    };
    const drawn = [];
    for (let i = 0; i < 120; i++) {
      plan.range(...place(i), from + length / 2, "UTC");
      const before = performance.now();
      plan.draw();
      drawn.push(performance.now() - before);
    }
    window.draw = (times) => {
      for (let i = 0; i < times; i++) {
        plan.range(...place(i), from + length / 2, "UTC");
        plan.draw();
      }
    };
    return { first, drawn, times: await frames(120, (i) => plan.range(...place(i), from + length / 2, "UTC")) };
  }, [number, bars.toString(), frames.toString()]);
  const before = await processor();
  await page.evaluate(() => window.draw(240));
  own.processor = (await processor()) - before;
  const line = (name, { first, drawn, processor, times }) => console.log(
    `| ${number} | ${name} | ${first.toFixed(0)} | ${drawn ? quantile(drawn, 0.5) : ""} | ${drawn ? quantile(drawn, 0.95) : ""} | ${processor ? (processor / 240).toFixed(1) : ""} | ${quantile(times, 0.5)} | ${quantile(times, 0.95)} |`);
  line("Berth", own);
  await page.close();
  if (number <= 10_000) {
    const other = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await other.goto(base);
    await other.addScriptTag({ url: "/vis/vis-timeline/standalone/umd/vis-timeline-graph2d.min.js" });
    const theirs = await other.evaluate(async ([number, makeBars, runFrames]) => {
      const [bars, frames] = [eval(`(${makeBars})`), eval(`(${runFrames})`)];
      const box = document.createElement("div");
      document.body.append(box);
      const items = bars(number).map((bar) => ({ id: bar.id, content: bar.owner, start: bar.start, end: bar.end }));
      const [from, length] = [1.8e12, number * 60_000];
      const begun = performance.now();
      const plan = new window.vis.Timeline(box, new window.vis.DataSet(items), { height: 420, start: from, end: from + length, stack: true });
      await new Promise((resume) => plan.on("changed", resume));
      await new Promise(requestAnimationFrame);
      const first = performance.now() - begun;
      return { first, drawn: null, times: await frames(number > 1_000 ? 12 : 60, (i) => {
        const span = length * (0.02 + 0.98 * Math.abs(Math.cos(i / 20)));
        const start = from + (length - span) * (0.5 + 0.5 * Math.sin(i / 15));
        plan.setWindow(start, start + span, { animation: false });
      }) };
    }, [number, bars.toString(), frames.toString()]).catch((failure) => ({ first: NaN, drawn: null, times: [NaN], failure }));
    line("vis-timeline", theirs);
    await other.close();
  }
}
await browser.close();
server.close();
