import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CONDITIONS, conditionsIn, conditionsText, readConditions, textOf } from "./rules.js";
import { DURATION_WRONG, durationSeconds, isoDuration } from "./time.js";
import { Choice, Failed, Field, html, Icon, Refused, useChange } from "./ui.js";

/** The most rules of a cluster or a project. */
const MOST = 20;

/**
 * An editor of the rules by which a cluster or a project asks for approval.
 * @param {{text: string, edit: (text: string) => void, error: (field: string) => string, unit?: string, currency?: string}} its
 *   error: the message for a field below the list, such as "[0].pesAbove", and for "" that for the list
 */
export function ApprovalRules({ text, edit, error, unit = "PE", currency = "" }) {
  const rules = conditionsIn(text);
  const box = useRef(/** @type {any} */ (null));
  const fresh = useRef("");
  useEffect(() => {
    if (fresh.current) {
      box.current.querySelector(`[name="${fresh.current}"]`)?.focus();
      fresh.current = "";
    }
  });
  const set = (/** @type {number} */ at, /** @type {string} */ name, /** @type {string} */ value) =>
    edit(conditionsText(rules.map((rule, each) => (each === at ? { ...rule, [name]: value } : rule))));
  const ask = (/** @type {number} */ at, /** @type {import("./rules.js").Kind} */ kind, /** @type {string} */ name) => {
    fresh.current = `[${at}].${name}`;
    set(at, name, Array.isArray(kind) ? kind[0][0] : "");
  };
  const add = () => {
    fresh.current = `[${rules.length}].pesAbove`;
    edit(conditionsText([...rules, { pesAbove: "" }]));
  };
  // by a second click, the next rule may be in its place
  const remove = (/** @type {number} */ at) => (/** @type {MouseEvent} */ { detail }) => detail < 2 && edit(conditionsText(rules.filter((_, each) => each !== at)));
  const words = (/** @type {string} */ label) => label.replace("PE", unit);
  return html`
    <div ref=${box}>
      ${rules.map((rule, at) => {
        const [asked, others] = [true, false].map((isAsked) => CONDITIONS.filter(({ name }) => (name in rule || Boolean(error(`[${at}].${name}`))) === isAsked));
        return html`
          <fieldset key=${at} class="rule">
            <legend>Rule ${at + 1}</legend>
            <div class="fields">
              ${asked.map(({ name, label, kind }, each) => html`
                <${Field} key=${name} label=${`${each === 0 ? "If it" : "and"} ${words(label)}`} error=${error(`[${at}].${name}`)}
                  hint=${name === "leadBelow" ? "After it is asked for." : ""} unit=${name === "priceAbove" ? currency : ""}>
                  ${Array.isArray(kind)
                    ? html`<${Choice} name=${`[${at}].${name}`} options=${[...kind, ["", "any"]]} value=${rule[name] ?? ""} onchange=${(/** @type {any} */ { target }) => set(at, name, target.value)} />`
                    : html`<input name=${`[${at}].${name}`} autocomplete="off" placeholder=${kind === "duration" ? "such as 12 h" : "not asked"} inputmode=${kind === "duration" ? null : "decimal"}
                      value=${rule[name] ?? ""} oninput=${(/** @type {any} */ { target }) => set(at, name, target.value)} />`}
                <//>`)}
              ${others.length > 0 && html`
                <${Field} label=${asked.length > 0 ? "and" : "If it"}>
                  <${Choice} key=${others.length} name=${`[${at}].more`} value="" options=${[["", "…"], ...others.map(({ name, label }) => [name, words(label)])]}
                    onchange=${(/** @type {any} */ { target }) => ask(at, others.find(({ name }) => name === target.value)?.kind ?? "count", target.value)} />
                <//>`}
            </div>
            <button type="button" class="quiet harm" aria-label=${`Remove rule ${at + 1}`} onclick=${remove(at)}><${Icon} name="trash-2" />Remove</button>
          </fieldset>`;
      })}
      <${Failed} why=${error("")} />
      <p><button type="button" disabled=${rules.length >= MOST} onclick=${add}><${Icon} name="plus" />Add a rule</button></p>
    </div>`;
}

