import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { BurnDown } from "./burndown.js";
import { Chart } from "./chart.js";
import { csvOf, download } from "./csv.js";
import { announce } from "./document.js";
import { formatMoney } from "./money.js";
import { Grid, inTurn, Part } from "./parts.js";
import { PERIODS, rangeOf, stepOf } from "./period.js";
import { Refusals, RefusalsOverTime } from "./refusals.js";
import { newest } from "./runs.js";
import { DAY, formatBare, formatInstant, formatRange, fromField, HOUR, iso, isoDuration, now, toField, zoneName } from "./time.js";
import { Choice, Choices, Empty, Failed, Field, html, Icon, Moment, Own, Read, Skeleton, Table, Tabs, useRead } from "./ui.js";
import { colourOf } from "./units.js";
import { address, change, params, zone } from "./url.js";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
/** A large number, as a figure that is read from afar. @param {number} value */
const large = (value) => (value < 1e6 ? whole : short).format(value);
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const LONGEST = 3660 * DAY;
/** As many projects have a colour of their own in a chart. */
const MOST_PROJECTS = 9;
const MOST_CLUSTERS = 12;
const MOST_RUNS = 500;

/** Figures of a period for managers. @param {{context: import("./main.js").Context}} its */
export function View({ context: { api, account } }) {
  const says = params();
  const shownIn = zone();
  const sees = account.role !== "CLIENT";
  const [givenFrom, givenTo] = [Date.parse(says.get("from") ?? ""), Date.parse(says.get("to") ?? "")];
  const isGiven = givenFrom < givenTo && givenTo - givenFrom <= LONGEST;
  const period = isGiven ? "" : says.get("period") ?? "month";
  // the same moment until the user chooses something else
  const range = useMemo(() => isGiven ? { from: givenFrom, to: givenTo } : rangeOf(period, Math.ceil(now() / 60_000) * 60_000, shownIn), [period, givenFrom, givenTo, shownIn]);
  const known = useRead(api, async (api) => {
    const [all, projects] = await Promise.all([
      api.all("/clusters", {}, 500),
      sees ? inTurn(() => api.get("/reports/projects", { from: iso(range.from), to: iso(range.to), step: isoDuration((range.to - range.from) / 1000) })).then(({ body }) => body.projects
        .map((/** @type {any} */ each) => each.project).filter(Boolean))
      : api.all("/projects", {}, 500).then((found) => found.filter((each) => each.members.some((/** @type {any} */ one) => one.account === account.name && one.role === "OWNER")).map((each) => each.id)),
    ]);
    return { clusters: all.filter((each) => !each.peer), projects };
  }, [range.from, range.to]);
  if (!known.data) {
    return html`<h1>Reports</h1>${known.problem ? html`<${Failed} why=${known.problem} />` : html`<${Skeleton} />`}`;
  }
  const { clusters, projects } = known.data;
  if (!sees && projects.length === 0) {
    return html`<h1>Reports</h1><${Empty} text="Reports are for the owners of a project, and you own none."><a class="button" href=${address("projects")}>Your projects</a><//>`;
  }
  const cluster = says.get("cluster") ?? "";
  const project = says.get("project") ?? (sees ? "" : projects[0]);
  const units = new Set((cluster ? clusters.filter((each) => each.id === cluster) : clusters).map((each) => each.unit ?? "PE"));
  /** @type {import("./parts.js").Asked} */
  const asked = { api, ...range, cluster, project, unit: units.size === 1 ? [...units][0] : "PE", sees };
  const tab = says.get("tab") === "refusals" ? "refusals" : "overview";
  return html`
    <div class="head">
      <h1>Reports</h1>
      <div class="row">
        <${CopyLink} ...${range} cluster=${cluster} project=${project} />
        <button type="button" onclick=${() => print()}><${Icon} name="printer" />Print</button>
      </div>
    </div>
    <div class="toolbar">
      <${Choices} label="Period" options=${[...PERIODS, ["", "From … to …"]]} value=${period}
        choose=${(/** @type {string} */ value) => change(value ? { period: value, from: null, to: null } : { period: null, from: iso(range.from), to: iso(range.to) })} />
      ${isGiven && html`<${OwnPeriod} key=${`${range.from} ${range.to} ${shownIn}`} ...${range} />`}
      <${Field} label="Cluster"><${Choice} name="cluster" value=${cluster} options=${[["", "All clusters"], ...clusters.map((each) => [each.id, each.id])]}
        onchange=${(/** @type {any} */ { target }) => change({ cluster: target.value || null })} /><//>
      <${Field} label="Project"><${Choice} name="project" value=${project} options=${[...(sees ? [["", "All projects"]] : []), ...projects.map((/** @type {string} */ each) => [each, each])]}
        onchange=${(/** @type {any} */ { target }) => change({ project: target.value || null })} /><//>
    </div>
    <p class="muted small">${formatRange(range.from, range.to, shownIn)}, ${cluster || "all clusters"}${project ? `, project ${project}` : ""}.
      ${" "}A ${asked.unit}-hour is one ${asked.unit} for one hour.</p>
    <${Tabs} name="tab" label="Parts of the report" tabs=${[["overview", "Overview"], ["refusals", "Refusals"]]} value=${tab} />
    ${cluster && !clusters.some((each) => each.id === cluster) ? html`<${Failed} why=${`There is no cluster ${cluster}. Choose one above.`} />`
      : tab === "refusals" ? html`<${Refusals} asked=${asked} />` : html`<${Overview} asked=${asked} clusters=${clusters} paysFor=${account.role !== "VIEWER"} />`}`;
}

