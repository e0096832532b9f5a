// Takes a picture of a view of a running service: see pictures.sh.
import { join } from "node:path";

const [directory, address, token, file, height] = process.argv.slice(2);
const { chromium } = await import(join(directory, "node_modules/playwright-core/index.mjs"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: Number(height) }, timezoneId: "UTC", locale: "en-GB" });
await page.request.post(new URL("/api/v1/session", address).href, { headers: { Authorization: `Bearer ${token}` } });
const open = new Set();
page.on("request", (each) => open.add(each));
page.on("requestfinished", (each) => open.delete(each));
page.on("requestfailed", (each) => open.delete(each));
await page.goto(address);
do {
  await page.waitForTimeout(3000);
} while ([...open].some((each) => !each.url().includes("/stream")));
await page.screenshot({ path: file });
await browser.close();
