import { batch, signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { DAY, DURATION_WRONG, durationSeconds, formatInstant, fromField, iso, isoDuration, MOMENT_WRONG, now, toField } from "./time.js";
import { bound, Choice, Field, html, Moment, Tick } from "./ui.js";
import { unitsTitle } from "./units.js";
import { change, params, zone } from "./url.js";

/** The fields of the form, and the parameters of the address that keep them. */
const NAMES = {
  pes: "pes", duration: "duration", ready: "from", deadline: "to", cluster: "cluster", budget: "budget", moldable: "", minPes: "min",
  preemptible: "", maxParts: "parts", maxMoves: "moves", maxShift: "shift", notice: "notice", follow: "follow", name: "", project: "", label: "", users: "", account: "",
};
/** Where the service names a field of the form. @type {Record<string, Name>} */
const ERRORS = {
  "terms.pes": "pes", "terms.maxPes": "pes", "terms.minPes": "minPes", "terms.duration": "duration", "terms.readyTime": "ready",
  "terms.deadline": "deadline", "terms.budget": "budget", "terms.preemption.maxParts": "maxParts", "terms.mobility.maxMoves": "maxMoves",
  "terms.mobility.maxShift": "maxShift", "terms.mobility.notice": "notice", "terms.fixBefore": "notice", name: "name", project: "label", users: "users", account: "account",
};
/** Local storage key of the project that an account chose last; the name of the account follows. */
const PROJECT = "berth.project.";
/** The value of the choice of a label that is no project. */
const OTHER = "=";
/** The most clusters in a drop-down list. */
const FEW = 20;
const MINUTE = 60_000;
const DURATION = "Such as 2h, 90 min or 1h30.";

/**
 * @typedef {keyof typeof NAMES} Name
 * @typedef {Record<Name, string>} Form what the fields say; moldable and preemptible: empty for no
 * @typedef {{terms: any, run: number, start: number, end: number, pes: number}} Want run in seconds
 * @typedef {{clusters: any[], projects: any[], me: {name: string, role: string}}} Known the clusters that take reservations, the projects of the account, and the account
 * @typedef {{form: Form, field: (name: Name) => import("@preact/signals").Signal<string>, set: (patch: Partial<Form>) => void, keep: () => void}} Fields
 *   keep: writes the form into the address
 */

/** The fields, which follow the address. @param {Known} known @param {string} account @returns {Fields} */
export function useFields(known, account) {
  const kept = useRef(asked());
  const fields = useMemo(() => {
    const asks = params().get("project");
    const last = asks ?? localStorage.getItem(PROJECT + account) ?? "";
    const isKnown = known.projects.some(({ id }) => id === last);
    const first = { name: params().get("name") ?? "", project: isKnown ? last : asks ? OTHER : "", label: isKnown ? "" : asks ?? "", ...formOf(params(), known.clusters) };
    const all = Object.keys(NAMES).map((name) => [name, signal(first[/** @type {keyof typeof first} */ (name)] ?? "")]);
    return /** @type {Record<Name, import("@preact/signals").Signal<string>>} */ (Object.fromEntries(all));
  }, []);
  const set = (/** @type {Partial<Form>} */ patch) => batch(() => Object.entries(patch).forEach(([name, value]) => {
    fields[/** @type {Name} */ (name)].value = value;
  }));
  useEffect(() => {
    if (asked() !== kept.current) {
      kept.current = asked();
      set(formOf(params(), known.clusters));
    }
  }, [asked()]);
  const form = /** @type {Form} */ (Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])));
  useEffect(() => localStorage.setItem(PROJECT + account, form.project === OTHER ? "" : form.project), [form.project]);
  const keep = () => {
    const says = Object.fromEntries(Object.entries(NAMES).filter(([, key]) => key).map(([name, key]) => [key, fields[/** @type {Name} */ (name)].peek().trim() || null]));
    const [start, end] = windowOf(/** @type {any} */ ({ ready: fields.ready.peek(), deadline: fields.deadline.peek() }));
    change({
      ...says,
      from: start > now() + MINUTE ? String(start) : null,
      to: Number.isNaN(end) ? null : String(end),
      min: fields.moldable.peek() ? says.min : null,
      parts: fields.preemptible.peek() ? says.parts : null,
    }, { replace: true });
    kept.current = asked();
  };
  return { form, field: (name) => fields[name], set, keep };
}