/** The fields of a period without a name. @param {{from: number, to: number}} its */
function OwnPeriod({ from, to }) {
  const [begin, end, error] = [useSignal(toField(from, zone())), useSignal(toField(to, zone())), useSignal({ from: "", to: "" })];
  const adopt = () => {
    const [first, last] = [fromField(begin.value, zone()), fromField(end.value, zone(), true)];
    error.value = {
      from: Number.isNaN(first) ? "Write a time such as 1 Nov, or choose it." : "",
      to: Number.isNaN(last) ? "Write a time such as 30 Nov, or choose it." : last <= first ? "The end must be after the beginning." : last - first > LONGEST ? "A report has at most 3,660 days." : "",
    };
    if (!error.value.from && !error.value.to) {
      change({ from: iso(first), to: iso(last) });
    }
  };
  return html`
    <${Moment} label="From" name="from" value=${begin} error=${error.value.from} onchange=${adopt} />
    <${Moment} label="To" name="to" value=${end} error=${error.value.to} onchange=${adopt} />`;
}

/** Copies an address that shows the same period at any later time. @param {{from: number, to: number, cluster: string, project: string}} its */
function CopyLink({ from, to, cluster, project }) {
  const text = useSignal("Copy link");
  const copy = async () => {
    const link = new URL(address("reports", { tab: params().get("tab"), from: iso(from), to: iso(to), cluster: cluster || null, project: project || null }), location.href);
    text.value = await navigator.clipboard.writeText(link.href).then(() => "Copied", () => "Copy the address of this page");
    announce(text.value);
  };
  return html`<button type="button" onclick=${copy}><${Icon} name="link" />${text}</button>`;
}

