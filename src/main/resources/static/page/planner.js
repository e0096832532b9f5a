import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Effects, effectsText } from "./effects.js";
import { pesOf } from "./hostlist.js";
import { DURATION_WRONG, durationSeconds, formatRange, fromField, HOUR, iso, isoDuration, MOMENT_WRONG, now, toField } from "./time.js";
import { ask, Choice, Failed, Field, html, Moment, Tick, useDryRun, useForm } from "./ui.js";
import { unitsTitle } from "./units.js";
import { zone } from "./url.js";

/** @typedef {import("./bars.js").Cluster} Cluster */

/**
 * Lets an administrator try an outage, and then make it.
 * @param {{
 *   context: import("./main.js").Context, clusters: Cluster[], preferred: string[],
 *   onEffects: (cluster: string, effects: any | null, outage: any) => void,
 * }} its preferred: ids of which the first is chosen; onEffects: shows the effects; null: nothing is tried
 */
export function Planner({ context: { api }, clusters, preferred, onEffects }) {
  const form = useForm({
    cluster: preferred[0] ?? clusters[0]?.id ?? "", pes: "", places: "", duration: "4h", reason: "", isLater: false, isOpen: false,
  });
  const [begin, latest] = [useSignal(toField(now() + 24 * HOUR, zone())), useSignal("")];
  const { tried, tryOut, run, isBusy, problem, error } = useDryRun(() => [form.peek(), begin.value, latest.value, zone()]);
  const made = useSignal(/** @type {any} */ (null));
  const is = form.values;
  const cluster = clusters.find((each) => each.id === is.cluster) ?? clusters[0];
  const granule = cluster.granule ?? 1;
  const word = cluster.unit ?? "PE";
  const path = `/clusters/${cluster.id}/outages`;
  const isMade = tried !== null && tried === made.value;
  useEffect(() => {
    if (!tried && preferred.length > 0 && !preferred.includes(is.cluster)) {
      form.set("cluster", preferred[0]);
    }
  }, [preferred.join()]);
  useEffect(() => {
    onEffects(cluster.id, tried?.effects ?? null, tried?.outage ?? null);
  }, [tried]);

  /** Returns the outage in the form, or null if fields are wrong. */
  function wanted() {
    const { pes, places, duration, reason, isLater, isOpen } = form.peek();
    const [start, length] = [isLater ? fromField(begin.value, zone()) : now(), durationSeconds(duration)];
    const text = places.replaceAll(" ", "");
    const own = /^[\d,-]*$/.test(text) ? text : pesOf(cluster, text);
    const number = Number(pes || granule);
    const note = reason.trim();
    return !form.check({
      peIds: own === null && (cluster.peNames ? `“${text}” is not in ${cluster.peNames}, the nodes of ${cluster.id}.`
        : `The nodes of ${cluster.id} have no names. Write numbers of ${word}s, such as 0-15,40.`),
      pes: !text && !(Number.isInteger(number) && number >= 1) && "A whole number, at least 1.",
      from: Number.isNaN(start) && MOMENT_WRONG,
      duration: !(length > 0) && DURATION_WRONG,
    }) ? null : {
      start, length, number,
      body: {
        ...(own ? { peIds: own } : { pes: number }),
        ...(isLater ? { from: iso(start) } : {}),
        ...(isOpen ? {} : { to: iso(start + length * 1000) }),
        ...(note ? { reason: note } : {}),
      },
    };
  }

  const preview = () => {
    const want = wanted();
    return want && tryOut(async () => {
      const { body: outage } = await api.post(path, { ...want.body, dryRun: true });
      return { body: want.body, effects: outage.effects, outage };
    });
  };
  const make = () => run(async () => {
    // what it would do may have changed since it was tried
    const { effects } = (await api.post(path, { ...tried.body, dryRun: true })).body;
    if (await ask(`${effectsText(effects, word)} Take these ${word}s of ${cluster.id} out of service?`, "Make the outage", "Cancel")) {
      const { body } = await api.post(path, tried.body, { isOnce: true });
      made.value = tried;
      onEffects(cluster.id, null, body);
    }
  });
  const suggest = () => {
    const want = wanted();
    const end = fromField(latest.value, zone(), true);
    return want && tryOut(async () => (await api.post(`${path}/slots`, {
      pes: want.number, duration: isoDuration(want.length),
      ...(Number.isNaN(end) ? {} : { from: iso(Math.max(now(), want.start)), to: iso(end) }),
    })).body);
  };
  const take = (/** @type {any} */ slot) => () => {
    form.set("isLater", true);
    begin.value = toField(Date.parse(slot.from) + 59_000, zone());
    preview();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    preview();
  };
  const when = (/** @type {boolean} */ later, /** @type {string} */ text) => html`
    <label class="choice"><input type="radio" name="outage-when" value=${later ? "at" : "now"} checked=${is.isLater === later}
      onchange=${() => form.set("isLater", later)} />${text}</label>`;
  const wrong = (/** @type {string} */ field) => form.errors[field] || error(field);
  return html`
    <form class="panel" onsubmit=${submit}>
      <h2>Plan an outage</h2>
      <div class="row">
        <${Field} label="Cluster"><${Choice} name="outage-cluster" options=${clusters.map((each) => [each.id, each.id])} value=${cluster.id}
          onchange=${(/** @type {any} */ { target }) => form.set("cluster", target.value)} /><//>
        <${Field} label=${unitsTitle(word)} error=${wrong("pes")} hint=${granule > 1 ? `Whole nodes of ${granule}.` : ""}>
          <input type="number" min="1" placeholder=${String(granule)} ...${form.of("pes")} name="outage-pes" /><//>
        <${Field} label=${cluster.peNames ? "Or these nodes" : `Or these ${word}s`} error=${wrong("peIds")} hint=${cluster.peNames ? `Of ${cluster.peNames}.` : "By number, such as 0-15,40."}>
          <input autocomplete="off" ...${form.of("places")} name="outage-pe-ids" /><//>
        <fieldset class="row"><legend>Begins</legend>${when(false, "now")}${when(true, "at a time")}</fieldset>
        <${Moment} label="Begins" name="outage-begin" value=${begin} error=${wrong("from")} hidden=${!is.isLater} />
        <${Field} label="Duration" error=${wrong("duration") || error("to")} hint="Such as 2h, 90 min or 1h30.">
          <input disabled=${is.isOpen} ...${form.of("duration")} name="outage-duration" /><//>
        <${Field} label="Reason" error=${error("reason")}><input maxlength="200" ...${form.of("reason")} name="outage-reason" /><//>
      </div>
      <details>
        <summary>An open end, a time for suggestions</summary>
        <div class="row">
          <${Tick} name="outage-open" checked=${is.isOpen} onchange=${(/** @type {boolean} */ isOn) => form.set("isOpen", isOn)}>Until it is ended<//>
          <${Moment} label="Suggest times until" name="outage-latest" value=${latest} />
        </div>
      </details>
      <p class="row">
        <button disabled=${isBusy}>What would happen?</button>
        <button type="button" disabled=${isBusy} onclick=${suggest}>When would it harm least?</button>
        <button type="button" class="first" disabled=${!tried?.effects || isMade || isBusy} onclick=${make}>Make the outage</button>
      </p>
      <div aria-live="polite">
        <${Failed} why=${problem} />
        ${isMade && html`<p class="note">The outage is recorded.</p>`}
        ${tried?.slots?.length === 0 && html`<p class="note">No such time was found. Suggest times until a later day, or for a shorter outage.</p>`}
        ${tried?.slots?.map((/** @type {any} */ slot) => html`<p key=${slot.from}><button type="button" onclick=${take(slot)}>
          ${formatRange(slot.from, slot.to, zone())}: ${slot.moved} moved, ${slot.failed} failed${slot.losing ? `, ${slot.losing} with fewer ${word}s` : ""}
        </button></p>`)}
        ${tried?.effects && !isMade && html`<${Effects} effects=${tried.effects} api=${api} cluster=${cluster} />`}
      </div>
    </form>`;
}
