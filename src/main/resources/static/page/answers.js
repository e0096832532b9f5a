import { formatMoney } from "./money.js";
import { Link, nameOf } from "./runs.js";
import { formatDuration, formatInstant, formatRange } from "./time.js";
import { Failed, html, useChange } from "./ui.js";
import { zone } from "./url.js";

/** Offers of other terms that wait for an answer. @param {{all: any[], api: import("./api.js").Api}} its */
export function Proposals({ all, api }) {
  return all.length > 0 && html`
    <section class="note">
      <h2>Offers that wait for your answer</h2>
      <ul class="plain">${all.map((each) => html`<${Proposal} key=${`${each.id} ${each.proposal.number}`} each=${each} api=${api} />`)}</ul>
    </section>`;
}

/** @param {{each: any, api: import("./api.js").Api}} its */
function Proposal({ each, api }) {
  // the row stays until the list is read again
  const { isBusy, isDone, problem, run } = useChange();
  const { number, incentive, expiresAt, terms } = each.proposal;
  const answer = (/** @type {string} */ word) => run(() =>
    api.post(`/reservations/${each.id}/renegotiations/${number}/${word}`, undefined, { isOnce: true, ifMatch: `"${each.version}"` }));
  return html`
    <li class="row">
      <span><${Link} each=${each} />: ${formatMoney(incentive)} off the price if it may run within ${formatRange(terms.readyTime, terms.deadline, zone())
        }${terms.duration && terms.duration !== each.terms.duration && `, for ${formatDuration(terms.duration)}`}. It is planned for ${
        formatRange(each.placement.start, each.placement.end, zone())}. The offer stands until ${formatInstant(expiresAt, zone())}.</span>
      <button type="button" disabled=${isBusy || isDone} aria-label=${`Accept the offer for ${nameOf(each)}`} onclick=${answer("accept")}>Accept</button>
      <button type="button" class="quiet" disabled=${isBusy || isDone} aria-label=${`Decline the offer for ${nameOf(each)}`} onclick=${answer("decline")}>Decline</button>
      <${Failed} why=${problem} />
    </li>`;
}

/** A button to confirm what is held. @param {{each: any, context: import("./main.js").Context}} its */
export function Confirm({ each, context: { api, account } }) {
  const { isBusy, isDone, problem, run } = useChange();
  return each.state === "HELD" && each.owner === account.name && html`
    <button type="button" disabled=${isBusy || isDone} aria-label=${`Confirm ${nameOf(each)}`} onclick=${() => run(() => api.post(`/reservations/${each.id}/confirm`, undefined, { isOnce: true }))}>Confirm</button>
    <${Failed} why=${problem} />`;
}
