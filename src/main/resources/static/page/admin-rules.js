import { signal, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { ApprovalRules } from "./approval-rules.js";
import { clustersBy, NoCluster } from "./admin-clusters.js";
import { announce } from "./document.js";
import { Effects } from "./effects.js";
import { isChanged, patchOf, present, RULES, standardOf, TITLES } from "./rules.js";
import { Hours } from "./signal.js";
import { Choice, Choices, Empty, Failed, Field, html, Read, Refused, Skeleton, Tick, useChange, useRead } from "./ui.js";
import { change, params } from "./url.js";

/** The most accounts among which those that approve are looked for. */
const MOST = 2000;

/** What is typed and not saved, by account and cluster: it is still there after a look at another tab or view. @type {Map<string, import("@preact/signals").Signal<Record<string, string>>>} */
const unsaved = new Map();

/** @param {string} key */
function editsOf(key) {
  const found = unsaved.get(key) ?? signal(/** @type {Record<string, string>} */ ({}));
  unsaved.set(key, found);
  return found;
}

/** The rules of a cluster. @param {{context: import("./main.js").Context}} its */
export function Rules({ context: { api, account } }) {
  const read = useRead(api, async (api) => (await clustersBy(api)).filter((each) => !each.peer).map((each) => each.id), []);
  const id = params().get("cluster") ?? read.data?.[0];
  return html`<${Read} read=${read}>${(/** @type {string[]} */ clusters) => clusters.length === 0
    ? html`<${NoCluster} />`
    : html`<${RulesOf} key=${id} api=${api} account=${account.name} id=${id} clusters=${clusters} />`}<//>`;
}

/** @param {{api: import("./api.js").Api, account: string, id: string, clusters: string[]}} its */
function RulesOf({ api, account, id, clusters }) {
  const cluster = useSignal(/** @type {any} */ (null));
  const etag = useRef(/** @type {string | null} */ (null));
  const edits = useMemo(() => editsOf(`${account} ${id}`), []);
  const errors = useSignal(/** @type {Record<string, string>} */ ({}));
  const said = useSignal(/** @type {any} */ (null));
  const take = (/** @type {import("./api.js").Answer} */ answer) => {
    cluster.value = answer.body;
    etag.current = answer.etag;
  };
  const reading = useRead(api, async (api) => take(await api.get(`/clusters/${encodeURIComponent(id)}`)), [id]);
  const accounts = useRead(api, async (api) => new Set((await api.all("/accounts", {}, MOST)).map(({ name }) => name)), []).data;
  const saving = useChange();
  const now = cluster.value;
  if (!now) {
    return reading.problem ? html`<${Failed} why=${reading.problem} />` : html`<${Skeleton} />`;
  }
  const [group, word, isShort] = [params().get("group") ?? TITLES[0][0], (params().get("find") ?? "").trim().toLowerCase(), params().has("changed")];
  const isEdited = (/** @type {import("./rules.js").Rule} */ rule) => rule.name in edits.value && edits.value[rule.name] !== present(rule, now);
  const edited = RULES.filter(isEdited);
  const messages = { ...Object.fromEntries((saving.problem?.errors ?? []).map((/** @type {any} */ each) => [each.field, each.message])), ...errors.value };
  const errorOf = (/** @type {string} */ name) => messages[name] ?? "";
  const isOf = (/** @type {import("./rules.js").Rule} */ { name, kind }, /** @type {string} */ field) => field === name || kind === "conditions" && field.startsWith(`${name}[`);
  const isWrong = (/** @type {import("./rules.js").Rule} */ rule) => Object.keys(messages).some((field) => isOf(rule, field));
  const isFound = (/** @type {import("./rules.js").Rule} */ rule) =>
    [rule.label, rule.help, rule.name].some((text) => text.toLowerCase().includes(word));
  const isShown = (/** @type {import("./rules.js").Rule} */ rule) => isWrong(rule)
    || (word || isShort ? isFound(rule) && (!isShort || isEdited(rule) || isChanged(rule, now)) : rule.group === group);
  const shown = TITLES.map(([name, title]) => ({ name, title, rules: RULES.filter((rule) => rule.group === name && isShown(rule)) })).filter(({ rules }) => rules.length > 0);

  const edit = (/** @type {import("./rules.js").Rule} */ rule, /** @type {string} */ text) => {
    edits.value = { ...edits.peek(), [rule.name]: text };
    said.value = null;
    if (rule.kind === "conditions" && isWrong(rule)) {
      // the rules after one that is removed have other numbers
      errors.value = Object.fromEntries(Object.entries(errors.peek()).filter(([field]) => !isOf(rule, field)));
      saving.refuse(null);
    }
  };
  const discard = () => {
    edits.value = {};
    errors.value = {};
    said.value = null;
    saving.refuse(null);
  };
  const send = async (/** @type {boolean} */ isTried) => {
    said.value = null;
    saving.refuse(null);
    const sent = edits.value = Object.fromEntries(edited.map(({ name }) => [name, edits.peek()[name]]));
    const wanted = patchOf(now, sent);
    errors.value = wanted.errors;
    if (Object.keys(wanted.errors).length > 0) {
      saving.refuse("Correct the marked fields.");
      return;
    }
    await saving.run(async () => {
      try {
        const answer = await api.patch(`/clusters/${id}${isTried ? "?dryRun=true" : ""}`, wanted.patch, { ifMatch: etag.current });
        if (isTried) {
          said.value = edits.peek() === sent ? { effects: answer.body.effects } : null;
          return;
        }
        take(answer);
        // what was typed meanwhile stays
        edits.value = Object.fromEntries(Object.entries(edits.peek()).filter(([name, text]) => text !== sent[name]));
        said.value = { text: "Saved." };
        announce("Saved.");
      } catch (problem) {
        if (/** @type {any} */ (problem).code !== "stale-version") {
          throw problem;
        }
        take(await api.get(`/clusters/${id}`));
        throw "Somebody else has changed the cluster. Your changes are kept, and all other values are current. Check them and save again.";
      }
    });
  };

  return html`
    <div class="toolbar">
      <${Field} label="Cluster"><${Choice} name="cluster" options=${clusters.map((each) => [each, each])} value=${id} onchange=${(/** @type {any} */ { target }) => change({ cluster: target.value })} /><//>
      <${Field} label="Search"><input type="search" name="find" value=${params().get("find") ?? ""} oninput=${(/** @type {any} */ { target }) => change({ find: target.value || null }, { replace: true })} /><//>
      <${Tick} checked=${isShort} onchange=${(/** @type {boolean} */ isOn) => change({ changed: isOn ? "1" : null }, { replace: true })}>Changed only<//>
    </div>
    ${!word && !isShort && html`<p><${Choices} label="Rules" options=${TITLES} value=${group} choose=${(/** @type {string} */ value) => change({ group: value })} /></p>`}
    ${shown.map(({ name, title, rules }) => html`
      <section class="panel" key=${name}>
        <h2>${title}</h2>
        ${name === "size" && !word && !isShort && html`<p class="muted">${now.granule > 1 ? `${now.pes / now.granule} nodes of ${now.granule} each, which runs take whole. The size of a node never changes.` : "Runs take any number."}</p>`}
        <div class="fields">${rules.map((rule) => html`
          <${RuleField} key=${rule.name} rule=${rule} cluster=${now} accounts=${accounts} text=${edits.value[rule.name] ?? present(rule, now)} isEdited=${isEdited(rule)}
            error=${(/** @type {string} */ below) => errorOf(rule.name + below)} edit=${(/** @type {string} */ text) => edit(rule, text)} />`)}</div>
      </section>`)}
    ${shown.some(({ name }) => name === "price") && html`<${Hours} key=${id} api=${api} cluster=${now} />`}
    ${shown.length === 0 && html`<${Empty} text=${isShort ? "All of these rules have their defaults." : `No rule matches “${word}”.`} />`}
    <section class="panel saves">
      <div aria-live="polite">
        <${Refused} why=${saving.problem} beside=${Object.keys(messages).filter((field) => RULES.some((rule) => isOf(rule, field)))} />
        ${said.value?.text && html`<p class="note">${said.value.text}</p>`}
        ${said.value?.effects && html`<${Effects} effects=${said.value.effects} api=${api} cluster=${now} />`}
      </div>
      <p class="row">
        ${edited.length === 0 ? html`<span class="muted">Nothing is changed.</span>` : html`
          <button type="button" disabled=${saving.isBusy} onclick=${() => send(true)}>What would change?</button>
          <button type="button" class="first" disabled=${saving.isBusy} onclick=${() => send(false)}>Save</button>
          <button type="button" class="quiet" onclick=${discard}>Discard</button>
          <span class="muted">${edited.map((rule) => rule.label).join(", ")}</span>`}
      </p>
    </section>`;
}

/**
 * @param {{
 *   rule: import("./rules.js").Rule, cluster: any, accounts: Set<string> | null, text: string, isEdited: boolean,
 *   error: (below: string) => string, edit: (text: string) => void,
 * }} its error: for the field, with "", or for one below it
 */
function RuleField({ rule, cluster, accounts, text, isEdited, error, edit }) {
  const { name, kind } = rule;
  const standard = standardOf(rule);
  const of = { name, value: text, oninput: (/** @type {any} */ { target }) => edit(target.value) };
  const unit = kind === "share" ? "%" : kind === "amount" ? cluster.tariff?.currency : name === "pes" ? `${cluster.unit ?? "PE"}s` : kind === "number" && name.endsWith("Phi") ? "run times" : "";
  const label = html`${rule.label}${isEdited && html` <span class="state state-HELD">edited</span>`}`;
  const hint = html`${rule.help}${standard && html` <span class=${isChanged(rule, cluster) ? "changed" : ""}>Default: ${standard}.</span>`}${kind === "accounts" && accounts && accounts.size < MOST
    && text.split(/[\s,]+/).filter((each) => each && !accounts.has(each)).map((each) => html` <span class="changed">There is no account ${each} yet.</span>`)}`;
  if (kind === "conditions") {
    return html`
      <div class="wide">
        <h3>${label}</h3>
        <p class="field-says">${hint}</p>
        <${ApprovalRules} text=${text} edit=${edit} error=${error} unit=${cluster.unit} currency=${cluster.tariff?.currency} />
      </div>`;
  }
  return html`<${Field} label=${label} hint=${hint} error=${error("")} unit=${unit}>
    ${Array.isArray(kind) ? html`<${Choice} options=${kind} name=${name} value=${text} onchange=${of.oninput} />`
      : html`<input autocomplete="off" ...${of} placeholder=${rule.none} inputmode=${["share", "count", "number", "amount"].includes(kind) ? "decimal" : null} />`}
  <//>`;
}