/** Returns what the address says of the form. */
function asked() {
  return JSON.stringify([...Object.values(NAMES), "zone"].map((key) => params().get(key)));
}

/** @param {URLSearchParams} all @param {any[]} clusters @returns {Partial<Form>} */
function formOf(all, clusters) {
  const start = Math.max(now(), Number(all.get("from")));
  const run = durationSeconds(all.get("duration") ?? "2h") || 7200;
  const granules = clusters.filter(({ id }) => id === (all.get("cluster") ?? id)).map(({ granule }) => granule ?? 1);
  return {
    pes: all.get("pes") ?? String(granules.length ? Math.min(...granules) : 1),
    duration: all.get("duration") ?? "2h",
    ready: start > now() ? toField(start, zone()) : "now",
    deadline: toField(Number(all.get("to")) || start + Math.max(2 * DAY, 3000 * run), zone()),
    cluster: all.get("cluster") ?? "",
    budget: all.get("budget") ?? "",
    moldable: all.has("min") ? "yes" : "",
    minPes: all.get("min") ?? "1",
    preemptible: all.has("parts") ? "yes" : "",
    maxParts: all.get("parts") ?? "4",
    maxMoves: all.get("moves") ?? "",
    maxShift: all.get("shift") ?? "",
    notice: all.get("notice") ?? "",
    follow: all.has("follow") ? "yes" : "",
  };
}

/** Returns the two ends of the window, in milliseconds. @param {Form} form @returns {[number, number]} */
function windowOf({ ready, deadline }) {
  return [fromField(ready, zone()), fromField(deadline, zone(), true)];
}

/** Whether the window is longer than the run, so that it may be moved. @param {Form} form */
function hasSlack(form) {
  const [start, end] = windowOf(form);
  return end - Math.max(now(), start) > durationSeconds(form.duration) * 1000;
}

/** Returns the label under which the run is filed. @param {Form} form */
export function projectOf({ project, label }) {
  return project === OTHER ? label.trim() : project;
}

/** Whether the run may belong to another account. @param {Form} form @param {Known} known */
function mayBeAnothers(form, { projects, me }) {
  return me.role === "ADMIN" || projects.some(({ id, members }) => id === projectOf(form)
    && members.some((/** @type {any} */ each) => each.account === me.name && each.role === "OWNER"));
}

/** Returns the account that the run is for; empty for the user's own. @param {Form} form @param {Known} known */
export function accountOf(form, known) {
  return mayBeAnothers(form, known) && form.account.trim() !== known.me.name ? form.account.trim() : "";
}

/** Returns the currency of the clusters to choose from; null if they have several. @param {Form} form @param {any[]} clusters */
function currencyOf({ cluster }, clusters) {
  const all = new Set(clusters.filter(({ id }) => id === (cluster || id)).map(({ tariff }) => tariff?.currency).filter(Boolean));
  return all.size === 1 ? [...all][0] : null;
}

/** Returns the word for a PE of the clusters to choose from, if they agree on one. @param {Form} form @param {any[]} clusters */
export function unitOf({ cluster }, clusters) {
  const all = new Set(clusters.filter(({ id }) => id === (cluster || id)).map(({ unit }) => unit ?? "PE"));
  return all.size === 1 ? [...all][0] : "PE";
}

/**
 * Returns what the form asks for, or all that is wrong with it.
 * @param {Form} form @param {any[]} clusters
 * @returns {{want: Want | null, errors: Partial<Form>}}
 */
