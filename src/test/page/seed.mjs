// Books days of a log (SWF, gzipped) at a service that runs: each job a reservation of the user whose it was. See pictures.sh.
//
//   node src/test/page/seed.mjs past URL TOKEN LOG     several days, from now on: to be run where it is some days ago
//   node src/test/page/seed.mjs present URL TOKEN      what waits, what is held, and an outage
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [what, url, token, log] = process.argv.slice(2);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const FIRST_DAY = 100;
const DAYS = 8;
const PROJECTS = ["climate", "turbulence", "genome", "lattice"];
const OWNERS = ["ada", "ben", "chen", "dora", "emil", "fatou"];

async function call(path, body, by = token) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok && response.status !== 409) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}

const instant = (moment) => new Date(moment).toISOString().replace(/\.\d+/, "");

if (what === "past") {
  // what the service believes to be the time
  const begin = Date.parse((await fetch(url)).headers.get("date")) + MINUTE;
  await call("/clusters", {
    id: "sp2", pes: 128, policy: { limits: { maxHold: "P1D" } },
    tariff: { loadProfile: [{ above: 0.5, factor: 1.5 }, { above: 0.8, factor: 2 }] },
  });
  await call("/clusters", { id: "test", pes: 16 });
  const tokens = [];
  for (const name of OWNERS) {
    tokens.push((await call("/accounts", { name, role: "CLIENT" })).token);
  }
  const jobs = gunzipSync(readFileSync(log)).toString().split("\n").filter((line) => line && !line.startsWith(";"))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map((job) => ({ submit: job[1] * 1000 - FIRST_DAY * DAY, run: job[3], pes: job[4], user: job[11] }))
    .filter(({ submit, run, pes }) => submit >= 0 && submit < DAYS * DAY && run >= 300 && pes >= 1 && pes <= 128);
  for (const { submit, run, pes, user } of jobs) {
    // the farther ahead, the less is booked
    if ((user * 7919 + submit) % 100 < 100 - 10 * (submit / DAY)) {
      const ready = begin + submit;
      await call("/reservations", {
        cluster: "sp2", project: PROJECTS[user % PROJECTS.length],
        terms: { readyTime: instant(ready), deadline: instant(ready + Math.max(12 * HOUR, 3000 * run)), duration: `PT${run}S`, pes },
      }, tokens[user % OWNERS.length]);
    }
  }
} else {
  const now = Date.now();
  for (const [start, hours, pes, project] of [[10, 6, 32, "genome"], [26, 8, 24, "lattice"], [52, 10, 48, "climate"]]) {
    const terms = { readyTime: instant(now + start * HOUR), deadline: instant(now + (start + 60) * HOUR), duration: `PT${hours}H`, pes };
    await call("/reservations", { cluster: "sp2", project, terms, hold: "PT12H" });
  }
  for (const [pes, hours] of [[8, 6], [16, 10], [4, 12], [32, 5], [12, 18], [24, 8], [6, 20], [48, 4], [10, 16], [20, 9]]) {
    await call("/clusters/sp2/jobs", { name: `sweep-${pes}`, pes, estimate: `PT${hours}H` });
  }
  await call("/clusters/sp2/outages", { pes: 16, from: instant(now + 60 * HOUR), to: instant(now + 70 * HOUR), reason: "rack 3" });
}
