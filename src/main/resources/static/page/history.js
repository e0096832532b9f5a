import { h } from "./dom.js";
import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { formatInstant, formatRange } from "./time.js";

const HEIGHT = 44;
const says = texts.reservation;
/** The events of a run that loses PEs or gets some back. */
const LOSSES = new Set(["losing", "replaced", "degraded", "restored"]);

/**
 * Makes a line of a reservation's history. A move shows its reason, and the old place as a ghost.
 * @param {any} event
 * @param {any} before the previous event, or null
 * @param {import("./time.js").Zone} zone
 */
export function historyLine(event, before, zone) {
  const { move, price, placement, proposal, credit, losses, nearestPlace } = event.data;
  const priceBefore = before?.data.price?.amount;
  const details = [
    move ? says.moved(texts.reasons[move.why]) : texts.events[event.type] ?? event.type,
    placement && !move && event.type !== "proposed" && formatRange(placement.start, placement.end, zone),
    price && price.amount !== priceBefore && formatMoney(price),
    LOSSES.has(event.type) && losses?.lacks.length > 0 && says.without(lacks(losses, zone)),
    nearestPlace && `${says.nearestPlace} ${formatRange(nearestPlace.start, nearestPlace.end, zone)}`,
    credit && `${says.credit} ${formatMoney(credit)}`,
    proposal && says.incentive(formatMoney(proposal.incentive)),
  ].filter(Boolean).join(", ");
  return h(
    "li",
    null,
    h("span", { class: "muted" }, formatInstant(event.at, zone)), h("br"),
    details,
    move && moved(move, zone),
  );
}

/**
 * Returns the PEs that a run lacks, and when; empty if it lacks none.
 * @param {any} losses
 * @param {import("./time.js").Zone} zone
 */
export function lacks(losses, zone) {
  const lack = (/** @type {any} */ each) =>
    says.lack(each.peIds ? `${each.pes} (${each.nodes ?? each.peIds})` : each.pes, formatRange(each.start, each.end, zone));
  return losses.lacks.map(lack).join("; ");
}

/** @param {{from: any[], to: any[]}} move @param {import("./time.js").Zone} zone */
function moved({ from, to }, zone) {
  const canvas = h("canvas", { "aria-hidden": "true" });
  canvas.style.height = `${HEIGHT}px`;
  const all = [...from, ...to];
  const first = Math.min(...all.map((part) => Date.parse(part.start)));
  const last = Math.max(...all.map((part) => Date.parse(part.end)));
  const draw = () => {
    const scale = devicePixelRatio || 1;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = HEIGHT * scale;
    const context = canvas.getContext("2d");
    if (!context) {
      return;
    }
    const style = getComputedStyle(canvas);
    const x = (/** @type {string} */ when) => ((Date.parse(when) - first) / (last - first)) * (canvas.clientWidth - 4) + 2;
    context.scale(scale, scale);
    context.strokeStyle = style.getPropertyValue("--muted");
    context.fillStyle = style.getPropertyValue("--confirmed");
    context.setLineDash([4, 3]);
    from.forEach((part) => context.strokeRect(x(part.start), 4, Math.max(3, x(part.end) - x(part.start)), 14));
    to.forEach((part) => context.fillRect(x(part.start), 24, Math.max(3, x(part.end) - x(part.start)), 14));
  };
  new ResizeObserver(draw).observe(canvas);
  const place = (/** @type {any[]} */ parts) => formatRange(parts[0].start, parts[parts.length - 1].end, zone);
  return h("div", null, canvas, h("p", { class: "muted" }, `${says.was} ${place(from)}, ${says.is} ${place(to)}`));
}
