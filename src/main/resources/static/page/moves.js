import { details } from "./details.js";
import { texts } from "./texts.js";
import { DAY, formatDuration, formatInstant, formatRange, iso, now } from "./time.js";
import { Failed, html, Own, Skeleton, Table, useRead } from "./ui.js";
import { address, zone } from "./url.js";

/** The most pages of events to read. If a day has more, the moves are of a shorter time. */
const MOST_PAGES = 10;
const MINUTE = 60_000;

/** @typedef {{id: string, cluster: string, moves: any[], shift: number}} Group the moves of a reservation, in order, and how much later it begins */

/**
 * Reads the moves of the last day, and of a shorter time if so much has happened.
 * @param {import("./api.js").Api} api
 */
export async function readMoves(api) {
  /** @type {any[]} */
  let found = [];
  let isAll = false;
  let back = 4 * DAY;
  // events come oldest first: if there are too many, read a shorter time
  do {
    back /= 4;
    found = [];
    /** @type {string | null} */
    let after = null;
    for (let pages = 0; pages < MOST_PAGES && !isAll; pages++) {
      const { body } = await api.get("/events", { from: iso(now() - back), after, limit: 500 });
      found.push(...body.items.filter((/** @type {any} */ each) => each.type === "moved"));
      after = body.next;
      // a page may end before its limit; only an empty one is the end of the events
      isAll = body.items.length === 0;
    }
  } while (!isAll && back > MINUTE);
  return { found, back };
}

/** Groups moves by reservation, the last moved first. @param {any[]} moves @returns {Group[]} */
export function grouped(moves) {
  /** @type {Map<string, any[]>} */
  const all = new Map();
  for (const each of moves) {
    const before = all.get(each.reservation) ?? [];
    all.delete(each.reservation);
    all.set(each.reservation, [...before, each]);
  }
  return [...all].reverse().map(([id, own]) => ({
    id, cluster: own[0].cluster, moves: own,
    shift: (Date.parse(own[own.length - 1].data.placement.start) - Date.parse(own[0].data.move.from[0].start)) / 1000,
  }));
}

/** @param {number} shift in seconds */
const shiftText = (shift) => (shift === 0 ? "same time" : `${shift > 0 ? "+" : "−"}${formatDuration(Math.abs(shift))}`);

/**
 * The moves of the last day by reservation, with their reasons.
 * @param {{
 *   context: import("./main.js").Context, plans: Map<string, import("./plan.js").Handle>,
 *   heard: import("@preact/signals").Signal<any[]>, isFolded: boolean,
 * }} its heard: the moves since the view was opened
 */
export function Moves({ context, plans, heard, isFolded }) {
  const first = useRead(context.api, readMoves, []);
  const known = new Set(heard.value.map((each) => `${each.cluster} ${each.sequence}`));
  const all = [...(first.data?.found ?? []).filter((each) => !known.has(`${each.cluster} ${each.sequence}`)), ...heard.value]
    .filter(({ at }) => Date.parse(at) > now() - DAY);
  const light = (/** @type {Group} */ its, /** @type {string | null} */ id) => () => plans.get(its.cluster)?.light(id);
  const columns = [
    {
      head: "Reservation", cell: (/** @type {Group} */ its) => html`
        <span onmouseenter=${light(its, its.id)} onmouseleave=${light(its, null)}><${Moved} context=${context} plans=${plans} group=${its} /></span>`,
    },
    { head: "Cluster", by: (/** @type {Group} */ its) => its.cluster, cell: (/** @type {Group} */ its) => its.cluster },
    { head: "Was", cell: (/** @type {Group} */ its) => html`<span class="nowrap">${formatInstant(its.moves[0].data.move.from[0].start, zone())}</span>` },
    { head: "Is now", cell: (/** @type {Group} */ its) => place(its.moves[its.moves.length - 1].data.placement) },
    { head: "Shift", isNumber: true, by: (/** @type {Group} */ its) => its.shift, cell: (/** @type {Group} */ its) => shiftText(its.shift) },
    { head: "Moves", isNumber: true, by: (/** @type {Group} */ its) => its.moves.length, cell: (/** @type {Group} */ its) => String(its.moves.length) },
    { head: "Why", cell: (/** @type {Group} */ its) => [...new Set(its.moves.map((each) => texts.reasons[each.data.move.why]))].join(", ") },
    { head: "Last moved", by: (/** @type {Group} */ its) => its.moves[its.moves.length - 1].at, cell: (/** @type {Group} */ its) => html`<span class="nowrap">${formatInstant(its.moves[its.moves.length - 1].at, zone())}</span>` },
  ];
  return html`
    <section class="panel">
      <details open=${!isFolded}>
        <summary><h2>Moves of the last day</h2></summary>
      ${first.data && first.data.back < DAY && html`<p class="muted">Only the last ${formatDuration(first.data.back / 1000)} were read, because so much has happened.</p>`}
      <${Failed} why=${first.problem} />
      ${!first.data && !first.problem ? html`<${Skeleton} />`
        : html`<${Table} caption="Moves of the last day" name="moves" columns=${columns} rows=${grouped(all)} keyOf=${(/** @type {Group} */ its) => its.id}
            empty=${html`<p class="muted">Nothing was moved.</p>`} />`}
      </details>
    </section>`;
}

/** @param {any} placement */
function place({ start, end }) {
  return html`<span class="nowrap">${formatRange(start, end, zone())}</span>`;
}

/**
 * What was moved, and whose it is. The events do not say, but the reservation does, or else the schedule.
 * @param {{context: import("./main.js").Context, plans: Map<string, import("./plan.js").Handle>, group: Group}} its
 */
function Moved({ context: { api, account }, plans, group: { id, cluster, moves } }) {
  const isOpen = account.role === "ADMIN";
  const { start } = moves[moves.length - 1].data.placement;
  const { data } = useRead(api, async (api) => {
    if (isOpen) {
      return details(api, `/reservations/${id}`);
    }
    const own = plans.get(cluster)?.find(id);
    return own ?? (await details(api, `/clusters/${cluster}/schedule?${new URLSearchParams({ from: start, to: iso(Date.parse(start) + 1000) })}`))
      ?.placements.find((/** @type {any} */ each) => each.id === id);
  }, [id, start]);
  const name = data?.name ? html`<${Own}>${data.name}<//>` : `${isOpen ? "without a name " : ""}${id.slice(-6)}`;
  return html`${isOpen ? html`<a href=${address("reservation", { id })}>${name}</a>` : name}
    ${[data?.owner, data?.project].filter(Boolean).map((/** @type {string} */ word) => html`, <${Own}>${word}<//>`)}`;
}
