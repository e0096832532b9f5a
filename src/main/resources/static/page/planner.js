import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { newKey } from "./api.js";
import { Effects, effectsText } from "./effects.js";
import { pesOf } from "./hostlist.js";
import { durationSeconds, formatRange, fromField, HOUR, iso, isoDuration, now, toField } from "./time.js";
import { ask, bound, Choice, Failed, Field, html, Moment, Tick } from "./ui.js";
import { zone } from "./url.js";

/**
 * @typedef {import("./bars.js").Cluster} Cluster
 * @typedef {{path: string, body: Record<string, unknown>, key: string, effects: any}} Tried key: the idempotency key for making it
 */

/**
 * Lets an administrator try an outage, and then make it.
 * @param {{
 *   context: import("./main.js").Context, clusters: Cluster[], preferred: string[],
 *   onEffects: (cluster: string, effects: any | null, outage: any) => void,
 * }} its preferred: ids of which the first is chosen; onEffects: shows the effects; null: nothing is tried
 */
export function Planner({ context, clusters, preferred, onEffects }) {
  const { api } = context;
  const id = useSignal(preferred[0] ?? clusters[0]?.id ?? "");
  const [pes, places, duration, latest, reason] = ["", "", "4h", "", ""].map((first) => useSignal(first));
  const begin = useSignal(toField(now() + 24 * HOUR, zone()));
  const isLater = useSignal(false);
  const isOpen = useSignal(false);
  const errors = useSignal(/** @type {Record<string, string>} */ ({}));
  const problem = useSignal(/** @type {any} */ (null));
  const tried = useSignal(/** @type {Tried | null} */ (null));
  const slots = useSignal(/** @type {any[] | null} */ (null));
  const isMade = useSignal(false);
  const isBusy = useSignal(false);
  const cluster = clusters.find((each) => each.id === id.value) ?? clusters[0];
  const granule = cluster.granule ?? 1;
  const word = cluster.unit ?? "PE";
  const title = `${word[0].toUpperCase()}${word.slice(1)}s`;
  useEffect(() => {
    if (!tried.peek() && preferred.length > 0 && !preferred.includes(id.peek())) {
      id.value = preferred[0];
    }
  }, [preferred.join()]);

  function forget() {
    tried.value = null;
    slots.value = null;
    isMade.value = false;
    problem.value = null;
    errors.value = {};
    onEffects(id.value, null, null);
  }

  /** Returns the outage in the form, or null if fields are wrong. */
  function wanted() {
    const [start, length] = [isLater.value ? fromField(begin.value, zone()) : now(), durationSeconds(duration.value)];
    const text = places.value.replaceAll(" ", "");
    const own = /^[\d,-]*$/.test(text) ? text : pesOf(cluster, text);
    const number = Number(pes.value || granule);
    /** @type {Record<string, string>} */
    const wrong = {
      ...(own !== null ? {} : {
        peIds: cluster.peNames ? `“${text}” is not in ${cluster.peNames}, the nodes of ${cluster.id}.`
          : `The nodes of ${cluster.id} have no names. Write numbers of ${word}s, such as 0-15,40.`,
      }),
      ...(!text && !(Number.isInteger(number) && number >= 1) ? { pes: "A whole number, at least 1." } : {}),
      ...(Number.isNaN(start) ? { from: "Enter a day and a time, such as tomorrow 14:00, fri 9am, +2h or 27 Nov 14:00." } : {}),
      ...(length > 0 ? {} : { duration: "Write a duration with its unit, such as 2h, 90 min or 1h30." }),
    };
    errors.value = wrong;
    const note = reason.value.trim();
    return Object.keys(wrong).length > 0 ? null : {
      start, length, number,
      body: {
        ...(own ? { peIds: own } : { pes: number }),
        ...(isLater.value ? { from: iso(start) } : {}),
        ...(isOpen.value ? {} : { to: iso(start + length * 1000) }),
        ...(note ? { reason: note } : {}),
      },
    };
  }

  /** Calls the service, and shows beside the fields what it refuses. @param {() => Promise<void>} call */
  async function run(call) {
    if (isBusy.peek()) {
      return;
    }
    isBusy.value = true;
    problem.value = null;
    try {
      await call();
    } catch (why) {
      const named = /** @type {any} */ (why).errors ?? [];
      errors.value = Object.fromEntries(named.map((/** @type {any} */ each) => [each.field, each.message]));
      problem.value = why;
    } finally {
      isBusy.value = false;
    }
  }

  const tryOut = () => {
    forget();
    const want = wanted();
    return want && run(async () => {
      const path = `/clusters/${id.value}/outages`;
      const { body } = await api.post(path, { ...want.body, dryRun: true });
      tried.value = { path, body: want.body, key: newKey(), effects: body.effects };
      onEffects(id.value, body.effects, body);
    });
  };
  const make = async () => {
    const what = tried.peek();
    const question = what && `${effectsText(what.effects, word)} Take these ${word}s of ${id.value} out of service?`;
    if (what && await ask(question, "Make the outage", "Cancel")) {
      await run(async () => {
        const { body } = await api.post(what.path, what.body, { key: what.key });
        forget();
        isMade.value = true;
        onEffects(id.value, null, body);
      });
    }
  };
  const suggest = () => {
    const want = wanted();
    const end = fromField(latest.value, zone(), true);
    return want && run(async () => {
      const { body } = await api.post(`/clusters/${id.value}/outages/slots`, {
        pes: want.number, duration: isoDuration(want.length),
        ...(Number.isNaN(end) ? {} : { from: iso(Math.max(now(), want.start)), to: iso(end) }),
      });
      slots.value = body.slots;
    });
  };
  const take = (/** @type {any} */ slot) => () => {
    isLater.value = true;
    begin.value = toField(Date.parse(slot.from) + 59_000, zone());
    tryOut();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    tryOut();
  };
  const when = (/** @type {boolean} */ later, /** @type {string} */ text) => html`
    <label class="choice"><input type="radio" name="outage-when" value=${later ? "at" : "now"} checked=${isLater.value === later}
      onchange=${() => { isLater.value = later; }} />${text}</label>`;
  const { value: wrong } = errors;
  return html`
    <form class="panel" onsubmit=${submit} oninput=${forget}>
      <h2>Plan an outage</h2>
      <div class="row">
        <${Field} label="Cluster"><${Choice} name="outage-cluster" options=${clusters.map((each) => [each.id, each.id])} value=${cluster.id}
          onchange=${(/** @type {any} */ { target }) => { id.value = target.value; }} /><//>
        <${Field} label=${title} error=${wrong.pes} hint=${granule > 1 ? `Whole nodes of ${granule}.` : ""}>
          <input type="number" min="1" name="outage-pes" placeholder=${String(granule)} ...${bound(pes)} /><//>
        <${Field} label=${cluster.peNames ? "Or these nodes" : `Or these ${word}s`} error=${wrong.peIds} hint=${cluster.peNames ? `Of ${cluster.peNames}.` : "By number, such as 0-15,40."}>
          <input name="outage-pe-ids" autocomplete="off" ...${bound(places)} /><//>
        <fieldset class="row"><legend>Begins</legend>${when(false, "now")}${when(true, "at a time")}</fieldset>
        <${Moment} label="Begins" name="outage-begin" value=${begin} error=${wrong.from} hidden=${!isLater.value} onchange=${forget} />
        <${Field} label="Duration" error=${wrong.duration ?? wrong.to} hint="Such as 2h, 90 min or 1h30.">
          <input name="outage-duration" disabled=${isOpen.value} ...${bound(duration)} /><//>
        <${Field} label="Reason" error=${wrong.reason}><input maxlength="200" name="outage-reason" ...${bound(reason)} /><//>
      </div>
      <details>
        <summary>An open end, a time for suggestions</summary>
        <div class="row">
          <${Tick} name="outage-open" checked=${isOpen.value} onchange=${(/** @type {boolean} */ is) => { isOpen.value = is; }}>Until it is ended<//>
          <${Moment} label="Suggest times until" name="outage-latest" value=${latest} onchange=${forget} />
        </div>
      </details>
      <p class="row">
        <button disabled=${isBusy.value}>What would happen?</button>
        <button type="button" disabled=${isBusy.value} onclick=${suggest}>When would it harm least?</button>
        <button type="button" class="first" disabled=${!tried.value || isBusy.value} onclick=${make}>Make the outage</button>
      </p>
      <div aria-live="polite">
        <${Failed} why=${problem.value} />
        ${isMade.value && html`<p class="note">The outage is recorded.</p>`}
        ${slots.value?.length === 0 && html`<p class="note">No such time was found. Suggest times until a later day, or for a shorter outage.</p>`}
        ${slots.value?.map((slot) => html`<p key=${slot.from}><button type="button" onclick=${take(slot)}>
          ${formatRange(slot.from, slot.to, zone())}: ${slot.moved} moved, ${slot.failed} failed${slot.losing ? `, ${slot.losing} with fewer ${word}s` : ""}
        </button></p>`)}
        ${tried.value && html`<${Effects} effects=${tried.value.effects} api=${api} cluster=${cluster} />`}
      </div>
    </form>`;
}