/** @param {{asked: import("./parts.js").Asked, clusters: any[], paysFor: boolean}} its paysFor: whether the user may see budgets */
function Overview({ asked, clusters, paysFor }) {
  const { api, from, to, cluster, project, unit, sees } = asked;
  const query = { from: iso(from), to: iso(to), cluster, project };
  const which = [from, to, cluster, project];
  const step = stepOf(from, to);
  const summary = useRead(api, (api) => inTurn(() => api.get("/reports/summary", query)), which);
  const used = useRead(api, (api) => inTurn(() => api.get("/reports/projects", { ...query, step: isoDuration(step) })), which);
  const owners = useRead(api, (api) => inTurn(() => api.get("/reports/owners", query)), which);
  const hours = useRead(api, (api) => inTurn(() => api.get("/reports/hours", { ...query, zone: zoneName(zone()) })), [...which, zone()]);
  const csv = (/** @type {string} */ path, /** @type {any} */ more = {}) => () => inTurn(() => api.csv(path, { ...query, ...more }));
  const hour = `${unit}-hours`;
  return html`
    <${Read} read=${summary}>${(/** @type {any} */ { body }) => html`<${Tiles} report=${body} hour=${hour} sees=${sees} csv=${csv("/reports/summary")} />`}<//>
    <${Part} title=${`${hour} by project`} file="projects" csv=${csv("/reports/projects", { step: isoDuration(step) })}
      says=${`Booked ${hour} per ${STEPS[step]}.`}>
      <${Read} read=${used}>${(/** @type {any} */ { body }) => html`<${Projects} report=${body} to=${to} hour=${hour} />`}<//>
    <//>
    <div class=${project ? null : "halves"}>
      ${!project && html`
      <${Part} title="Projects" says="Used is less than booked where runs ended before their time. Choose a project to see only its figures."
        file="project-totals" csv=${csv("/reports/projects", { step: isoDuration((to - from) / 1000) })}>
        <${Read} read=${used}>${(/** @type {any} */ { body }) => html`<${ProjectTable} report=${body} hour=${hour} />`}<//>
      <//>`}
      <${Part} title="Who books most" file="owners" csv=${csv("/reports/owners", { limit: 100 })}>
        <${Read} read=${owners}>${(/** @type {any} */ { body }) => html`<${OwnerTable} report=${body} hour=${hour} />`}<//>
      <//>
    </div>
    ${project && paysFor && html`<${Budget} key=${project} api=${api} project=${project} />`}
    <${RefusalsOverTime} asked=${asked} />
    ${sees && html`<${Clusters} asked=${asked} />`}
    <${Part} title=${project ? "When the project runs" : "When the clusters are booked"} file="hours" csv=${csv("/reports/hours", { zone: zoneName(zone()) })}>
      <${Read} read=${hours}>${(/** @type {any} */ { body }) => html`<${Hours} hours=${body.hours} hour=${hour} sees=${sees} isAll=${!project} />`}<//>
    <//>
    <${Prices} asked=${asked} clusters=${clusters} />`;
}

/** @type {Record<number, string>} */
const STEPS = { [HOUR / 1000]: "hour", [DAY / 1000]: "day", [7 * DAY / 1000]: "week", [30 * DAY / 1000]: "30 days" };

// ---- tiles

/** @param {{report: any, hour: string, sees: boolean, csv: () => Promise<string>}} its */
function Tiles({ report: { current, before, completeFrom }, hour, sees, csv }) {
  const keep = async () => download("berth-summary.csv", await csv());
  const share = (/** @type {number | null} */ value) => value === null ? "–" : percent.format(value);
  return html`
    ${completeFrom > before.from && html`<p class="note">Some figures are complete only from ${formatInstant(completeFrom, zone())} on: Berth has deleted older reservations.</p>`}
    <div class="tiles">
      ${current.bookedShare !== null && html`<${Tile} title="Utilisation" figure=${share(current.bookedShare)} says="of what the clusters had to give was booked"
        difference=${html`<${Difference} now=${current.bookedShare} before=${before.bookedShare} isShare isGood />`}>
        <p class="muted">${share(current.usedShare)} was used. ${share(current.peHours.outOfService / current.peHours.total)} of all was out of service.</p>
      <//>`}
      <${Tile} title=${`${hour} booked`} figure=${large(current.peHours.booked)} says=${`${whole.format(current.peHours.used)} were used`}
        difference=${html`<${Difference} now=${current.peHours.booked} before=${before.peHours.booked} isGood />`} />
      <${MoneyTile} title=${sees ? "Revenue" : "Spent"} says="prices of reservations that ended in this period" sums=${current.revenue} before=${before.revenue} isGood=${sees} />
      <${Tile} title="Requests accepted" figure=${current.acceptance === null ? whole.format(current.accepted) : share(current.acceptance)}
        says=${current.requests === null ? "requests for room" : `${whole.format(current.accepted)} of ${whole.format(current.requests)} requests for room`}
        difference=${current.requests === null ? html`<${Difference} now=${current.accepted} before=${before.accepted} isGood />`
          : html`<${Difference} now=${current.acceptance} before=${before.acceptance} isShare isGood />`} />
      <${Tile} title="Promises kept" figure=${share(current.slaCompliance)} says=${`${whole.format(current.kept)} ${current.kept === 1 ? "run" : "runs"} got what was agreed, ${whole.format(current.broken)} did not`}
        difference=${html`<${Difference} now=${current.slaCompliance} before=${before.slaCompliance} isShare isGood />`} />
      <${MoneyTile} title="Credits" says="owed to users for broken promises" sums=${current.credits} before=${before.credits} />
      <${Tile} title="Moves" figure=${whole.format(current.moves)} says="Berth moved a flexible run within its window, to fit in another one"
        difference=${html`<${Difference} now=${current.moves} before=${before.moves} />`} />
    </div>
    <p class="row muted small">Changes are against the period before, ${formatRange(before.from, before.to, zone())}.
      <button type="button" class="quiet" aria-label="Summary as CSV" onclick=${keep}><${Icon} name="download" />CSV</button></p>`;
}

/** @param {{title: string, figure: any, says: string, difference: any, children?: any}} its */
function Tile({ title, figure, says, difference, children }) {
  return html`<section class="tile"><h2>${title}</h2><p class="figure">${figure}</p>${difference}<p class="muted">${says}</p>${children}</section>`;
}

/** @param {{title: string, says: string, sums: any[], before: any[], isGood?: boolean}} its */
function MoneyTile({ title, says, sums, before, isGood }) {
  const [main, ...others] = sums;
  const last = before.find((each) => !main || each.currency === main.currency);
  const figure = main ? html`<span title=${formatMoney(main)}>${large(Number(main.amount))} <small>${main.currency}</small></span>` : "0";
  return html`
    <${Tile} title=${title} figure=${figure} says=${says}
      difference=${html`<${Difference} now=${Number(main?.amount ?? 0)} before=${Number(last?.amount ?? 0)} isGood=${isGood} isBad=${!isGood} />`}>
      ${others.map((each) => html`<p key=${each.currency}>and ${formatMoney(each)}</p>`)}
    <//>`;
}

