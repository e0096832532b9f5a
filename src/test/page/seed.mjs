// Books days of a log (SWF, gzipped) at a service that runs, each job a reservation of one of some owners: on the cluster "sp2" as
// they are, and on "rack" a day of it in a quarter of an hour, so that it soon has a past. See pictures.sh.
//
//   node src/test/page/seed.mjs URL TOKEN LOG
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [url, token, log] = process.argv.slice(2);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const FIRST_DAY = 100;
const DAYS = 8;
const QUICK = DAY / (15 * MINUTE);
const PROJECTS = ["climate", "turbulence", "genome", "lattice"];
const OWNERS = ["ada", "ben", "chen", "dora", "emil", "fatou"];

async function call(path, body, by = token) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  // what finds no room is left out
  if (!response.ok && answer.code !== "no-slot") {
    throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
  }
  return answer;
}

const instant = (moment) => new Date(moment).toISOString().replace(/\.\d+/, "");
const seconds = (time) => `PT${Math.max(1, Math.round(time / 1000))}S`;

const tariff = { loadProfile: [{ above: 0.5, factor: 1.5 }, { above: 0.8, factor: 2 }] };
await call("/clusters", { id: "sp2", pes: 128, tariff });
await call("/clusters", { id: "rack", pes: 128, tariff, policy: { notice: "PT1M", limits: { maxHold: "PT2H" } } });
const tokens = [];
for (const name of OWNERS) {
  tokens.push((await call("/accounts", { name, role: "CLIENT" })).token);
}
const jobs = gunzipSync(readFileSync(log)).toString().split("\n").filter((line) => line && !line.startsWith(";"))
  .map((line) => line.trim().split(/\s+/).map(Number))
  .map((job) => ({ submit: job[1] * 1000 - FIRST_DAY * DAY, run: job[3] * 1000, pes: job[4], user: job[11] }))
  .filter(({ submit, run, pes }) => submit >= 0 && submit < DAYS * DAY && run >= 5 * MINUTE && pes >= 1 && pes <= 128);
const begin = Date.now() + MINUTE;
for (const [cluster, factor] of [["rack", QUICK], ["sp2", 1]]) {
  for (const { submit, run, pes, user } of jobs) {
    // the farther ahead, the less is booked
    if ((user * 7919 + submit / 1000) % 100 < 100 - 9 * (submit / DAY)) {
      const ready = begin + submit / factor;
      await call("/reservations", {
        cluster, project: PROJECTS[user % PROJECTS.length],
        terms: { readyTime: instant(ready), deadline: instant(ready + Math.max(12 * HOUR, 3 * run) / factor), duration: seconds(run / factor), pes },
      }, tokens[user % OWNERS.length]);
    }
  }
}
for (const [start, length, pes, project] of [[40, 6, 32, "genome"], [55, 9, 24, "lattice"], [75, 12, 48, "climate"]]) {
  const [ready, end] = [start, start + 60].map((each) => instant(begin + each * MINUTE));
  await call("/reservations", { cluster: "rack", project, terms: { readyTime: ready, deadline: end, duration: `PT${length}M`, pes }, hold: "PT1H30M" }, tokens[1]);
}
for (const [pes, minutes] of [[8, 60], [16, 12], [4, 90], [32, 9], [12, 50], [24, 15], [6, 80], [48, 8], [10, 40], [20, 20]]) {
  await call("/clusters/rack/jobs", { name: `sweep-${pes}`, pes, estimate: `PT${minutes}M` }, tokens[3]);
}
await call("/clusters/rack/outages", { pes: 16, from: instant(begin + 60 * MINUTE), to: instant(begin + 80 * MINUTE), reason: "rack 3" });
console.log(`rack has had its first quarter of an hour at ${instant(begin + 15 * MINUTE)}`);