export function read(form, clusters) {
  const run = durationSeconds(form.duration);
  const [start, end] = windowOf(form);
  const [pes, least, parts] = [form.pes, form.minPes, form.maxParts].map(Number);
  const money = form.budget.trim().replace(",", ".");
  const currency = currencyOf(form, clusters);
  const [moves, shift, notice] = [form.maxMoves, form.maxShift, form.notice].map((each) => hasSlack(form) ? each.trim() : "");
  const follow = hasSlack(form) && form.follow !== "";
  const isWhole = (/** @type {number} */ number, /** @type {number} */ low, high = Infinity) => Number.isInteger(number) && number >= low && number <= high;
  const wrong = /** @type {[boolean, Name, string][]} */ ([
    [!isWhole(pes, 1), "pes", "A whole number, at least 1."],
    [!(run >= 1), "duration", DURATION_WRONG],
    [Number.isNaN(start), "ready", MOMENT_WRONG],
    [Number.isNaN(end), "deadline", MOMENT_WRONG],
    [start + run * 1000 > end + 59_000, "deadline", "The run does not fit between the two times: finish later, begin earlier or shorten it."],
    [form.cluster !== "" && !clusters.some(({ id }) => id === form.cluster), "cluster", "There is no such cluster, or it is closed."],
    [money !== "" && !/^\d+(\.\d{1,6})?$/.test(money), "budget", "An amount such as 12.50."],
    [money !== "" && !currency, "budget", "The clusters have several currencies. Choose a cluster before you enter an amount."],
    [form.moldable !== "" && !isWhole(least, 1, pes), "minPes", "A whole number, up to the one above."],
    [form.preemptible !== "" && !isWhole(parts, 2, 100), "maxParts", "A whole number from 2 to 100."],
    [moves !== "" && !isWhole(Number(moves), 1), "maxMoves", "A whole number, at least 1. For none, take an offer that stays at its time."],
    [shift !== "" && !(durationSeconds(shift) >= 0), "maxShift", DURATION_WRONG],
    [notice !== "" && !(durationSeconds(notice) >= 0), "notice", DURATION_WRONG],
  ]).filter(([isWrong]) => isWrong);
  if (wrong.length > 0) {
    return { want: null, errors: Object.fromEntries(wrong.reverse().map(([, name, text]) => [name, text])) };
  }
  const terms = {
    duration: isoDuration(run),
    deadline: iso(end),
    ...(start > now() && { readyTime: iso(start) }),
    ...(form.moldable ? { minPes: least, maxPes: pes, moldability: { speedup: "LINEAR" } } : { pes }),
    ...(form.preemptible && { preemption: { steps: parts, maxParts: parts } }),
    ...(money && { budget: { amount: money, currency } }),
    ...((moves || shift || notice || follow) && { mobility: {
      ...(follow && { follow: "CHEAPEST" }),
      ...(moves && { maxMoves: Number(moves) }),
      ...(shift && { maxShift: isoDuration(durationSeconds(shift)) }),
      ...(notice && { notice: isoDuration(durationSeconds(notice)) }),
    } }),
  };
  return { want: { terms, run, start, end, pes }, errors: {} };
}

/** Returns the errors of a refused call, by field of the form. @param {any} problem */
export function errorsOf(problem) {
  return Object.fromEntries((problem?.errors ?? []).filter((/** @type {any} */ { field }) => ERRORS[field])
    .map((/** @type {any} */ { field, message }) => [ERRORS[field], message]));
}

/** Whether the form shows all that is wrong. @param {any} problem */
export function isInForm({ errors }) {
  return errors?.length > 0 && errors.every((/** @type {any} */ { field }) => ERRORS[field]);
}

/** Says what a text that is no plain time means. @param {string} text @param {boolean} isEnd */
function meaning(text, isEnd) {
  const moment = fromField(text, zone(), isEnd);
  return Number.isNaN(moment) || text.trim() === "now" || text === toField(moment, zone()) ? "" : formatInstant(moment, zone());
}