/** Returns the texts of the fields for the approval by the owners of a project. @param {any} approval */
function textsOf(approval) {
  return { rules: textOf({ kind: "conditions" }, approval.rules), expires: textOf({ kind: "duration" }, approval.expires) };
}

/**
 * What the owners of a project must approve.
 * @param {{api: import("./api.js").Api, path: string, approval: any, changed: () => void}} its
 */
export function ProjectApproval({ api, path, approval, changed }) {
  const saving = useChange();
  const edits = useSignal(/** @type {{rules?: string, expires?: string}} */ ({}));
  const errors = useSignal(/** @type {Record<string, string>} */ ({}));
  const present = textsOf(approval);
  const { rules, expires } = { ...present, ...edits.value };
  const isEdited = rules !== present.rules || expires !== present.expires;
  /** What the edits began with. */
  const base = useRef(approval);
  if (!isEdited) {
    base.current = approval;
  }
  // later changes by others are shown
  useEffect(() => {
    if (!isEdited) {
      edits.value = {};
    }
  }, [isEdited]);
  const edit = (/** @type {{rules?: string, expires?: string}} */ its) => {
    edits.value = { ...edits.peek(), ...its };
    // the rules after one that is removed have other numbers
    errors.value = {};
    saving.refuse(null);
  };
  const error = (/** @type {string} */ name) => errors.value[name] || saving.error(`approval.${name}`);
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const [{ value, errors: wrong }, seconds] = [readConditions(rules), durationSeconds(expires)];
    errors.value = {
      ...Object.fromEntries(Object.entries(wrong).map(([field, each]) => [`rules${field}`, each])),
      ...(seconds > 0 ? {} : { expires: DURATION_WRONG }),
    };
    if (Object.keys(errors.value).length === 0) {
      await saving.run(async () => {
        const there = (await api.get(path)).body.approval;
        if (JSON.stringify(there) !== JSON.stringify(base.current)) {
          base.current = there;
          throw "Somebody else has changed the rules. Yours are kept: save again to have them in place of the others.";
        }
        const sent = /** @type {Record<string, string>} */ ({ rules, expires });
        base.current = (await api.patch(path, { approval: { rules: value, expires: isoDuration(seconds) } })).body.approval;
        // what was typed meanwhile stays
        edits.value = { ...textsOf(base.current), ...Object.fromEntries(Object.entries(edits.peek()).filter(([name, text]) => text !== sent[name])) };
      });
      changed();
    }
  };
  return html`
    <details open=${approval.rules.length > 0}>
      <summary>What its owners must approve</summary>
      <form onsubmit=${save}>
        <p class="muted">A booking to which one of these rules applies keeps its place, and waits until an owner approves it. Prices are in the currency of the cluster.</p>
        <${ApprovalRules} text=${rules} edit=${(/** @type {string} */ text) => edit({ rules: text })} error=${(/** @type {string} */ below) => error(`rules${below}`)} />
        ${(rules || isEdited) && html`
          <div class="fields"><${Field} label="Approved within" hint="Otherwise the booking expires; it does so at its start at the latest." error=${error("expires")}><input name="expires" autocomplete="off" value=${expires} oninput=${(/** @type {any} */ { target }) => edit({ expires: target.value })} /><//></div>`}
        <${Refused} why=${saving.problem} beside=${(saving.problem?.errors ?? []).map((/** @type {any} */ each) => each.field).filter((/** @type {string} */ field) => /^approval\.(rules|expires)/.test(field))} />
        ${isEdited && html`
          <p class="row">
            <button class="first" disabled=${saving.isBusy}>Save the rules</button>
            <button type="button" class="quiet" onclick=${() => edit(present)}>Discard</button>
          </p>`}
      </form>
    </details>`;
}
