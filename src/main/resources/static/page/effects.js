import { bdi, h, table } from "./dom.js";
import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { formatDuration, formatRange } from "./time.js";
import { address } from "./url.js";

const says = texts.plan;
/** The most lines to show. A note above gives their number. */
const MOST = 200;

/**
 * Returns a summary of a dry run.
 * @param {any} effects
 */
export function effectsText(effects) {
  const { moved, failed, losing, credits, requeued } = effects;
  return [
    moved + failed === 0 ? losing === 0 && says.harmless : says.effects(moved, failed, credits.map(formatMoney).join(", ")),
    losing > 0 && says.losing(losing),
    requeued > 0 && says.requeued(requeued),
    effects.named.truncated && says.moreEffects,
  ].filter(Boolean).join(" ");
}

/**
 * Returns what a place would cost others; empty if it costs them nothing, or if that is not known.
 * @param {any} effects
 */
export function othersText(effects) {
  const { moved = 0, jobsDelayed = 0, largestShift } = effects ?? {};
  return [
    moved > 0 && says.wouldMove(moved, formatDuration(largestShift)),
    jobsDelayed > 0 && says.wouldDelay(jobsDelayed),
  ].filter(Boolean).join(", ");
}

/**
 * Shows the effects of a dry run: the failures with their credits, the lost PEs, and the moves.
 * @param {any} effects
 * @param {import("./time.js").Zone} zone
 */
export function effects(effects, zone) {
  const { moved, failed, losing } = effects.named;
  const place = (/** @type {any[]} */ parts) => parts.map((part) => h("div", null, formatRange(part.start, part.end, zone)));
  const lacking = (/** @type {any[]} */ lacks) => lacks.length === 0 ? says.replaced
    : lacks.map((lack) => h("div", null, says.lacking(lack.pes, formatRange(lack.start, lack.end, zone))));
  const line = (/** @type {any} */ each) => [
    h("a", { href: address("reservation", { id: each.reservation }) }, each.reservation.slice(-6)),
    bdi(each.owner),
    each.from ? place(each.from) : "",
    each.lacks ? lacking(each.lacks) : each.to ? place(each.to) : h("span", { class: "state state-FAILED" }, says.wouldFail),
    each.credit ? formatMoney(each.credit) : "",
  ];
  const lines = [...failed, ...losing, ...moved].slice(0, MOST).map(line);
  return h(
    "div",
    null,
    h("p", { class: "note" }, effectsText(effects)),
    lines.length > 0 && table(says.effectsTable, [says.reservation, says.owner, says.now, says.then, says.credit], lines),
  );
}
