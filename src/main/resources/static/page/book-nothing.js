import { Offer } from "./book-offers.js";
import { othersText } from "./effects.js";
import { formatMoney } from "./money.js";
import { formatRange } from "./time.js";
import { Failed, html, Icon } from "./ui.js";
import { counted } from "./units.js";
import { zone } from "./url.js";

/** The most clusters that are offered to wait for. */
const FEW = 4;

/**
 * What is shown if nothing fits as asked: the reason, the nearest places and changes that would fit, and the waiting lists.
 * @param {{answer: import("./book-probe.js").Answer, change: (set: any) => void, waitAt: (cluster: string) => void} & Record<string, any>} its
 */
export function Nothing({ answer, change, waitAt, ...its }) {
  const { reason } = answer;
  const lines = [
    ...answer.slots.map((offer) => ({ distance: Math.abs(offer.phi ?? 0), shown: html`<${Offer} key=${offer.cluster + offer.start} offer=${offer} equals=${[]} want=${answer.want} ...${its} />` })),
    ...answer.changes.map((each) => ({ distance: each.distance, shown: html`<${Changed} key=${each.text} change=${each} clusters=${its.clusters} isOld=${its.isOld} act=${() => change(each.set)} />` })),
  ].sort((one, other) => one.distance - other.distance);
  const clusters = its.clusters.filter((/** @type {any} */ each) => !each.peer && each.pes >= (answer.want?.pes ?? 0) && (its.cluster || each.id) === each.id);
  return html`
    <p><strong>Nothing fits in this window.</strong> ${reason?.errors.map((/** @type {any} */ { message }) => message).join("; ") || (reason && reason.code !== "no-slot" && reason.detail)}</p>
    ${lines.length > 0 && html`<p>This would, the nearest first:</p><ul class=${its.isOld ? "offers old" : "offers"}>${lines.map(({ shown }) => shown)}</ul>`}
    ${reason?.code !== "never-fits" && !its.isWaiting && html`
      <p class="row">${clusters.length === 0 ? null : clusters.length > FEW ? "To have it booked when there is room, choose a cluster."
        : clusters.map((/** @type {any} */ { id }) => html`<button key=${id} type="button" disabled=${its.isOld} aria-disabled=${its.isBusy ? "true" : null} onclick=${() => waitAt(id)}>
          <${Icon} name="repeat" />Book when there is room${clusters.length > 1 && ` on ${id}`}</button>`)}</p>
      ${clusters.length > 0 && html`<p class="muted small">It waits until something is cancelled or ends early, and then costs what it costs at that time${answer.want?.terms.budget ? ", at most your budget" : ""}.</p>`}`}`;
}

/** A change of the form, with the offer that it would get. @param {any} its */
function Changed({ change: { text, offer, price, effects }, clusters, isOld, act }) {
  return html`
    <li class="offer">
      <p>${offer && html`<strong class="nowrap">${formatRange(offer.start, offer.end, zone())}</strong><br />
        ${offer.cluster} · ${counted(offer.pes, clusters.find((/** @type {any} */ { id }) => id === offer.cluster)?.unit)}<br />`}
        ${othersText(offer ? offer.effects : effects)}</p>
      <div class="ways"><button type="button" disabled=${isOld} onclick=${act}>
        ${price && html`<span class="big">${formatMoney(price)}</span>`}<span class="small"><strong>${text}</strong></span>
      </button></div>
    </li>`;
}

/** Why a booking was refused, with the changes that would fit. @param {{why: any, changes: import("./book-probe.js").Change[], change: (set: any) => void}} its */
export function Refused({ why, changes, change }) {
  return html`
    <${Failed} why=${why} />
    ${changes.length > 0 && html`<p class="row">This would fit: ${changes.map((each) => html`
      <button key=${each.text} type="button" onclick=${() => change(each.set)}>${[each.text, othersText(each.effects)].filter(Boolean).join(": ")}</button>`)}</p>`}`;
}
