import { announce } from "./document.js";
import { formatMoney } from "./money.js";
import { ProjectName, sizeOf, State, useClusters } from "./runs.js";
import { texts } from "./texts.js";
import { durationSeconds, formatDate, formatDuration, formatInstant, formatRange } from "./time.js";
import { Confirmed, Empty, Facts, Failed, html, Own, Skeleton, Table, useChange, useEvents, useRead } from "./ui.js";
import { address, params, zone } from "./url.js";

const PAUSE = 1000;
/** The states of reservations that the end of a series cancels. */
const CANCELLED = ["PENDING", "WAITING", "HELD", "CONFIRMED"];
/** @type {Record<string, string>} */
export const SERIES_STATES = { BOOKING: "being booked", OPEN: "not all decided yet", DECIDED: "all decided" };
/** The states of days without a reservation, with the state of a reservation that has the same colour. @type {Record<string, [string, string]>} */
const DAYS = { BOOKED: ["CONFIRMED", "booked"], REFUSED: ["REJECTED", "refused"], AHEAD: ["AHEAD", "not decided yet"], PAST: ["PAST", "over"] };

/**
 * A series: the state of each of its days, and a button to end it.
 * @param {{context: import("./main.js").Context}} its
 */
export function View({ context }) {
  const id = params().get("id") ?? "";
  return html`
    <p><a href=${address("reservations")}>All reservations</a></p>
    <${Series} key=${id} id=${id} context=${context} />`;
}

/** @param {{id: string, context: import("./main.js").Context}} its */
function Series({ id, context: { api, session } }) {
  const path = `/series/${encodeURIComponent(id)}`;
  const clusters = useClusters(api);
  const { data, problem, again } = useRead(api, async (api) => (await api.get(path)).body, []);
  // a member of its project follows the events through the project
  const stream = data && `/events/stream${data.project ? `?project=${encodeURIComponent(data.project)}` : ""}`;
  useEvents(session, stream, again, PAUSE);
  if (!data) {
    const { status } = /** @type {any} */ (problem ?? {});
    return html`
      <h1>Series</h1>
      ${problem ? html`<section class="panel">${status === 404 || status === 400
        ? html`<${Empty} text="There is no such series, or it is not yours." />` : html`<${Failed} why=${problem} />`}</section>` : html`<${Skeleton} />`}`;
  }
  return html`
    <div class="head">
      <h1>${data.name ? html`<${Own}>${data.name}<//>` : "Series"}</h1>
      <${End} api=${api} path=${path} isAhead=${data.occurrences.some((/** @type {any} */ each) => each.state === "AHEAD" || CANCELLED.includes(each.reservationState))} again=${again} />
    </div>
    <div class="columns">
      <section class="panel"><${Known} series=${data} clusters=${clusters} /></section>
      <section class="panel">
        <h2>Days</h2>
        <${Table} caption="Days of the series" name="days" rows=${data.occurrences} keyOf=${(/** @type {any} */ each) => each.date} columns=${DAY_COLUMNS}
          empty=${html`<${Empty} text="No day is left." />`} />
      </section>
    </div>`;
}

/** @param {{series: any, clusters: Map<string, any>}} its */
function Known({ series, clusters }) {
  const { recurrence, window, terms } = series;
  const leeway = [
    durationSeconds(window.earliest) > 0 && `up to ${formatDuration(window.earliest)} earlier`,
    durationSeconds(window.slack) > 0 && `up to ${formatDuration(window.slack)} later`,
  ].filter(Boolean).join(", ");
  const rule = recurrence.rrule.split(";").map((/** @type {string} */ part, /** @type {number} */ i) => html`${i > 0 && html`;<wbr />`}${part}`);
  const days = Object.entries(series.occurrences.reduce((/** @type {Record<string, number>} */ sums, /** @type {any} */ each) => {
    const [, word] = DAYS[each.state];
    return { ...sums, [word]: (sums[word] ?? 0) + 1 };
  }, {})).map(([word, n]) => `${n} ${word}`).join(", ");
  return html`<${Facts} all=${[
    ["State", html`<span class="state">${SERIES_STATES[series.state]}</span>`],
    ["Days", days],
    ["Cluster", series.cluster],
    ["Repeats", html`<code>${rule}</code>`],
    ["From", `${formatDate(recurrence.dtstart.slice(0, 10))} ${recurrence.dtstart.slice(11)} ${recurrence.zone}`],
    ["Each may begin", leeway],
    ["Left out", recurrence.exdates.map(formatDate).join(", ")],
    ["Duration", terms.duration && formatDuration(terms.duration)],
    ["Size", sizeOf(series, clusters)],
    ["Decided until", series.bookedUntil && formatDate(series.bookedUntil)],
    ["Project", series.project && html`<${ProjectName} id=${series.project} />`],
    ["Owner", series.owner],
    ["Id", series.id],
  ]} />`;
}

/** @type {import("./ui.js").Column<any>[]} */
const DAY_COLUMNS = [
  {
    head: "Day",
    cell: (each) => html`<span class="nowrap">${each.reservation ? html`<a href=${address("reservation", { id: each.reservation })}>${formatDate(each.date)}</a>` : formatDate(each.date)}</span>`,
    by: (each) => each.date,
  },
  { head: "State", cell: (each) => (each.reservationState ? html`<${State} state=${each.reservationState} />` : html`<span class=${`state state-${DAYS[each.state][0]}`}>${DAYS[each.state][1]}</span>`) },
  { head: "When", cell: (each) => (each.start ? formatRange(each.start, each.end, zone()) : html`
    ${each.plannedStart && formatInstant(each.plannedStart, zone())}${each.reason && html`<div class="muted">${texts.refusals[each.reason] ?? each.reason}</div>`}`) },
  { head: "Price", cell: (each) => html`<span class="nowrap">${formatMoney(each.price)}</span>`, isNumber: true },
];

/** A button that ends the series from today on. @param {{api: import("./api.js").Api, path: string, isAhead: boolean, again: () => void}} its */
function End({ api, path, isAhead, again }) {
  const { isBusy, problem, run } = useChange();
  const end = () => run(async () => {
    await api.post(`${path}/end`, {});
    announce("The series is ended.");
    again();
  });
  return isAhead ? html`
    <${Confirmed} class="harm" disabled=${isBusy} yes="End the series from today" no="No" act=${end}
      question="End the series? Its days from today on are cancelled, and their slots become free for others. A running one continues.">End the series from today<//>
    <${Failed} why=${problem} />` : html`<span class="muted">The series has no days from today on.</span>`;
}
