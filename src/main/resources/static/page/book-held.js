import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { SIDES, sidesOf } from "./approvals.js";
import { placeText } from "./book-offers.js";
import { latestEnd } from "./book-ways.js";
import { formatMoney } from "./money.js";
import { formatDuration, formatInstant, formatRange, now } from "./time.js";
import { Facts, html, Own } from "./ui.js";
import { counted } from "./units.js";
import { address, zone } from "./url.js";

/**
 * What was done last, or what is to be confirmed.
 * @typedef {{is: "at-once", run: any, body: any} | {is: "booked", reservation: any} | {is: "waits", request: any}} Said
 *   run: what will become a reservation; body: the request that books it
 */

/** @param {{run: any, until: number | null, known: import("./book-form.js").Known}} its everything that the user confirms */
function Terms({ run, until, known }) {
  const isProject = known.projects.some(({ id }) => id === run.project);
  return html`<${Facts} all=${[
    ["Cluster", run.cluster],
    ["Size", counted(run.placement.pes, known.clusters.find(({ id }) => id === run.cluster)?.unit)],
    ["When", formatRange(run.placement.start, run.placement.end, zone())],
    ["Place", placeText(until)],
    ["Price", html`<strong>${formatMoney(run.price)}</strong>`],
    ["Name", run.name && html`<${Own}>${run.name}<//>`],
    ["For", run.owner !== known.me.name && html`<${Own}>${run.owner}<//>`],
    ["Project", run.project && html`<${Own}>${run.project}<//>${!isProject && " (only a label)"}`],
  ]} />`;
}

/** Has the focus when it appears, unless the user writes: its buttons would take the next key. @param {{children?: any}} its */
function Heading({ children }) {
  const heading = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    if (!document.activeElement?.matches("input, select, textarea")) {
      heading.current.focus();
    }
  }, []);
  return html`<h2 tabindex="-1" ref=${heading}>${children}</h2>`;
}

/** @param {{isBusy: boolean, isOver?: boolean, word?: string, confirm: () => void, letGo: () => void}} its */
function Answer({ isBusy, isOver = false, word = "Confirm", confirm, letGo }) {
  return html`
    <p class="row">
      <button type="button" class="first" disabled=${isOver} aria-disabled=${isBusy ? "true" : null} onclick=${confirm}>${word}</button>
      <button type="button" disabled=${isOver} aria-disabled=${isBusy ? "true" : null} onclick=${letGo}>Let it go</button>
    </p>`;
}

/**
 * A held reservation.
 * @param {{held: any, offeredFor: any, needsApproval: boolean, known: import("./book-form.js").Known, isBusy: boolean, confirm: () => void, letGo: () => void, over: () => void}} its
 *   offeredFor: the price on the button; needsApproval: by the rules of the cluster. Who else must approve shows once it is confirmed
 */
export function Held({ held, offeredFor, needsApproval, known, isBusy, confirm, letGo, over }) {
  const seconds = () => Math.floor((Date.parse(held.holdExpiresAt) - now()) / 1000);
  const left = useSignal(seconds());
  const isOver = left.value < 0;
  useEffect(() => {
    const ticking = setInterval(() => {
      left.value = seconds();
    }, 1000);
    return () => clearInterval(ticking);
  }, []);
  useEffect(() => {
    if (isOver) {
      over();
    }
  }, [isOver]);
  const cluster = known.clusters.find(({ id }) => id === held.cluster);
  const until = held.scenario === "STRICT" || held.fixedAt <= held.createdAt ? null
    : latestEnd(held.placement, Date.parse(held.terms.deadline), held.terms, cluster);
  return html`
    <section class="panel">
      <${Heading}>Held for you<//>
      <${Terms} run=${held} until=${until} known=${known} />
      ${offeredFor.amount !== held.price.amount && html`
        <p class="note">The price was ${formatMoney(offeredFor)} when it was offered. It depends on the time that is left until the start.</p>`}
      ${needsApproval && html`<p class="note">It needs the approval of ${SIDES.CLUSTER}. It keeps its place until they answer.</p>`}
      <p>${isOver ? "The hold is over; the slot is free again." : `You have ${formatDuration(left.value)} to ${needsApproval ? "ask for it" : "confirm it"}.`}</p>
      <${Answer} isBusy=${isBusy} isOver=${isOver} word=${needsApproval ? "Ask for approval" : "Confirm"} confirm=${confirm} letGo=${letGo} />
    </section>`;
}

/** Returns what has become of a request. @param {any} reservation */
export function bookedText({ state, approval, price }) {
  return state === "PENDING" && approval ? `It keeps its place for ${formatMoney(price)}, and waits until ${formatInstant(approval.expiresAt, zone())} for the approval of ${sidesOf(approval)}.`
    : `Booked for ${formatMoney(price)}.`;
}

/** @param {{said: Said, known: import("./book-form.js").Known, isBusy: boolean, confirm: () => void, letGo: () => void}} its */
export function Done({ said, known, isBusy, confirm, letGo }) {
  if (said.is === "at-once") {
    return html`
      <section class="panel">
        <${Heading}>It begins at once<//>
        <${Terms} run=${said.run} until=${null} known=${known} />
        <${Answer} isBusy=${isBusy} confirm=${confirm} letGo=${letGo} />
      </section>`;
  }
  const made = said.is === "booked" ? said.reservation : said.request;
  return html`<p class="note">
    ${said.is === "booked" ? bookedText(made) : `It waits for room on ${made.cluster}, as number ${made.rank} there.`} <a class="button" href=${address("reservation", { id: made.id })}>Show it</a>
  </p>`;
}
