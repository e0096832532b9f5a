import { useSignal } from "@preact/signals";
import { formatMoney } from "./money.js";
import { DURATION_WRONG, durationSeconds, formatDuration, formatInstant, formatRange, isoDuration, now } from "./time.js";
import { useTrial } from "./trial.js";
import { ask, bound, Failed, Field, html, useChange } from "./ui.js";
import { zone } from "./url.js";

/**
 * @typedef {{api: import("./api.js").Api, path: string, present: {body: any, etag: string | null}, unit?: string, again: () => void}} Its
 *   path: of the reservation; again: reads it again
 */

/** Changes a reservation, which must be as it is shown. @param {Its} its */
function useAct({ api, path, present, again }) {
  const change = useChange();
  const act = async (/** @type {string} */ what, /** @type {unknown} */ body = undefined) => {
    const isDone = await change.run(() => api.post(`${path}/${what}`, body, { isOnce: true, ifMatch: present.etag }));
    // what refused it may be a change that is not shown yet
    again();
    return isDone;
  };
  return { ...change, act };
}

/** What the provider proposes. @param {Its} its */
export function Proposal(its) {
  const { proposal } = its.present.body;
  const { act, problem, isBusy } = useAct(its);
  return html`
    <section class="panel">
      <h2>The operator offers other terms</h2>
      <p>Accepting takes ${formatMoney(proposal.incentive)} off the price. The offer stands until ${formatInstant(proposal.expiresAt, zone())}.</p>
      <p>Window: ${formatRange(proposal.terms.readyTime, proposal.terms.deadline, zone())}, ${formatDuration(proposal.terms.duration ?? 0)}</p>
      <p class="row">
        <button type="button" class="first" disabled=${isBusy} onclick=${() => act(`renegotiations/${proposal.number}/accept`)}>Accept</button>
        <button type="button" disabled=${isBusy} onclick=${() => act(`renegotiations/${proposal.number}/decline`)}>Decline</button>
      </p>
      <${Failed} why=${problem} />
    </section>`;
}

/** What can be done with a reservation. @param {Its & {isOwner: boolean, isAdmin: boolean}} its */
export function Actions({ isOwner, isAdmin, ...its }) {
  const { api, path, present } = its;
  const { state, claimBy, movable } = present.body;
  const { act, isDone, problem } = useAct(its);
  const asking = useChange();
  const done = (/** @type {string} */ what) => {
    asking.refuse(null);
    return act(what);
  };
  const sure = (/** @type {string} */ what, /** @type {string} */ question, /** @type {string} */ yes) => asking.run(async () => {
    if (await ask(`${question} ${await owed(api, path, what)}`, yes, "No")) {
      await done(what);
    }
  });
  const fix = () => asking.run(async () => {
    const { body } = await api.post(`${path}/fix`, { dryRun: true });
    if (await ask(`It can no longer be moved and costs ${formatMoney(body.after.price)}.`, "Make its place final", "No")) {
      await done("fix");
    }
  });
  const canExtend = isOwner && ["CONFIRMED", "RUNNING"].includes(state);
  const isOneRun = !present.body.series && !present.body.mirrored && ["HELD", "CONFIRMED", "RUNNING"].includes(state);
  const mayHandOver = isOneRun && (isAdmin || isOwner && present.body.project);
  const canCancel = ["HELD", "CONFIRMED", "PENDING", "WAITING"].includes(state);
  return (canExtend || canCancel || state === "RUNNING" || isDone) && html`
    <section class="panel">
      <h2>What you can do</h2>
      <p class="row">
        ${state === "HELD" && html`<button type="button" class="first" onclick=${() => done("confirm")}>Confirm</button>`}
        ${state === "RUNNING" && claimBy && html`<button type="button" class="first" onclick=${() => done("claim")}>Claim it</button>`}
        ${state === "CONFIRMED" && movable && html`<button type="button" onclick=${fix}>Make its place final</button>`}
        ${state === "RUNNING" && html`<button type="button" class="harm" onclick=${() => sure("complete", "End the run now? Its PEs become free for others.", "End it now")}>End it now</button>`}
        ${canCancel && html`<button type="button" class="harm" onclick=${() => sure("cancel", "Cancel this reservation? Its slot becomes free for others.", "Cancel it")}>Cancel it</button>`}
      </p>
      <div aria-live="polite">
        <${Failed} why=${asking.problem ?? problem} />
        ${isDone && !asking.problem && html`<p class="note">Done.</p>`}
      </div>
      ${canExtend && html`<${Extend} ...${its} />`}
      ${mayHandOver && html`<${HandOver} ...${its} />`}
    </section>`;
}

