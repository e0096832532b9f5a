import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatMoney } from "./money.js";
import { formatDuration } from "./time.js";
import { bound, Confirmed, Failed, Field, html, useChange, useTicks } from "./ui.js";
import { counted } from "./units.js";
import { address } from "./url.js";

/** @type {Record<string, string>} */
export const SIDES = { CLUSTER: "the cluster's approvers", PROJECT: "the owners of the project", POLICY: "the cluster's approvers, by the site's policy" };

/** The most reservations that the bar counts. */
const MOST = 100;
/** How many reservations the account may approve, such as "3"; "" if there are none. */
const count = signal("");

/**
 * Returns the reservations that the account may approve, and has the bar count them.
 * @param {import("./api.js").Api} api
 * @param {number} most
 */
export async function readToApprove(api, most) {
  const { items, next } = (await api.get("/reservations", { toApprove: "true", limit: most })).body;
  count.value = items.length > 0 ? `${items.length}${next ? "+" : ""}` : "";
  return items;
}

/**
 * A link to the reservations that the account may approve, if there are any. The streams of an approver do not have the events of others'
 * reservations, so it looks twice a minute.
 * @param {{api: import("./api.js").Api}} its
 */
export function ToApprove({ api }) {
  const turn = useTicks();
  useEffect(() => {
    if (!document.hidden) {
      readToApprove(api, MOST).catch(() => {});
    }
  }, [turn]);
  return count.value && html`<li><a href=${address("reservations", { tab: "approve" })}><span><span class="state state-PENDING">${count.value}</span> to approve</span></a></li>`;
}

/** Returns in words who must approve. @param {{asked: {by: string}[]}} approval */
export function sidesOf(approval) {
  return approval.asked.map(({ by }) => SIDES[by]).join(", and ");
}

/** Returns why a side must approve: the conditions of its rule, which all hold. @param {any} ask @param {string} unit @param {string} currency */
function whyText({ why, rule }, unit, currency) {
  /** @type {Record<string, (value: any) => string>} */
  const words = {
    pesAbove: (pes) => `more than ${counted(pes, unit)}`,
    peHoursAbove: (hours) => `more than ${counted(hours, `${unit}-hour`)}`,
    priceAbove: (amount) => `costs more than ${formatMoney({ amount, currency })}`,
    durationAbove: (duration) => `longer than ${formatDuration(duration)}`,
    leadBelow: (duration) => `asked for less than ${formatDuration(duration)} ahead`,
    serviceClass: (name) => `class ${name.toLowerCase()}`,
  };
  return why ?? Object.entries(rule ?? {}).map(([name, value]) => words[name]?.(value) ?? name).join(", ");
}

/** Who must approve and why, and what they said. @param {{body: any, unit: string}} its */
export function Asked({ body, unit }) {
  return body.approval.asked.map((/** @type {any} */ ask) => html`
    <div key=${ask.by}>${SIDES[ask.by]} (${whyText(ask, unit, body.price.currency)}): ${!ask.decidedBy ? body.state === "PENDING" ? "not yet" : "no answer"
      : `${body.reason === "DECLINED" ? "declined" : "approved"} by ${ask.decidedBy}${ask.reason ? `, “${ask.reason}”` : ""}`}</div>`);
}

/** Approves or declines a reservation that waits for it. @param {{id: string, name: string, api: import("./api.js").Api, again: () => unknown}} its */
export function Approve({ id, name, api, again }) {
  const { isBusy, isDone, problem, error, run } = useChange();
  const reason = useSignal("");
  const answer = async (/** @type {string} */ word) => {
    const said = reason.value.trim();
    await run(() => api.post(`/reservations/${id}/${word}`, said || word === "decline" ? { reason: said } : undefined, { isOnce: true }));
    readToApprove(api, MOST).catch(() => {});
    again();
  };
  return html`
    <${Field} label="Reason" hint="The owner reads it. Needed to decline." error=${error("reason")}><input name="reason" autocomplete="off" maxlength="120" ...${bound(reason)} /><//>
    <p class="row">
      <button type="button" class="first" disabled=${isBusy || isDone} aria-label=${`Approve ${name}`} onclick=${() => answer("approve")}>Approve</button>
      <${Confirmed} class="harm" disabled=${isBusy || isDone || !reason.value.trim()} aria-label=${`Decline ${name}`} question="Decline this reservation? Its slot becomes free for others." yes="Decline it" act=${() => answer("decline")}>Decline<//>
    </p>
    <${Failed} why=${problem} />`;
}
