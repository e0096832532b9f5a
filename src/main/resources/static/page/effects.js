import { details } from "./details.js";
import { formatMoney } from "./money.js";
import { named } from "./hostlist.js";
import { formatDuration, formatRange } from "./time.js";
import { html, Own, Table, useRead } from "./ui.js";
import { counted } from "./units.js";
import { address, zone } from "./url.js";

/** The most lines to show. A note above gives their number. */
const MOST = 200;

/** @param {number} n @param {string} word */
const some = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/**
 * Returns a summary of a dry run.
 * @param {any} effects
 * @param {string} [unit] the cluster's word for a PE
 */
export function effectsText(effects, unit = "PE") {
  const { moved, failed, losing, credits, requeued } = effects;
  const owed = credits.map(formatMoney).join(", ");
  return [
    moved + failed === 0 ? losing === 0 && "No reservation would move or fail."
      : `${some(moved, "reservation")} would be moved, ${failed} would fail${owed ? `, with ${owed} to credit` : ""}.`,
    losing > 0 && `${some(losing, "reservation")} would lack ${unit}s and keep the others.`,
    requeued > 0 && `${some(requeued, "batch job")} would wait again.`,
    effects.named.truncated && "There are more than listed here.",
  ].filter(Boolean).join(" ");
}

/**
 * Returns what a place would cost others; empty if it costs them nothing, or if that is not known.
 * @param {any} effects
 */
export function othersText(effects) {
  const { moved = 0, jobsDelayed = 0, largestShift } = effects ?? {};
  return [
    moved > 0 && `${some(moved, "reservation")} would move by up to ${formatDuration(largestShift)}`,
    jobsDelayed > 0 && `${some(jobsDelayed, "job")} would start later`,
  ].filter(Boolean).join(", ");
}

/**
 * A link to a reservation by its name, which is read when it is shown.
 * @param {{api: import("./api.js").Api, id: string}} its
 */
function ReservationLink({ api, id }) {
  const { data } = useRead(api, (api) => details(api, `/reservations/${id}`), [id]);
  return html`<a href=${address("reservation", { id })}>${data?.name ? html`<${Own}>${data.name}<//>` : `without a name (${id.slice(-6)})`}</a>`;
}

/** Times of parts, each on its line. @param {any[]} parts */
const times = (parts) => parts.map((part) => html`<div class="nowrap">${formatRange(part.start, part.end, zone())}</div>`);

/**
 * The effects of a dry run: the failures with their credits, the lost PEs, and the moves.
 * @param {{effects: any, api: import("./api.js").Api, cluster: import("./bars.js").Cluster}} its
 */
export function Effects({ effects, api, cluster }) {
  const { moved, failed, losing } = effects.named;
  const lines = [...failed, ...losing, ...moved].slice(0, MOST);
  const isSame = (/** @type {any} */ { from, to }) =>
    from.length === to.length && from.every((/** @type {any} */ part, /** @type {number} */ i) => part.start === to[i].start && part.end === to[i].end);
  const after = (/** @type {any} */ each) => {
    if (each.lacks) {
      return each.lacks.length === 0 ? `other ${cluster.unit ?? "PE"}s, at the same time` : each.lacks.map((/** @type {any} */ lack) =>
        html`<div>${counted(lack.pes, cluster.unit)} fewer, ${formatRange(lack.start, lack.end, zone())}</div>`);
    }
    return !each.to ? html`<span class="state state-FAILED">would fail</span>` : isSame(each) ? "the same time" : times(each.to);
  };
  const places = (/** @type {any[] | undefined} */ parts) => [...new Set((parts ?? []).map((part) => named(cluster, part.peIds)).filter(Boolean))].join(", ");
  const nodes = (/** @type {any} */ each) => each.lacks ? places(each.lacks) && `without ${places(each.lacks)}`
    : [places(each.from), each.to && places(each.to)].filter(Boolean).join(" → ");
  const columns = [
    { head: "Reservation", cell: (/** @type {any} */ each) => html`<${ReservationLink} api=${api} id=${each.reservation} />` },
    { head: "Owner", cell: (/** @type {any} */ each) => html`<${Own}>${each.owner}<//>` },
    ...(lines.some((each) => each.from) ? [{ head: "Now", cell: (/** @type {any} */ each) => times(each.from ?? []) }] : []),
    { head: "After it", cell: after },
    ...(lines.some(nodes) ? [{ head: cluster.peNames ? "Nodes" : `${cluster.unit ?? "PE"}s by number`, cell: nodes }] : []),
    { head: "Credit", isNumber: true, cell: (/** @type {any} */ each) => (each.credit ? formatMoney(each.credit) : "") },
  ];
  return html`
    <p class="note">${effectsText(effects, cluster.unit)}</p>
    ${lines.length > 0 && html`<${Table} caption="Reservations that would move, fail or lose PEs" name="effects" columns=${columns} rows=${lines}
      keyOf=${(/** @type {any} */ each) => each.reservation} />`}`;
}