/** @param {{fields: Fields, known: Known, errors: Partial<Form>, children?: any}} its children: the button to the offers */
export function BookForm({ fields: { form, field, set, keep }, known, errors, children }) {
  const { clusters, projects } = known;
  const unit = unitOf(form, clusters);
  const money = currencyOf(form, clusters);
  const label = projectOf(form);
  const isRefused = clusters.find(({ id }) => id === form.cluster)?.policy?.projects === "KNOWN";
  const text = (/** @type {Name} */ name, /** @type {string} */ word, hint = "", more = {}) => html`
    <${Field} label=${word} hint=${hint} error=${errors[name]}><input name=${name} autocomplete="off" ...${more} ...${bound(field(name))} /><//>`;
  const moment = (/** @type {Name} */ name, /** @type {string} */ word) => html`
    <${Moment} label=${word} name=${name} value=${field(name)} error=${errors[name]} hint=${meaning(form[name], name === "deadline")} onchange=${keep} />`;
  const tick = (/** @type {Name} */ name, /** @type {string} */ word) => html`
    <${Tick} name=${name} checked=${form[name] !== ""} onchange=${(/** @type {boolean} */ is) => set({ [name]: is ? "yes" : "" })}>${word}<//>`;
  const isSet = (/** @type {Name[]} */ ...names) => names.some((name) => form[name] !== "");
  const whole = (min = 1, max = 10_000_000) => ({ type: "number", step: 1, min, max });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    keep();
  };
  return html`
    <form class="panel" onsubmit=${submit} onchange=${keep} novalidate>
      <h2>What is to run</h2>
      <div class="row pair">
        ${text("pes", unitsTitle(unit), "", whole())}
        ${text("duration", "Duration", DURATION)}
      </div>
      ${moment("ready", "Not before")}
      ${moment("deadline", "Finished by")}
      <${Where} field=${field("cluster")} clusters=${clusters} error=${errors.cluster} />
      ${text("budget", "At most", money ? `In ${money}. Leave empty for any price.`
        : "The clusters have several currencies. Choose a cluster before you enter an amount.", { inputmode: "decimal" })}
      ${text("name", "Name", "", { maxlength: 200, autocomplete: "on" })}
      <${Field} label="Project" error=${form.project === OTHER ? "" : errors.label}>
        <${Choice} name="project" value=${form.project} onchange=${(/** @type {any} */ { target }) => set({ project: target.value })}
          options=${[["", "None"], ...projects.map(({ id, name }) => [id, name === id ? id : `${name} (${id})`]), [OTHER, "Another label …"]]} />
      <//>
      ${form.project === OTHER && text("label", "Label", isRefused ? "This cluster refuses labels that are no projects."
        : label && !projects.some(({ id }) => id === label) ? `“${label}” is none of your projects. It is only a label, and no budget pays for it.`
        : "No budget pays for a label that is no project.", { maxlength: 200 })}
      ${mayBeAnothers(form, known) && text("account", "For the account", known.me.role === "ADMIN" ? "Leave empty for yourself." : "An owner or member of the project. Leave empty for yourself.", { maxlength: 63 })}
      ${hasSlack(form) && html`
        <details open=${isSet("maxMoves", "maxShift", "notice", "follow")}>
          <summary>How much it may be moved</summary>
          <p class="muted">Only for a run that may still move. The less it may be moved, the less it saves.</p>
          ${text("maxMoves", "How often, at most", "Leave empty for as often as the cluster allows.", whole(1, 1_000_000))}
          ${text("maxShift", "How far, at most", "Such as 2h, earlier or later. Leave empty for as far as the cluster allows.")}
          ${tick("follow", "Move it into cheaper hours, if a program sends prices by the hour")}
          ${text("notice", "Final this long before it begins", "Such as 12h. Leave empty for the notice of the cluster.")}
        </details>`}
      <details open=${isSet("moldable", "preemptible", "users")}>
        <summary>Other shapes, parts and users</summary>
        ${tick("moldable", `It may run on fewer ${unit}s, for longer`)}
        ${form.moldable && text("minPes", `Fewest ${unit}s`, "", whole())}
        ${tick("preemptible", "It may be split into parts")}
        ${form.preemptible && text("maxParts", "Most parts", "", whole(2, 100))}
        ${text("users", "Users on the machine", "Such as ada, bob. Leave empty for yourself only.")}
      </details>
      ${children}
    </form>`;
}

/** Where it is to run: a list of the clusters or, if they are many, a field that finds one by a part of its name. @param {{field: import("@preact/signals").Signal<string>, clusters: any[], error?: string}} its */
function Where({ field, clusters, error }) {
  const text = (/** @type {any} */ { id, pes, unit }) => (pes ? `${id} (${pes} ${unit ?? "PE"}s)` : id);
  return clusters.length <= FEW ? html`
    <${Field} label="Cluster" error=${error}>
      <${Choice} name="cluster" value=${field.value} onchange=${(/** @type {any} */ { target }) => { field.value = target.value; }}
        options=${[["", "Wherever it is best"], ...clusters.map((each) => [each.id, text(each)])]} />
    <//>` : html`
    <${Field} label="Cluster" error=${error} hint=${`Any of ${clusters.length}, or a part of a name to find one.`}>
      <input name="cluster" type="search" list="clusters" autocomplete="off" placeholder="Wherever it is best" ...${bound(field)} />
    <//>
    <datalist id="clusters">${clusters.map((each) => html`<option key=${each.id} value=${each.id}>${text(each)}</option>`)}</datalist>`;
}