/**
 * The change of a figure against the period before: in points if it is a share, in percent otherwise.
 * @param {{now: number | null, before: number | null, isShare?: boolean, isGood?: boolean, isBad?: boolean}} its isGood, isBad: what more of it is
 */
function Difference({ now, before, isShare = false, isGood = false, isBad = false }) {
  if (now === null || before === null || (!isShare && before === 0 && now !== 0)) {
    return html`<p class="muted">nothing before to compare</p>`;
  }
  const more = isShare ? now - before : before === 0 ? 0 : now / before - 1;
  if (Math.abs(more) < 0.0005) {
    return html`<p class="muted">as before</p>`;
  }
  const text = isShare ? `${Math.abs(100 * more).toFixed(1)} points` : percent.format(Math.abs(more));
  const look = !(isGood || isBad) ? "muted" : more > 0 === isGood ? "up" : "down";
  return html`<p class=${look}><${Icon} name=${more > 0 ? "arrow-up" : "arrow-down"} />${text} ${more > 0 ? "more" : "less"}</p>`;
}

// ---- projects and owners

/** @param {string | null} project */
function named(project) {
  return project ?? "no project";
}

/** @param {{report: any, to: number, hour: string}} its */
function Projects({ report: { projects }, to, hour }) {
  if (projects.length === 0) {
    return html`<${Empty} text="Nothing was booked in this period." />`;
  }
  const times = projects[0].points.map((/** @type {any} */ each) => Date.parse(each.start));
  const sums = (/** @type {any[]} */ some) => times.map((/** @type {number} */ _, /** @type {number} */ i) => some.reduce((sum, each) => sum + each.points[i].booked, 0));
  const own = projects.filter((/** @type {any} */ each) => each.project !== null).slice(0, MOST_PROJECTS);
  const others = projects.filter((/** @type {any} */ each) => each.project !== null && !own.includes(each));
  const none = projects.filter((/** @type {any} */ each) => each.project === null && each.booked > 0);
  const series = [
    ...own.map((/** @type {any} */ each) => ({ name: each.project, colour: colourOf(each.project), isStepped: true, values: sums([each]) })),
    ...(others.length ? [{ name: `${others.length} other projects`, colour: "--job", isStepped: true, values: sums(others) }] : []),
    ...(none.length ? [{ name: "without a project", colour: "--ended", isStepped: true, values: sums(none) }] : []),
  ];
  return html`<${Chart} label=${`${hour} by project over time`} times=${times} to=${to} height=${260} series=${series} format=${whole.format} />`;
}

