import { Chart } from "./chart.js";
import { csvOf } from "./csv.js";
import { Grid, inTurn, Part } from "./parts.js";
import { stepOf } from "./period.js";
import { texts } from "./texts.js";
import { formatBare, formatDuration, formatInstant, formatRange, iso } from "./time.js";
import { Choice, Empty, Field, html, Own, Read, Table, useRead } from "./ui.js";
import { counted } from "./units.js";
import { address, change, params, zone } from "./url.js";

/** As many refused requests are listed. */
const MOST = 2000;

/** Why requests are refused, with a colour for charts. @type {Record<string, {text: string, says: string, colour: string}>} */
const REASONS = {
  "no-slot": { text: "No room", says: "every place in the window that was asked for is taken", colour: "--confirmed" },
  "never-fits": { text: "Too large or too long", says: "the cluster could not hold such a run even when empty", colour: "--job" },
  "over-budget": { text: "Too expensive", says: "there was room, but for more than the request would pay", colour: "--held" },
  "budget-exceeded": { text: "Budget used up", says: "the project cannot pay for it", colour: "--outage" },
  "limit-exceeded": { text: "Over a limit", says: "the account has as much as it may have at a time", colour: "--project-2" },
  "invalid-terms": { text: "Against the rules", says: "the rules of the cluster exclude such a run", colour: "--running" },
  forbidden: { text: "Not allowed", says: "the policy of the site denies it to this user", colour: "--ended" },
};

/** @type {[lead: string, text: string][]} */
const LEADS = [["NOW", "now"], ["UNDER_AN_HOUR", "< 1 h"], ["UNDER_SIX_HOURS", "< 6 h"], ["UNDER_A_DAY", "< 1 day"], ["UNDER_A_WEEK", "< 1 week"], ["LATER", "later"]];

/** @param {import("./parts.js").Asked} asked */
function useList({ api, from, to, cluster, project }) {
  return useRead(api, (api) => api.all("/refusals", { from: iso(from), to: iso(to), cluster, project }, MOST), [from, to, cluster, project]);
}

/** How many requests were refused over time, by reason. @param {{asked: import("./parts.js").Asked}} its */
export function RefusalsOverTime({ asked }) {
  const { from, to } = asked;
  const step = 1000 * stepOf(from, to);
  const read = useList(asked);
  const times = Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);
  const all = read.data ?? [];
  const series = Object.entries(REASONS).filter(([code]) => all.some((each) => each.code === code)).map(([code, { text, colour }]) => {
    const values = times.map(() => 0);
    all.filter((each) => each.code === code).forEach((each) => values[Math.min(times.length - 1, Math.max(0, Math.floor((Date.parse(each.at) - from) / step)))]++);
    return { name: text, colour, values, as: /** @type {const} */ ("bar") };
  });
  const csv = () => csvOf([["start", ...series.map((each) => each.name)], ...times.map((at, i) => [iso(at), ...series.map((each) => each.values[i])])]);
  return html`
    <${Part} title="Refused requests" says="Requests for room that Berth refused, by reason. Berth keeps them for about a month." file="refusals-over-time" csv=${csv}
      tools=${html`<a class="button quiet" href=${address("reports", { ...Object.fromEntries(params()), tab: "refusals" })}>Who and why</a>`}>
      <${Read} read=${read}>${() => all.length === 0 ? html`<${Empty} text="Nobody was refused in this period." />` : html`
        <${Truncated} number=${all.length} />
        <${Chart} label="Refused requests by reason over time" times=${times} to=${to} height=${180} series=${series} />`}<//>
    <//>`;
}

/** @param {{number: number}} its */
function Truncated({ number }) {
  return number === MOST && html`<p class="note">These are the newest ${MOST} only. Choose a shorter period to see all.</p>`;
}