/** Gives the reservation another owner. @param {Its} its */
function HandOver(its) {
  const to = useSignal("");
  const done = useSignal("");
  const { act, problem, error, isBusy } = useAct(its);
  const handOver = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const account = to.value.trim();
    if (account && await ask(`Hand it over to ${account}? Its terms and its price stay.`, "Hand it over", "No")) {
      done.value = await act("transfer", { account }) ? account : "";
    }
  };
  return html`
    <details>
      <summary>Hand over</summary>
      <form onsubmit=${handOver}>
        <div class="row">
          <${Field} label="To the account" hint=${its.present.body.project ? "An owner or member of its project." : ""} error=${error("account")}><input name="account" autocomplete="off" ...${bound(to)} /><//>
        </div>
        <div aria-live="polite">
          <${Failed} why=${problem} />
          ${done.value && html`<p class="note">It belongs to ${done.value} now.</p>`}
        </div>
        <p><button disabled=${!to.value.trim() || isBusy}>Hand it over</button></p>
      </form>
    </details>`;
}

/**
 * Says what the owner would owe after an action, and until when a cancellation is free.
 * @param {import("./api.js").Api} api @param {string} path @param {string} what
 */
async function owed(api, path, what) {
  try {
    const { before, after } = (await api.post(`${path}/${what}`, { dryRun: true })).body;
    return !before.price ? "" : [
      Number(after.price.amount) === 0 ? "You owe nothing." : `You owe ${formatMoney(after.price)} of ${formatMoney(before.price)}.`,
      after.returnCredit && `${formatMoney(after.returnCredit)} is taken off for the time that you return.`,
      what === "cancel" && before.lateCancellationCharge && before.freeCancellationUntil
        && `Cancelling ${Date.parse(before.freeCancellationUntil) > now() ? "is" : "was"} free until ${formatInstant(before.freeCancellationUntil, zone())}.`,
    ].filter(Boolean).join(" ");
  } catch {
    // such as a reservation at another Berth, which cannot be tried
    return "What you would owe is not known.";
  }
}

/** Makes a run longer. @param {Its} its */
function Extend(its) {
  const { api, path, present } = its;
  const by = useSignal("");
  const atLeast = useSignal("");
  const { act, problem, error, isBusy } = useAct(its);
  const [wanted, least] = [by, atLeast].map(({ value }) => (value.trim() ? durationSeconds(value) : 0));
  const wrong = (/** @type {number} */ seconds) => Number.isNaN(seconds) ? DURATION_WRONG : "";
  const body = wanted > 0 && !Number.isNaN(least) ? { by: isoDuration(wanted), ...(least && { atLeast: isoDuration(least) }) } : null;
  const trial = useTrial((signal) => api.post(`${path}/extend`, { ...body, dryRun: true }, { signal }), body && JSON.stringify([body, present.body.version]));
  const after = trial.result?.body.after;
  const errorOf = (/** @type {string} */ name) => error(name) || trial.problem?.errors.find((/** @type {any} */ { field }) => field === name)?.message;
  const extend = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const sent = [by.value, atLeast.value];
    if (after && await act("extend", body) && by.value === sent[0] && atLeast.value === sent[1]) {
      by.value = atLeast.value = "";
    }
  };
  return html`
    <form onsubmit=${extend}>
      <h3>Extend</h3>
      <div class="row">
        <${Field} label="By" hint="Such as 2h, 90 min or 1h30." error=${wrong(wanted) || errorOf("by")}><input name="by" autocomplete="off" ...${bound(by)} /><//>
        <${Field} label="At least" hint="Leave empty for all or nothing." error=${wrong(least) || errorOf("atLeast")}><input name="atLeast" autocomplete="off" ...${bound(atLeast)} /><//>
      </div>
      <div aria-live="polite">
        <${Failed} why=${problem ?? trial.problem} />
        ${after && html`<p class="note">It would end ${formatInstant(after.placement.end, zone())}, for ${formatMoney(after.price)}.</p>`}
      </div>
      <p><button disabled=${!after || isBusy}>Extend it</button></p>
    </form>`;
}
