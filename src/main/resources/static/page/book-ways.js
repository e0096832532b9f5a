import { durationSeconds, iso, isoDuration, now, speed } from "./time.js";

/** Returns how long a place is held before it is confirmed: five minutes of the browser's clock. */
export function hold() {
  return isoDuration(300 * speed());
}

/** A hold must end before its start, so a run that begins sooner is booked without one. Returns milliseconds. */
function atOnce() {
  return 60_000 * speed();
}

/**
 * @typedef {{price: any, until: number | null, terms: any, start?: string, isTooDear: boolean}} Way a way to book an offer, for its price;
 *   until: the deadline of a run that may move, null for one that stays; start: null for a run that begins at once
 */

/** Whether an offer begins too soon to be held. @param {{start: string}} offer */
export function isAtOnce(offer) {
  return Date.parse(offer.start) < now() + atOnce();
}

/**
 * Returns the one or two ways to book an offer, that for the lower price first.
 * @param {any} offer @param {import("./book-form.js").Want} want @param {any[]} clusters @returns {Way[]}
 */
export function waysOf(offer, want, clusters) {
  const cluster = clusters.find(({ id }) => id === offer.cluster);
  const [moving, staying] = [byMoving(offer, want, cluster), byStaying(offer, want, cluster)];
  const budget = want.terms.budget?.amount ?? Infinity;
  return [moving && moving.price.amount !== staying.price.amount && moving, staying].filter((each) => each !== null && each !== false)
    .map((each) => ({ ...each, isTooDear: Number(each.price.amount) > Number(budget) }));
}

/** Leaves the run its window; null if it has none. @param {any} offer @param {import("./book-form.js").Want} want @param {any} cluster */
function byMoving(offer, want, cluster) {
  const { until, terms } = windowOf(offer, want);
  const hasNoSlack = offer.kind === "ALTERNATIVE" && until <= Date.parse(offer.end);
  return isAtOnce(offer) || hasNoSlack ? null
    : { price: offer.price, until: latestEnd(offer, until, terms, cluster), terms: { ...terms, fixAfter: 1 }, start: offer.start };
}

/** Keeps the run in its place. @param {any} offer @param {import("./book-form.js").Want} want @param {any} cluster */
function byStaying(offer, want, cluster) {
  const price = offer.fixedPrice ?? offer.price;
  const { deadline: _, readyTime: __, mobility: ___, ...terms } = want.terms;
  if (cluster?.tariff?.function === "NETTO_BUYYA_2007") {
    // this price depends on the deadline even if the place is final
    return { price, until: null, terms: { ...windowOf(offer, want).terms, fixAfter: 0 }, start: isAtOnce(offer) ? undefined : offer.start };
  }
  // the start of a run that begins at once is past when the request arrives
  return isAtOnce(offer) ? { price, until: null, terms: { ...terms, deadline: iso(Date.parse(offer.end) + atOnce()), fixAfter: 0 } }
    : { price, until: null, terms, start: offer.start };
}

/** Returns the window that goes along with an offer: another one than asked for, if the offer lies outside. @param {any} offer @param {import("./book-form.js").Want} want */
function windowOf(offer, want) {
  return offer.kind === "ALTERNATIVE"
    ? { until: Date.parse(offer.deadline), terms: { ...want.terms, readyTime: offer.start, deadline: offer.deadline } }
    : { until: want.end, terms: want.terms };
}

/**
 * Returns when a run ends at the latest, however it is moved.
 * @param {{end: string}} placed @param {number} deadline @param {any} terms @param {any} cluster
 */
export function latestEnd(placed, deadline, terms, cluster) {
  const shifts = [terms.mobility?.maxShift, cluster?.policy?.maxShift].filter(Boolean);
  return Math.min(deadline, ...shifts.map((each) => Date.parse(placed.end) + durationSeconds(each) * 1000));
}