/** @param {{report: any, hour: string}} its */
function ProjectTable({ report: { projects }, hour }) {
  const total = projects.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.booked, 0);
  const choose = (/** @type {string} */ project) => address("reports", { ...Object.fromEntries(params()), project });
  const columns = [
    { head: "Project", by: (/** @type {any} */ each) => named(each.project), cell: (/** @type {any} */ each) => html`<span class="dot" style=${{ color: `var(${colourOf(each.project)})` }}></span>
      ${each.project ? html`<a href=${choose(each.project)}><${Own}>${each.project}<//></a>` : html`<span class="muted">no project, and jobs</span>`}` },
    { head: `${hour} booked`, isNumber: true, by: (/** @type {any} */ each) => each.booked, cell: (/** @type {any} */ each) => whole.format(each.booked) },
    { head: "Share", isNumber: true, cell: (/** @type {any} */ each) => total ? percent.format(each.booked / total) : "" },
    { head: "Used", isNumber: true, by: (/** @type {any} */ each) => each.used, cell: (/** @type {any} */ each) => whole.format(each.used) },
    { head: "Revenue", isNumber: true, by: (/** @type {any} */ each) => Number(each.revenue[0]?.amount ?? 0), cell: (/** @type {any} */ each) => each.revenue.map(formatMoney).join(", ") || "–" },
  ];
  return html`<${Table} caption="Projects" name="projects" columns=${columns} rows=${projects} keyOf=${(/** @type {any} */ each) => each.project ?? ""}
    empty=${html`<${Empty} text="Nothing was booked in this period." />`} />`;
}

/** @param {{report: any, hour: string}} its */
function OwnerTable({ report: { owners, number }, hour }) {
  const most = Math.max(1, ...owners.map((/** @type {any} */ each) => each.booked));
  const columns = [
    { head: "Who", by: (/** @type {any} */ each) => each.owner ?? "", cell: (/** @type {any} */ each) => each.owner ? html`<${Own}>${each.owner}<//>` : html`<span class="muted">jobs</span>` },
    { head: `${hour} booked`, isNumber: true, by: (/** @type {any} */ each) => each.booked, cell: (/** @type {any} */ each) => html`<span class="length" style=${{ width: `${4 * each.booked / most}rem` }}></span>${whole.format(each.booked)}` },
    { head: "Used", isNumber: true, by: (/** @type {any} */ each) => each.used, cell: (/** @type {any} */ each) => each.booked ? percent.format(each.used / each.booked) : "" },
    { head: "Runs", isNumber: true, by: (/** @type {any} */ each) => each.reservations, cell: (/** @type {any} */ each) => whole.format(each.reservations) },
    { head: "Revenue", isNumber: true, by: (/** @type {any} */ each) => Number(each.revenue[0]?.amount ?? 0), cell: (/** @type {any} */ each) => each.revenue.map(formatMoney).join(", ") || "–" },
  ];
  return html`
    <${Table} caption="Who books most" name="owners" columns=${columns} rows=${owners} keyOf=${(/** @type {any} */ each) => each.owner ?? ""}
      empty=${html`<${Empty} text="Nobody booked anything in this period." />`} />
    ${number > owners.length && html`<p class="muted small">The first ${owners.length} of ${number}; the CSV has up to 100.</p>`}`;
}