/** Who was refused what, and why. @param {{asked: import("./parts.js").Asked}} its */
export function Refusals({ asked }) {
  const { api, from, to, cluster, project, sees, unit } = asked;
  const read = useList(asked);
  const summary = useRead(api, async (api) => sees ? (await inTurn(() => api.get("/refusals/summary", { from: iso(from), to: iso(to), cluster }))).body : null, [from, to, cluster]);
  return html`
    <div class="halves">
      <${Part} title="Reasons">
        <${Read} read=${read}>${(/** @type {any[]} */ all) => html`<${Reasons} all=${all} />`}<//>
      <//>
      ${sees && html`
      <${Part} title="Share accepted, by size and time until the start" file="acceptance" csv=${() => csvOf([["least", "most", "lead", "accepted", "refused"],
        ...(summary.data?.bySizeAndLead ?? []).map((/** @type {any} */ each) => [each.minPes, each.maxPes, each.lead, each.accepted, each.refused])])}
        says=${`The time is counted from the request to the earliest start that it allows. A cell has the share accepted and the number of requests${project ? ", of all projects" : ""}.`}>
        <${Read} read=${summary}>${(/** @type {any} */ body) => html`<${Acceptance} body=${body} unit=${unit} from=${from} />`}<//>
      <//>`}
    </div>
    <${Part} title="Refused requests" file="refusals" csv=${() => csvOf(lines(read.data ?? []))}>
      <${Read} read=${read}>${(/** @type {any[]} */ all) => html`<${List} all=${all} unit=${unit} />`}<//>
    <//>`;
}

/** @param {{all: any[]}} its */
function Reasons({ all }) {
  const counts = Object.entries(REASONS).map(([code, reason]) => ({ code, ...reason, number: all.filter((each) => each.code === code).length }))
    .filter((each) => each.number > 0).sort((one, other) => other.number - one.number);
  const most = counts[0]?.number ?? 1;
  const columns = [
    { head: "Reason", cell: (/** @type {any} */ each) => html`<a href=${address("reports", { ...Object.fromEntries(params()), code: each.code })}>${each.text}</a> <span class="muted">${each.says}</span>` },
    { head: "Requests", isNumber: true, cell: (/** @type {any} */ each) => html`<span class="length" style=${{ width: `${4 * each.number / most}rem` }}></span>${each.number}` },
  ];
  return html`<${Table} caption="Reasons" columns=${columns} rows=${counts} keyOf=${(/** @type {any} */ each) => each.code}
    empty=${html`<${Empty} text="Nobody was refused in this period." />`} />`;
}

/** @param {{body: any, unit: string, from: number}} its */
function Acceptance({ body: { bySizeAndLead, truncated, from: since }, unit, from }) {
  const sizes = bySizeAndLead.filter((/** @type {any} */ each) => each.lead === "NOW");
  const name = (/** @type {any} */ { minPes, maxPes }) => maxPes === null ? `${minPes} or more` : minPes === maxPes ? counted(minPes, unit) : `${minPes}–${maxPes}`;
  return html`
    ${(truncated || Date.parse(since) > from + 1000) && html`<p class="note">${truncated ? "Only the latest 50,000 requests are counted." : `Counted from ${formatInstant(since, zone())} on, as long as Berth keeps refused requests.`}</p>`}
    <${Grid} label="Share of requests accepted, by size and time until the start" isGood corner=${`${unit}s`} rows=${sizes.map(name)} columns=${LEADS.map(([, text]) => text)}
      cell=${(/** @type {number} */ row, /** @type {number} */ column) => {
        const found = bySizeAndLead.find((/** @type {any} */ each) => each.minPes === sizes[row].minPes && each.lead === LEADS[column][0]);
        const number = found.accepted + found.refused;
        return number === 0 ? null : {
          share: found.accepted / number, text: html`${Math.round(100 * found.accepted / number)}% <small>${number}</small>`, title: `${found.accepted} of ${number} accepted`,
        };
      }} />`;
}

