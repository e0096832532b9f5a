import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { PriceList } from "./book-prices.js";
import { othersText } from "./effects.js";
import { formatMoney } from "./money.js";
import { DURATION_WRONG, durationSeconds, formatDuration, formatInstant, formatRange, fromField, iso, isoDuration, MOMENT_WRONG, toField } from "./time.js";
import { useTrial } from "./trial.js";
import { bound, Failed, Field, html, Moment, useChange, useRead } from "./ui.js";
import { unitsTitle } from "./units.js";
import { zone } from "./url.js";

/** How much later than now agreed the run may finish at each point of the slider, in run times. The first is the price that it has. */
const POINTS = [0, 0.5, 1, 2, 4, 8, 16];
const MINUTE = 60_000;

/** Lets the owner try other terms, with their price, and agree to them. @param {import("./reservation-actions.js").Its} its */
export function OtherTerms({ api, path, present, unit = "PE", again }) {
  const { terms, state, scenario, movable, version, price } = present.body;
  const run = durationSeconds(terms.duration);
  const agreed = Date.parse(terms.deadline);
  const isRunning = state === "RUNNING";
  const isFinal = isRunning || (!movable && scenario !== "STRICT");
  const at = useSignal("0");
  const deadline = useSignal("");
  const pes = useSignal("");
  const duration = useSignal("");
  const change = useChange();
  const send = (/** @type {any} */ patch, /** @type {any} */ more, /** @type {any} */ how, calls = api) =>
    calls.post(`${path}/renegotiations`, { terms: patch, ...more }, how).then(({ body }) => body);

  // keep the user's input while the same terms are shown
  useEffect(() => {
    at.value = "0";
    deadline.value = toField(agreed, zone());
    pes.value = String(terms.pes ?? "");
    duration.value = formatDuration(terms.duration);
  }, [agreed, terms.pes, terms.duration, zone()]);
  useEffect(() => change.refuse(null), [version]);

  const points = useRead(api, async (api) => isFinal ? [] : (await Promise.all(POINTS.map(async (_, i) => {
    const end = i === 0 ? agreed : Math.ceil(deadlineAt(i) / MINUTE) * MINUTE;
    const costs = i === 0 ? price : (await send({ deadline: iso(end) }, { dryRun: true }, {}, api).catch(() => null))?.after.price;
    return costs && Number(costs.amount) <= Number(price.amount) ? { deadline: end, price: costs, isHere: i === 0 } : null;
  }))).filter((each) => each !== null), [version]).data ?? [];
  const helps = points.some((each) => Number(each.price.amount) < Number(price.amount));

  /** Returns the deadline at a point of the slider. @param {number} point */
  function deadlineAt(point) {
    const [low, high] = [POINTS[Math.floor(point)], POINTS[Math.min(POINTS.length - 1, Math.floor(point) + 1)]];
    return agreed + (low + (high - low) * (point % 1)) * run * 1000;
  }

  const [end, length] = [fromField(deadline.value, zone(), true), durationSeconds(duration.value)];
  const errors = {
    deadline: Number.isNaN(end) ? MOMENT_WRONG : "",
    duration: length > 0 ? "" : DURATION_WRONG,
    pes: terms.pes === null || Number(pes.value) >= 1 ? "" : "A whole number, at least 1.",
  };
  const patch = {
    ...(Math.abs(end - agreed) >= MINUTE && { deadline: iso(end) }),
    ...(length !== run && formatDuration(length) !== formatDuration(run) && { duration: isoDuration(length) }),
    ...(terms.pes !== null && Number(pes.value) !== terms.pes && { pes: Number(pes.value) }),
  };
  const isRight = Object.values(errors).every((each) => !each);
  const isChanged = isRight && Object.keys(patch).length > 0;
  const trial = useTrial((signal) => send(patch, { dryRun: true }, { signal }), isChanged ? JSON.stringify([patch, version]) : null);
  const problem = change.problem ?? trial.problem;
  const errorOf = (/** @type {keyof typeof errors} */ name) =>
    errors[name] || (problem?.errors ?? []).find((/** @type {any} */ { field }) => field === `terms.${name}`)?.message;
  const agree = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (trial.result && await change.run(() => send(patch, {}, { isOnce: true, ifMatch: present.etag }))) {
      again();
    }
  };
  const slide = (/** @type {any} */ { target }) => {
    at.value = target.value;
    deadline.value = toField(Math.ceil(deadlineAt(Number(target.value)) / MINUTE) * MINUTE, zone());
  };
  const choose = (/** @type {number} */ moment) => {
    deadline.value = toField(moment, zone());
  };
  return html`
    <section class="panel">
      <h2>Other terms</h2>
      <p class="muted">${isRunning ? `It runs. Fewer ${unit}s or a shorter duration give the rest back to others from now on.`
        : isFinal ? "Its place is final, so freedom would not make it cheaper any more."
        : `${scenario === "STRICT" ? "It stays where it is." : `It may move, and ends by ${formatInstant(agreed, zone())}.`} ${
          helps ? "Give it freedom until a later time, and it costs less." : "More freedom would not make it cheaper."}`}</p>
      <form onsubmit=${agree}>
        ${helps && html`
          <${PriceList} points=${points} here=${agreed} choose=${choose} />
          <${Field} label="How much later it may finish"><input type="range" name="flexibility" min="0" max=${POINTS.length - 1} step="0.1" value=${at.value} oninput=${slide} /><//>`}
        <${Moment} label="Finished by" name="deadline" value=${deadline} error=${errorOf("deadline")} />
        <div class="row">
          ${terms.pes !== null && html`<${Field} label=${unitsTitle(unit)} error=${errorOf("pes")}><input type="number" min="1" name="pes" ...${bound(pes)} /><//>`}
          <${Field} label="Duration" hint="Such as 2h, 90 min or 1h30." error=${errorOf("duration")}><input name="duration" autocomplete="off" ...${bound(duration)} /><//>
        </div>
        <div aria-live="polite">
          <${Failed} why=${problem} />
          ${trial.result ? html`<p class="note">${changeText(trial.result)}</p>` : isRight && !isChanged && html`<p class="muted">These are the terms you have.</p>`}
        </div>
        <p><button class="first" disabled=${!trial.result || change.isBusy}>Agree to these terms</button></p>
      </form>
    </section>`;
}

/** Says what other terms would change. @param {any} dryRun */
function changeText({ before, after, effects }) {
  return [
    `${formatMoney(after.price)} instead of ${formatMoney(before.price)}`,
    `planned for ${formatRange(after.placement.start, after.placement.end, zone())}`,
    after.returnCredit && after.returnCredit.amount !== before.returnCredit?.amount && `with ${formatMoney(after.returnCredit)} taken off for what you return`,
    othersText(effects),
  ].filter(Boolean).join(", ");
}