/** How the budget of a project is spent. @param {{api: import("./api.js").Api, project: string}} its */
function Budget({ api, project }) {
  const path = `/projects/${encodeURIComponent(project)}`;
  const { data, problem } = useRead(api, async (api) => ({
    balance: (await api.get(`${path}/balance`)).body, live: await newest(api, { project }, ["HELD", "CONFIRMED", "RUNNING"], MOST_RUNS),
  }), []);
  // a label that is no project has no budget
  if (/** @type {any} */ (problem)?.status === 404 || data && !data.balance.granted) {
    return null;
  }
  return html`
    <${Part} title="Budget" says="What was granted and spent until now, and how long it lasts at the pace of the last days."
      tools=${html`<a class="button quiet" href=${address("projects", { id: project })}>Grants and charges</a>`}>
      ${data ? html`<${BurnDown} api=${api} path=${path} ...${data} />` : problem ? html`<${Failed} why=${problem} />` : html`<${Skeleton} />`}
    <//>`;
}

// ---- clusters

/** One small chart for each cluster. @param {{asked: import("./parts.js").Asked}} its */
function Clusters({ asked }) {
  const { api, from, to, cluster, project } = asked;
  const isAll = useSignal(false);
  const step = stepOf(from, to);
  const read = useRead(api, (api) => inTurn(() => api.get("/utilisation", { from: iso(from), to: iso(to), cluster, project, step: isoDuration(step) })), [from, to, cluster, project]);
  const all = [...(read.data?.body.clusters ?? [])].sort((/** @type {any} */ one, /** @type {any} */ other) => (other.meanInService ?? 0) - (one.meanInService ?? 0));
  const csv = () => csvOf([["start", "cluster", "share"], ...all.flatMap((each) => each.points.map((/** @type {any} */ point) => [point.start, each.cluster, point.utilisationInService]))]);
  return html`
    <${Part} title="Utilisation by cluster" says="The share that ran, of what was in service. The fullest cluster comes first." file="clusters" csv=${csv}>
      <${Read} read=${read}>${() => html`
        <div class="multiples">${(isAll.value ? all : all.slice(0, MOST_CLUSTERS)).map((each) => html`<${Cluster} key=${each.cluster} its=${each} asked=${asked} />`)}</div>
        ${all.length > MOST_CLUSTERS && !isAll.value && html`<p><button type="button" onclick=${() => { isAll.value = true; }}>Show all ${all.length} clusters</button></p>`}`}<//>
    <//>`;
}

/** @param {{its: any, asked: import("./parts.js").Asked}} its */
function Cluster({ its: { cluster, points }, asked: { api, from, to, project } }) {
  // the mean of the points would count the time before there was this cluster
  const read = useRead(api, (api) => inTurn(() => api.get("/reports/summary", { from: iso(from), to: iso(to), cluster, project })), [from, to, cluster, project]);
  const { bookedShare, peHours } = read.data?.body.current ?? {};
  const mean = bookedShare !== null && bookedShare !== undefined ? `${percent.format(bookedShare)} booked` : peHours && !peHours.total ? "" : peHours ? `${whole.format(peHours.booked)} booked` : "…";
  return html`
    <div>
      <h3><a href=${address("timeline", { cluster })}>${cluster}</a> <span class="muted">${mean}</span></h3>
      <${Chart} isPlain label=${`Utilisation of ${cluster} over time: ${mean}`} height=${110} max=${1} to=${to} format=${percent.format} tick=${percent.format}
        times=${points.map((/** @type {any} */ point) => Date.parse(point.start))}
        series=${[{ name: "in use", colour: "--confirmed", isStepped: true, values: points.map((/** @type {any} */ point) => point.utilisationInService) }]} />
    </div>`;
}