/** @param {any} each @param {string} [unit] */
function wanted({ kind, terms, start }, unit) {
  const time = start ? `at ${formatBare(start, zone())}` : terms.readyTime && terms.deadline ? formatRange(terms.readyTime, terms.deadline, zone())
    : terms.deadline ? `by ${formatBare(terms.deadline, zone())}` : terms.readyTime ? `from ${formatBare(terms.readyTime, zone())} on` : "";
  const size = terms.pes ?? terms.maxPes ?? terms.minPes;
  return [texts.requests[kind], [size && counted(size, unit), terms.duration && `for ${formatDuration(terms.duration)}`].filter(Boolean).join(" "), time].filter(Boolean).join(", ");
}

/** @param {any} would @param {string} [unit] */
function fitted(would, unit) {
  return !would ? "" : [
    would.pes && counted(would.pes, unit), would.duration && formatDuration(would.duration), would.deadline && `until ${formatBare(would.deadline, zone())}`,
  ].filter(Boolean).join(", or ");
}

/** @param {any} each */
function where({ cluster, clusters }) {
  return cluster ?? clusters?.join(", ") ?? "any";
}

/** @param {any[]} all */
function lines(all) {
  return [["at", "account", "project", "cluster", "kind", "pes", "duration", "ready", "deadline", "code", "detail", "would_fit", "request_id"], ...all.map((each) => [
    each.at, each.account, each.project, where(each), each.kind, each.terms.pes, each.terms.duration, each.terms.readyTime, each.terms.deadline, each.code, each.detail,
    fitted(each.wouldFit), each.requestId,
  ])];
}

/** @param {{all: any[], unit: string}} its */
function List({ all, unit }) {
  const code = params().get("code") ?? "";
  const columns = [
    { head: "When", by: (/** @type {any} */ each) => Date.parse(each.at), cell: (/** @type {any} */ each) => html`<span class="nowrap">${formatBare(each.at, zone())}</span>` },
    { head: "Who", by: (/** @type {any} */ each) => each.account, cell: (/** @type {any} */ each) => html`<${Own}>${each.account}<//>` },
    { head: "Project", by: (/** @type {any} */ each) => each.project ?? "", cell: (/** @type {any} */ each) => html`<${Own}>${each.project}<//>` },
    { head: "Cluster", by: where, cell: (/** @type {any} */ each) => html`<span class="nowrap">${where(each)}</span>` },
    { head: "What", by: (/** @type {any} */ each) => wanted(each, unit), cell: (/** @type {any} */ each) => wanted(each, unit) },
    { head: "Why", by: (/** @type {any} */ each) => `${REASONS[each.code]?.text ?? each.code} ${each.detail}`, cell: (/** @type {any} */ each) => html`<strong>${REASONS[each.code]?.text ?? each.code}.</strong> ${each.detail}` },
    { head: "Would have fitted", cell: (/** @type {any} */ each) => fitted(each.wouldFit, unit) || html`<span class="muted">–</span>` },
    { head: "Request id", by: (/** @type {any} */ each) => each.requestId ?? "", cell: (/** @type {any} */ each) => each.requestId ? html`<code>${each.requestId}</code>` : html`<span class="muted">–</span>` },
  ];
  const tools = html`<${Field} label="Reason"><${Choice} name="code" value=${code} options=${[["", "All reasons"], ...Object.entries(REASONS).map(([each, { text }]) => [each, text])]}
    onchange=${(/** @type {any} */ { target }) => change({ code: target.value || null, "refusals-page": null })} /><//>`;
  return html`
    <${Truncated} number=${all.length} />
    <${Table} caption="Refused requests" name="refusals" search="Search" tools=${all.length > 0 && tools} columns=${columns} rows=${code ? all.filter((each) => each.code === code) : all}
      keyOf=${(/** @type {any} */ each) => `${each.at} ${each.account} ${each.requestId} ${JSON.stringify(each.terms)}`}
      empty=${html`<${Empty} text=${code ? "Nobody was refused for this reason in this period." : "Nobody was refused in this period. Choose a longer one above."} />`} />`;
}
