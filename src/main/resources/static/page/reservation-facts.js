import { Asked } from "./approvals.js";
import { lacksText } from "./history.js";
import { formatMoney } from "./money.js";
import { durationSeconds, formatDate, formatDuration, formatInstant, formatRange, now } from "./time.js";
import { Facts, html, Own, useTicks } from "./ui.js";
import { counted, unitsTitle } from "./units.js";
import { address, zone } from "./url.js";

/** @type {Record<string, string>} */
const ENFORCED = { PENDING: "not in place yet", MATERIALISED: "in place", DRIFTED: "not as promised", FAILED: "cannot be put in place" };

/** What is known of a reservation. @param {{body: any, unit?: string}} its */
export function Known({ body, unit = "PE" }) {
  useTicks();
  const { placement, terms, losses, enforcement } = body;
  const hours = (/** @type {number} */ seconds) => `${(seconds / 3600).toFixed(2)} ${unit}-hours, which are not owed`;
  const range = (/** @type {any} */ part) => html`<div key=${part.start}>${formatRange(part.start, part.end, zone())}</div>`;
  return html`<${Facts} all=${[
    ["Planned for", placement && html`<strong>${formatRange(placement.start, placement.end, zone())}</strong>${leftText(body)}`],
    ["In parts", placement?.parts.length > 1 && placement.parts.map(range)],
    ["Size", placement && `${counted(placement.pes, unit)}${placement.peIds ? ` (${placement.nodes ?? placement.peIds})` : ""}`],
    ["Price", html`<strong>${formatMoney(body.price)}</strong>`],
    ["Cancellation", body.state === "CONFIRMED" && cancellationText(body)],
    ["Cluster", body.cluster],
    ["Approval by", body.approval && html`<${Asked} body=${body} unit=${unit} />`],
    ["Expires without it", body.approval && body.state === "PENDING" && formatInstant(body.approval.expiresAt, zone())],
    ["Waits", body.rank && `as number ${body.rank} on its cluster`],
    ["Nearest place that fits", body.nearestPlace && html`${formatRange(body.nearestPlace.start, body.nearestPlace.end, zone())}<br /><${FindAgain} body=${body} />`],
    [`${unitsTitle(unit)} that it lacks`, losses && lacksText(losses, unit)],
    ["Lost so far", losses?.peSeconds > 0 && hours(losses.peSeconds)],
    [`${unitsTitle(unit)} that jobs of others have`, losses?.taken?.peIds && (losses.taken.nodes ?? losses.taken.peIds)],
    ["They took so far", losses?.taken?.peSeconds > 0 && hours(losses.taken.peSeconds)],
    ["Window", body.scenario !== "STRICT" && terms.deadline && formatRange(terms.readyTime, terms.deadline, zone())],
    ["Duration", terms.duration && formatDuration(terms.duration)],
    ["Run time here", placement && placement.runTime !== terms.duration && formatDuration(placement.runTime)],
    ["Place", body.state === "CONFIRMED" && placeText(body)],
    ["Moves", body.moves && (body.moves.count > 0 || body.movable) && movesText(body.moves)],
    ["On the machine", enforcement && ENFORCED[enforcement.state]],
    ["Its name there", enforcement?.handle && html`<code>${enforcement.handle}</code> ${enforcement.nodes ?? ""}`],
    ["Why it is not in place", enforcement?.detail],
    ["Claim it by", body.claimBy && formatInstant(body.claimBy, zone())],
    ["At most", terms.budget && formatMoney(terms.budget)],
    ["Credited", body.credit && formatMoney(body.credit)],
    ["Taken off for returned time", body.returnCredit && formatMoney(body.returnCredit)],
    ["Also taken off, if others book it", body.returnCreditOpen && `at most ${formatMoney(body.returnCreditOpen)}`],
    ["Project", body.project && html`<${Own}>${body.project}<//>`],
    ["Reserved by", body.assignment && !body.assignment.from && html`<${Own}>${body.assignment.by}<//>`],
    ["Handed over", body.assignment?.from && html`by <${Own}>${body.assignment.by}<//>, from <${Own}>${body.assignment.from}<//>`],
    ["Series", body.series && html`Its occurrence of ${formatDate(body.occurrence)}. <a href=${address("series", { id: body.series })}>All of the series</a>`],
    ["Owner", body.owner],
    ["For", body.users.join(", ")],
    ["Id", body.id],
  ]} />`;
}

/** @param {any} body */
function leftText({ state, placement }) {
  const [start, end] = [placement.start, placement.end].map((each) => Math.round((Date.parse(each) - now()) / 60_000) * 60);
  return state === "CONFIRMED" && start > 0 ? `, in ${formatDuration(start)}` : state === "RUNNING" && end > 0 ? `, ${formatDuration(end)} left` : "";
}

/** @param {any} body */
function cancellationText({ freeCancellationUntil: until, lateCancellationCharge: late, owesAtLeast: least }) {
  return !late ? "free until it begins"
    : !until ? `costs ${least && least.amount !== late.amount ? `${formatMoney(least)} to ` : ""}${formatMoney(late)}`
    : Date.parse(until) > now() ? `free until ${formatInstant(until, zone())}, then costs ${formatMoney(late)}`
    : `costs ${formatMoney(late)}, was free until ${formatInstant(until, zone())}`;
}

/** @param {any} body */
function placeText({ scenario, movable, fixedAt }) {
  return scenario === "STRICT" ? "stays at this time" : movable ? `may still move, until ${formatInstant(fixedAt, zone())}` : "final";
}

/** @param {any} moves */
function movesText({ count, left, from, to }) {
  return [
    count === 0 ? "not moved yet" : count === 1 ? "moved once" : `moved ${count} times`,
    left === null ? "may be moved again" : left === 0 ? "will not be moved for others" : left === 1 ? "may be moved once more" : `may be moved ${left} times more`,
    from && `within ${formatRange(from, to, zone())}`,
  ].filter(Boolean).join("; ");
}

/** A link to the search for a place like that of a reservation, from the nearest one on. @param {{body: any}} its */
function FindAgain({ body: { terms, cluster, nearestPlace, placement } }) {
  const { maxParts } = terms.preemption ?? {};
  const run = terms.duration ?? placement.runTime;
  const words = formatDuration(run);
  return html`<a href=${address("book", {
    pes: String(terms.pes ?? terms.maxPes ?? placement.pes),
    duration: durationSeconds(words) === durationSeconds(run) ? words : run,
    from: String(Date.parse(nearestPlace.start)),
    cluster,
    min: terms.minPes ? String(terms.minPes) : null,
    parts: maxParts ? String(maxParts) : null,
  })}>Find it again from then on</a>`;
}