// ---- hours

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The hours of a week, darker the more was booked. @param {{hours: any[], hour: string, sees: boolean, isAll: boolean}} its */
function Hours({ hours, hour, sees, isAll }) {
  const most = Math.max(1e-9, ...hours.map((each) => each.booked));
  const shares = hours.map((each) => ({ ...each, share: sees ? each.bookedShare : each.booked / most }));
  const known = shares.filter((each) => each.share !== null).sort((one, other) => one.share - other.share);
  if (known.length === 0 || known[known.length - 1].share === 0) {
    return html`<${Empty} text="Nothing was booked in this period." />`;
  }
  const [least, fullest] = [known[0], known[known.length - 1]];
  const words = (/** @type {any} */ { weekday, hour: at }) => `${weekday[0]}${weekday.slice(1).toLowerCase()} ${String(at).padStart(2, "0")}:00`;
  const one = (/** @type {any} */ each) => sees ? percent.format(each.share) : `${whole.format(each.booked)} ${hour}`;
  return html`
    <p>${isAll && html`<strong>Emptiest: ${words(least)}</strong>, ${one(least)} booked: a good time for runs that may wait.`} Fullest: ${words(fullest)}, ${one(fullest)}.</p>
    <${Grid} label="Booked share by weekday and hour" isFine corner="Hour" columns=${[...Array(24).keys()].map((at) => String(at).padStart(2, "0"))} rows=${WEEKDAYS}
      cell=${(/** @type {number} */ row, /** @type {number} */ column) => {
        const found = shares.find((each) => each.weekday === WEEKDAYS[row].toUpperCase() && each.hour === column);
        return found && found.share !== null ? { share: found.share, text: sees ? String(Math.round(100 * found.share)) : whole.format(found.booked), title: `${words(found)}: ${one(found)}` } : null;
      }} />
    <p class="muted small">${sees ? "Percent booked" : hour}, hours in ${zoneName(zone())}.
      ${fullest.share > 1 && sees && " More than 100% is booked where an outage took PEs from runs."}</p>`;
}

// ---- prices

/** What a PE-hour costs in the next two weeks. @param {{asked: import("./parts.js").Asked, clusters: any[]}} its */
function Prices({ asked: { api, cluster }, clusters }) {
  const begin = useMemo(() => Math.ceil(now() / HOUR) * HOUR, []);
  const end = begin + 14 * DAY;
  const some = (cluster ? clusters.filter((each) => each.id === cluster) : clusters).filter((each) => each.pes).slice(0, MOST_CLUSTERS);
  const read = useRead(api, (api) => api.post("/probes/map", {
    duration: "PT1H", from: iso(begin), to: iso(end), step: "PT1H", clusters: some.map((each) => each.id),
  }), [cluster]);
  const times = [...Array(14 * 24).keys()].map((i) => begin + i * HOUR);
  const rows = (read.data?.body.clusters ?? []).map((/** @type {any} */ each) => {
    const row = each.rows[0];
    return { ...each, prices: times.map((_, i) => row?.starts[i] && row.prices[i] !== null ? Number(row.prices[i]) / row.pes : null), first: row?.pes };
  });
  const csv = () => csvOf([["start", "cluster", "price", "currency"], ...rows.flatMap((/** @type {any} */ each) => times.map((at, i) => [iso(at), each.cluster, each.prices[i], each.currency]))]);
  return html`
    <${Part} title="Prices of the next two weeks" file="prices" csv=${csv} says="What an hour on one PE costs a run that begins then, for the smallest run. A gap means that nothing is free.">
      <${Read} read=${read}>${() => html`<div class="multiples">${rows.map((/** @type {any} */ each) => html`<${PriceChart} key=${each.cluster} its=${each} times=${times} to=${end} />`)}</div>`}<//>
    <//>`;
}

/** @param {{its: any, times: number[], to: number}} its */
function PriceChart({ its: { cluster, prices, currency }, times, to }) {
  const known = prices.filter((/** @type {number | null} */ each) => each !== null);
  const lowest = Math.min(...known);
  const money = (/** @type {number} */ value) => `${value.toFixed(value < 1 ? 4 : 2)} ${currency}`;
  const text = known.length === 0 ? "nothing is free"
    : Math.max(...known) - lowest < 1e-9 ? `${money(lowest)} at any time; free in ${known.length} of ${times.length} hours`
    : `cheapest ${money(lowest)}, ${formatBare(times[prices.indexOf(lowest)], zone())}`;
  return html`
    <div>
      <h3>${cluster} <span class="muted">${text}</span></h3>
      <${Chart} isPlain label=${`Price of an hour on one PE of ${cluster}: ${text}`} height=${110} times=${times} to=${to} format=${money}
        series=${[{ name: "one PE, one hour", colour: "--held", isStepped: true, values: prices }]} />
    </div>`;
}
