import { useSignal } from "@preact/signals";
import { isAtOnce, waysOf } from "./book-ways.js";
import { othersText } from "./effects.js";
import { formatMoney } from "./money.js";
import { formatBare, formatRange } from "./time.js";
import { Choices, html, Icon } from "./ui.js";
import { counted } from "./units.js";
import { change, params, zone } from "./url.js";

const FEW = 6;

/** @typedef {import("./book-ways.js").Way} Way */

/** Returns the chosen order of the offers. */
export function orderOf() {
  return params().get("order") ?? "EARLIEST_START";
}

/** The choice of their order. @param {{slots: any[]}} its */
export function Order({ slots }) {
  const order = orderOf();
  // without batch jobs every place has the same availability
  const hasBest = order === "BEST_AVAILABILITY" || slots.some((each) => each.availability < 1);
  return html`<${Choices} label="Order of the offers" value=${order} choose=${(/** @type {string} */ value) => change({ order: value }, { replace: true })}
    options=${[["EARLIEST_START", "Soonest"], ["LOWEST_PRICE", "Cheapest"], ...(hasBest ? [["BEST_AVAILABILITY", "Best fit"]] : [])]} />`;
}

/** Says whether and until when a run may be moved. @param {number | null} until */
export function placeText(until) {
  return until === null ? "stays at this time" : `may still move, ends by ${formatBare(until, zone())}`;
}

/**
 * The offers, each on a line with a button for each price; equal ones of several clusters are one.
 * @param {{slots: any[], want: any, clusters: any[], isOld: boolean, isBusy: boolean, take: (offer: any, way: Way) => void}} its
 *   isOld: they belong to an earlier request
 */
export function Offers({ slots, want, clusters, isOld, isBusy, take }) {
  const isAll = useSignal(false);
  const groups = groupsOf(slots);
  const shown = isAll.value ? groups : groups.slice(0, FEW);
  return html`
    <ul class=${isOld ? "offers old" : "offers"}>${shown.map(([offer, ...equals]) => html`
      <${Offer} key=${`${offer.cluster} ${offer.start} ${offer.end} ${offer.pes}`} offer=${offer} equals=${equals} want=${want} clusters=${clusters}
        isOld=${isOld} isBusy=${isBusy} isChosen=${offer.chosenByPolicy && slots.length > 1} take=${take} />`)}</ul>
    ${shown.length < groups.length && html`<p><button type="button" class="quiet" onclick=${() => { isAll.value = true; }}>Show ${groups.length - shown.length} more</button></p>`}
    ${slots.length > 1 && slots.some((each) => each.chosenByPolicy) && html`
      <p class="muted small"><${Icon} name="circle-check" /> Berth’s choice: the place that the run gets on its cluster if you leave the choice to Berth.</p>`}`;
}

/** @param {any[]} slots @returns {any[][]} */
function groupsOf(slots) {
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const slot of slots) {
    const { start, end, pes, price, fixedPrice, parts, kind } = slot;
    // a run that begins at once begins a second later on the clusters that were asked last
    const key = JSON.stringify([start.slice(0, 16), end.slice(0, 16), pes, price, fixedPrice, parts.length, kind, othersText(slot.effects)]);
    const group = groups.get(key)?.filter(({ cluster }) => cluster !== slot.cluster) ?? [];
    groups.set(key, slot.chosenByPolicy && !group[0]?.chosenByPolicy ? [slot, ...group] : [...group, slot]);
  }
  return [...groups.values()];
}

/** An offer, with the equal ones of other clusters. @param {any} its */
export function Offer({ offer, equals, want, clusters, isOld, isBusy, isChosen, take }) {
  const unit = clusters.find((/** @type {any} */ { id }) => id === offer.cluster)?.unit;
  return html`
    <li class=${isChosen ? "offer chosen" : "offer"}>
      <p><strong class="nowrap">${formatRange(offer.start, offer.end, zone())}</strong><br />
        ${offer.cluster}${equals.length > 0 && html` <span title=${equals.slice(0, 50).map((/** @type {any} */ { cluster }) => cluster).join(", ")}>+ ${equals.length} ${equals.length === 1 ? "cluster" : "clusters"}</span>`} · <${Notes} offer=${offer} unit=${unit} />
        ${isChosen && html` · <span class="nowrap"><${Icon} name="circle-check" /> Berth’s choice</span>`}</p>
      <div class="ways">${waysOf(offer, want, clusters).map((way) => html`
        <button key=${String(way.until === null)} type="button" disabled=${way.isTooDear || isOld || isAtOnce(offer) && offer.needsApproval} aria-disabled=${isBusy ? "true" : null} onclick=${() => take(offer, way)}>
          <span class="big">${formatMoney(way.price)}</span>
          <span class="small">${isAtOnce(offer) ? offer.needsApproval ? "cannot begin at once" : "begins at once" : placeText(way.until)}${way.isTooDear && ", above your budget"}</span>
        </button>`)}</div>
    </li>`;
}

/** What else is to know of a place. @param {{offer: any, unit?: string}} its */
function Notes({ offer, unit }) {
  return [
    counted(offer.pes, unit),
    offer.parts.length > 1 && `in ${offer.parts.length} parts`,
    offer.availability < 1 && `availability ${Math.round(offer.availability * 100)} %`,
    offer.kind === "ALTERNATIVE" && "outside the window",
    offer.needsApproval && "needs approval",
    othersText(offer.effects),
  ].filter(Boolean).join(" · ");
}
