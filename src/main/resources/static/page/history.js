import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { formatInstant, formatRange } from "./time.js";
import { html } from "./ui.js";
import { counted } from "./units.js";
import { zone } from "./url.js";

/** The events of a run that loses PEs or gets some back. */
const LOSSES = new Set(["losing", "replaced", "degraded", "restored"]);

/** What happened to a reservation, the newest first. @param {{events: any[], unit?: string}} its the oldest first */
export function History({ events, unit }) {
  return html`<ol class="history">${events.map((event, i) => html`<${Line} key=${event.sequence} event=${event} before=${events[i - 1]} unit=${unit} />`).reverse()}</ol>`;
}

/** @param {{event: any, before: any, unit?: string}} its before: the previous event */
function Line({ event, before, unit }) {
  const { move, price, placement, proposal, credit, losses, nearestPlace } = event.data;
  return html`
    <li>
      <span class="muted">${formatInstant(event.at, zone())}</span><br />
      ${[
        move ? `moved ${texts.reasons[move.why]}` : texts.events[event.type] ?? event.type,
        placement && !move && event.type !== "proposed" && formatRange(placement.start, placement.end, zone()),
        price && price.amount !== before?.data.price?.amount && formatMoney(price),
        LOSSES.has(event.type) && losses?.lacks.length > 0 && `without ${lacksText(losses, unit)}`,
        nearestPlace && `nearest place that fits: ${formatRange(nearestPlace.start, nearestPlace.end, zone())}`,
        credit && `${formatMoney(credit)} credited`,
        proposal && `accepting takes ${formatMoney(proposal.incentive)} off the price`,
      ].filter(Boolean).join(", ")}
      ${move && html`<${Moved} move=${move} />`}
    </li>`;
}

/** Returns the PEs that a run lacks, and when; empty if it lacks none. @param {any} losses @param {string} [unit] */
export function lacksText(losses, unit) {
  return losses.lacks.map((/** @type {any} */ each) => {
    const which = each.peIds ? ` (${each.nodes ?? each.peIds})` : "";
    return `${counted(each.pes, unit)}${which}, ${formatRange(each.start, each.end, zone())}`;
  }).join("; ");
}

/** The old place of a run above the new one. @param {{move: {from: any[], to: any[]}}} its */
function Moved({ move: { from, to } }) {
  const all = [...from, ...to];
  const first = Math.min(...all.map((part) => Date.parse(part.start)));
  const length = Math.max(...all.map((part) => Date.parse(part.end))) - first;
  const share = (/** @type {number} */ time) => `${(100 * time) / length}%`;
  const bars = (/** @type {any[]} */ parts) => html`<div>${parts.map(({ start, end }) => html`
    <i key=${start} style=${{ left: share(Date.parse(start) - first), width: share(Date.parse(end) - Date.parse(start)) }}></i>`)}</div>`;
  const place = (/** @type {any[]} */ parts) => formatRange(parts[0].start, parts[parts.length - 1].end, zone());
  return html`
    <div class="move" aria-hidden="true">${bars(from)}${bars(to)}</div>
    <p class="muted">was ${place(from)}, is now ${place(to)}</p>`;
}
