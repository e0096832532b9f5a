// How soon a slow line shows the page of a demo: 400 kbit/s, and 400 ms until a response begins.
//
//   node src/test/page/paint.mjs DIRECTORY URL...
//
// DIRECTORY has node_modules with playwright-core. Several services are measured in turn. WATERFALL=1 lists the requests of each visit.
import { join } from "node:path";

const [directory, ...urls] = process.argv.slice(2);
const { chromium } = await import(join(directory, "node_modules/playwright-core/index.mjs"));
const TIMES = Number(process.env.TIMES ?? 3);
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** The views: the role, the address, and what is there once the first data are. */
const VIEWS = [
  ["", "", "button.first .name"],
  ["Client", "home", ".tile .figure"],
  ["Client", "book?pes=8", ".offer"],
  ["Client", "reservations?tab=next", "td"],
  ["Operator", "timeline", "canvas:not(.swatch)"],
  ["Operator", "admin", "td"],
  ["Manager", "reports", ".tile .figure"],
];
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});

/** A browser in which somebody of a role is signed in, and which keeps nothing else. */
async function person(url, role) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
  if (role) {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("button", { name: role }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.close();
  }
  return context;
}

/** Returns the milliseconds until the first paint, the title of the view and its first data, and what was loaded until the data were there. */
async function visit(context, address, data, isNew) {
  const page = await context.newPage();
  // kept by the page itself, so that no message of this program counts
  await page.addInitScript((selector) => {
    window.shown = {};
    const look = () => {
      for (const [name, each] of [["title", "h1"], ["data", selector]]) {
        window.shown[name] ??= document.querySelector(`main ${each}`) ? Math.round(performance.now()) : undefined;
      }
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  }, data);
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.setCacheDisabled", { cacheDisabled: isNew });
  await line.send("Network.emulateNetworkConditions", LINE);
  const requests = new Map();
  line.on("Network.requestWillBeSent", ({ requestId, request, timestamp }) => requests.set(requestId, { url: request.url, from: timestamp }));
  line.on("Network.responseReceived", ({ requestId, timestamp, response }) => Object.assign(requests.get(requestId) ?? {}, { first: timestamp, status: response.status }));
  line.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => Object.assign(requests.get(requestId) ?? {}, { to: timestamp, bytes: encodedDataLength }));
  await page.goto(address);
  await page.waitForFunction(() => window.shown.data && window.shown.title, null, { timeout: 60_000 });
  const shown = await page.evaluate(() => ({ paint: Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1), ...window.shown }));
  const [begin] = [...requests.values()].map(({ from }) => from);
  const before = [...requests.values()].filter(({ to }) => to && (to - begin) * 1000 <= shown.data + 50);
  if (process.env.WATERFALL) {
    [...requests.values()].forEach(({ url, from, first, to, bytes, status }) => console.log(
      [from, first, to].map((each) => each ? Math.round((each - begin) * 1000) : "-").join(" ").padEnd(16), String(bytes ?? "-").padStart(6), status, url.replace(/^https?:..[^/]*/, "")));
  }
  await page.close();
  return { ...shown, requests: before.length, kB: Math.round(before.reduce((sum, { bytes }) => sum + bytes, 0) / 1000) };
}

for (const [role, view, data] of VIEWS.filter(([, view]) => !process.env.VIEW || view.startsWith(process.env.VIEW))) {
  const people = await Promise.all(urls.map((url) => person(url, role)));
  for (const isNew of process.env.AGAIN ? [false] : [true, false]) {
    const all = urls.map(() => []);
    // the second visits find what the first one kept
    for (let i = isNew ? 0 : -1; i < TIMES; i++) {
      for (const [k, url] of urls.entries()) {
        const one = await visit(people[k], `${url}/#/${view}`, data, isNew);
        if (i >= 0) {
          all[k].push(one);
        }
      }
    }
    urls.forEach((url, k) => console.log((view || "sign in").padEnd(22), isNew ? "first " : "second", url,
      JSON.stringify(Object.fromEntries(Object.keys(all[k][0]).map((each) => [each, median(all[k].map((one) => one[each]))])))));
  }
  await Promise.all(people.map((each) => each.close()));
}
await browser.close();
