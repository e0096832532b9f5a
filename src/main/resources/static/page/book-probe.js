import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { hold, waysOf } from "./book-ways.js";
import { durationSeconds, formatDuration, formatInstant, fromField, iso, isoDuration, toField } from "./time.js";
import { useTicks } from "./ui.js";
import { counted } from "./units.js";
import { zone } from "./url.js";

/** The least time between two probes, in milliseconds. */
const PAUSE = 100;
const MINUTE = 60_000;

/**
 * @typedef {import("./book-form.js").Want} Want
 * @typedef {{want: Want, order: string, cluster: string, known: import("./book-form.js").Known, unit: string}} Question cluster: empty for any
 * @typedef {{set: Partial<import("./book-form.js").Form>, patch: any, text: string, distance: number, effects: any}} Change a change of the form
 *   with which the run would fit; patch: the same of its terms; distance: in run times, or as large a part of the PEs
 * @typedef {{to: string, want: Want | null, slots: any[], changes: (Change & {offer: any, price: any})[], reason: any, problem: any}} Answer
 *   to: the text of the question; reason: why there are no slots
 */

/**
 * Asks where a run would fit: at once, when the question changes, but not too often, and every minute, because prices change with the time
 * until the start. Only the newest response counts.
 * @param {import("./api.js").Api} api
 * @param {Question | null} question null while a field is wrong
 * @returns {{answer: Answer | null, isCurrent: boolean, again: () => void}} isCurrent: whether the answer belongs to the question
 */
export function useAnswer(api, question) {
  const answer = useSignal(/** @type {Answer | null} */ (null));
  const turn = useSignal(0);
  const asked = useRef(0);
  const asking = useRef(/** @type {AbortController | null} */ (null));
  const to = question ? JSON.stringify([question.want.terms, question.order, question.cluster]) : "";
  const minute = Math.floor(useTicks() / 2);
  useEffect(() => {
    if (!question || (document.hidden && answer.peek()?.to === to)) {
      return () => {};
    }
    const waiting = setTimeout(async () => {
      asked.current = Date.now();
      asking.current?.abort();
      const own = new AbortController();
      asking.current = own;
      const next = await ask(api, question, own.signal).catch((problem) => ({ slots: [], changes: [], reason: null, problem }));
      if (!own.signal.aborted) {
        answer.value = { problem: null, ...next, want: question.want, to };
      }
    }, Math.max(0, asked.current + PAUSE - Date.now()));
    return () => clearTimeout(waiting);
  }, [to, minute, turn.value]);
  useEffect(() => () => asking.current?.abort(), []);
  return { answer: answer.value, isCurrent: to !== "" && answer.value?.to === to, again: () => void turn.value++ };
}

/** @param {import("./api.js").Api} api @param {Question} question @param {AbortSignal} signal */
async function ask(api, question, signal) {
  const { body } = await probe(api, question, { limit: Math.min(500, 20 + question.known.clusters.length), alternatives: true }, signal);
  const isAsAsked = body.slots.some((/** @type {any} */ { kind }) => kind !== "ALTERNATIVE");
  return { slots: body.slots, reason: body.reason, changes: isAsAsked ? [] : await changes(api, question, signal) };
}

/** @param {import("./api.js").Api} api @param {Question} question @param {any} more @param {AbortSignal} [signal] */
export function probe(api, { want, order, cluster }, more, signal) {
  return api.post("/probes", { terms: want.terms, orderBy: order, hold: hold(), ...(cluster && { clusters: [cluster] }), ...more }, { signal });
}

/**
 * Returns the changes with which a refused request would be granted, each with the offer that it would get first.
 * @param {import("./api.js").Api} api @param {Question} question @param {AbortSignal} signal
 */
async function changes(api, question, signal) {
  const { want, cluster, known, unit } = question;
  const refusal = await api.post("/reservations", { terms: want.terms, dryRun: true, ...(cluster && { cluster }) }, { signal }).then(() => null, (problem) => problem);
  return Promise.all(changesFor(refusal?.document?.wouldFit, want, unit).map(async (change) => {
    const changed = { ...want, terms: { ...want.terms, ...change.patch }, end: change.patch.deadline ? Date.parse(change.patch.deadline) : want.end };
    const offer = (await probe(api, { ...question, want: changed }, { limit: 1 }, signal).catch(() => null))?.body.slots[0];
    return { ...change, offer, price: offer && waysOf(offer, changed, known.clusters)[0].price };
  }));
}

/** Returns the changes that would fit. @param {any} fit the figures; undefined: none @param {Want} want @param {string} unit @returns {Change[]} */
export function changesFor(fit, want, unit) {
  const deadline = fit?.deadline && toField(Date.parse(fit.deadline) + MINUTE, zone());
  const duration = fit?.duration && formatDuration(fit.duration);
  return [
    deadline && {
      set: { deadline }, patch: { deadline: iso(fromField(deadline, zone())) }, text: `Finish by ${formatInstant(fit.deadline, zone())}`,
      distance: (Date.parse(fit.deadline) - want.end) / 1000 / want.run, effects: fit.effects.deadline,
    },
    fit?.pes && {
      set: { pes: String(fit.pes) }, patch: { pes: fit.pes }, text: `Use ${counted(fit.pes, unit)}`,
      distance: 1 - fit.pes / want.pes, effects: fit.effects.pes,
    },
    duration && {
      set: { duration }, patch: { duration: isoDuration(durationSeconds(duration)) }, text: `Run for ${duration}`,
      distance: 1 - durationSeconds(fit.duration) / want.run, effects: fit.effects.duration,
    },
  ].filter(Boolean);
}
