import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ProjectApproval } from "./approval-rules.js";
import { formatAmount } from "./budget.js";
import { texts } from "./texts.js";
import { formatInstant, fromField, iso, now } from "./time.js";
import { Choice, Confirmed, Empty, Failed, Field, html, Icon, Moment, Named, Own, Pick, Read, Refused, Table, useChange, useForm, useRead } from "./ui.js";
import { address, change, params, zone } from "./url.js";

/** @type {[string, string][]} */
const MODES = [["TRACK", "only tracked"], ["ENFORCE", "enforced: what it cannot pay is refused"]];
/** @type {[string, string][]} */
const ROLES = Object.entries(texts.members);
/** @type {[string, string][]} */
const MODES_OF_GROUPS = [["ADDITIVE", "stay"], ["EXACT", "leave at their next sign-in, unless a group adds them"]];
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** The projects, with their members and budgets. @param {{context: import("./main.js").Context}} its */
export function Projects({ context: { api } }) {
  const read = useRead(api, async (api) => {
    const [projects, accounts] = await Promise.all([api.all("/projects", {}, 500), api.all("/accounts", {}, 2000)]);
    return { projects, accounts: accounts.map(({ name }) => name).sort((one, other) => one.localeCompare(other)) };
  }, []);
  const chosen = params().get("project");
  const isNew = params().has("new-project");
  const project = read.data?.projects.find(({ id }) => id === chosen);
  const open = (/** @type {string} */ id) => (/** @type {Event} */ event) => {
    event.preventDefault();
    change({ project: id, "new-project": null });
  };
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Project", by: (row) => row.name, cell: (row) => html`<a href="#" onclick=${open(row.id)}><${Own}>${row.name}<//></a>` },
    { head: "Label", by: (row) => row.id, cell: (row) => html`<code>${row.id}</code>` },
    { head: "Members", by: (row) => row.members.map((/** @type {any} */ each) => each.account).join(", "), cell: (row) => html`<${Own}>${membersText(row.members)}<//>` },
    { head: "Budget", by: (row) => row.mode, cell: (row) => (row.mode === "ENFORCE" ? "enforced" : html`<span class="muted">tracked</span>`) },
    { head: "Created", by: (row) => row.createdAt, cell: (row) => html`<span class="nowrap">${formatInstant(row.createdAt, zone())}</span>` },
  ];
  const button = html`<button type="button" class="first" onclick=${() => change({ "new-project": "1", project: null })}><${Icon} name="plus" />New project</button>`;
  return html`<${Read} read=${read}>${(/** @type {any} */ { projects, accounts }) => html`
    ${isNew && html`<${NewProject} api=${api} made=${(/** @type {string} */ id) => {
      if (params().has("new-project")) {
        change({ "new-project": null, project: id }, { replace: true });
      }
      read.again();
    }} />`}
    ${project && html`<${Project} key=${project.id} api=${api} project=${project} accounts=${accounts} changed=${read.again} />`}
    <section class="panel">
      <${Table} caption="Projects" name="projects" search="Search" rows=${projects} keyOf=${(/** @type {any} */ row) => row.id} columns=${columns} tools=${!isNew && button}
        empty=${html`<${Empty} text="There are no projects. A project lets its members see each other's runs, and can have a budget." />`} />
    </section>`}<//>`;
}

/** @param {any[]} members */
function membersText(members) {
  return `${members.slice(0, 6).map(({ account }) => account).join(", ")}${members.length > 6 ? ` and ${members.length - 6} more` : ""}`;
}

/** @param {{api: import("./api.js").Api, made: (id: string) => void}} its */
function NewProject({ api, made }) {
  const form = useForm({ id: /** @type {string | null} */ (null), name: "", mode: "TRACK" });
  const making = useChange();
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => box.current.querySelector("input").focus(), []);
  const is = form.values;
  const id = is.id ?? is.name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 63);
  const error = (/** @type {string} */ name) => form.errors[name] || making.error(name);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    making.refuse(null);
    const isRight = form.check({
      name: !is.name.trim() && "Enter a name.",
      id: !ID.test(id) && "Letters, digits, and . _ -, beginning with a letter or digit.",
    });
    if (isRight && await making.run(() => api.post("/projects", { id, name: is.name.trim(), mode: is.mode }))) {
      made(id);
    }
  };
  return html`
    <form class="panel" onsubmit=${submit} ref=${box}>
      <h2>New project</h2>
      <div class="fields">
        <${Field} label="Name" error=${error("name")}><input autocomplete="off" maxlength="200" ...${form.of("name")} /><//>
        <${Field} label="Label" hint="Under which its members book. Never changes." error=${error("id")}><input autocomplete="off" ...${{ ...form.of("id"), value: id }} /><//>
        <${Field} label="Budget" error=${error("mode")}><${Pick} options=${MODES} form=${form} name="mode" /><//>
      </div>
      <${Refused} why=${making.problem} beside=${["id", "name", "mode"]} />
      <p class="row">
        <button class="first" disabled=${making.isBusy}>Create</button>
        <button type="button" onclick=${() => change({ "new-project": null })}>Cancel</button>
      </p>
    </form>`;
}

/** @param {{api: import("./api.js").Api, project: any, accounts: string[], changed: () => void}} its */
function Project({ api, project, accounts, changed }) {
  const { id, name, mode, members, groups, groupsMode } = project;
  const path = `/projects/${encodeURIComponent(id)}`;
  const box = useRef(/** @type {any} */ (null));
  useEffect(() => box.current.scrollIntoView({ block: "nearest" }), []);
  const read = useRead(api, async (api) => {
    const [balance, grants] = await Promise.all([api.get(`${path}/balance`), api.get(`${path}/grants`)]);
    return { balance: balance.body, grants: grants.body.items };
  }, [mode]);
  const form = useForm({ name, mode });
  const saving = useChange();
  const present = useRef({ name, mode });
  const edits = () => Object.fromEntries(Object.entries({ ...form.peek(), name: form.peek().name.trim() }).filter(([field, value]) => value !== /** @type {any} */ (present.current)[field]));
  // later changes by others are shown
  useEffect(() => {
    const edited = edits();
    present.current = { name, mode };
    form.load({ name, mode, ...edited });
  }, [name, mode]);
  const isEdited = Object.keys(edits()).length > 0;
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    // others may have changed the rest
    if (form.check({ name: !form.values.name.trim() && "Enter a name." }) && await saving.run(() => api.patch(path, edits()))) {
      changed();
    }
  };
  return html`
    <section class="panel" ref=${box}>
      <div class="head">
        <h2><${Own}>${name}<//></h2>
        <span class="row"><a class="button" href=${address("projects", { id })}>As its members see it</a>
          <button type="button" onclick=${() => change({ project: null })}><${Icon} name="x" />Close</button></span>
      </div>
      <form onsubmit=${save}>
        <div class="fields">
          <${Field} label="Name" error=${form.errors.name || saving.error("name")}><input autocomplete="off" maxlength="200" ...${form.of("name")} /><//>
          <${Field} label="Budget" error=${saving.error("mode")}><${Pick} options=${MODES} form=${form} name="mode" /><//>
        </div>
        <${Refused} why=${saving.problem} beside=${["name", "mode"]} />
        ${isEdited && html`<p><button class="first" disabled=${saving.isBusy}>Save</button></p>`}
      </form>
      <div class="halves">
        <div>
          <${Members} api=${api} path=${path} members=${members} hasGroups=${groups.length > 0} accounts=${accounts} changed=${changed} />
          <${Groups} api=${api} path=${path} groups=${groups} mode=${groupsMode} changed=${changed} />
          <${ProjectApproval} api=${api} path=${path} approval=${project.approval} changed=${changed} />
        </div>
        <div>
          <h3>Grants</h3>
          <${Read} read=${read}>${(/** @type {any} */ known) => html`<${Grants} api=${api} path=${path} ...${known} changed=${read.again} />`}<//>
        </div>
      </div>
    </section>`;
}

/** @param {{api: import("./api.js").Api, path: string, members: any[], hasGroups: boolean, accounts: string[], changed: () => void}} its */
function Members({ api, path, members, hasGroups, accounts, changed }) {
  const changing = useChange();
  const form = useForm({ account: "", role: "MEMBER" });
  const put = async (/** @type {string} */ account, /** @type {string} */ role) => {
    if (await changing.run(() => api.put(`${path}/members/${encodeURIComponent(account)}`, { role }))) {
      changed();
      return true;
    }
    return false;
  };
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const account = form.values.account.trim();
    if (form.check({ account: !accounts.includes(account) && "Choose an account from the list." }) && await put(account, form.values.role) && form.peek().account.trim() === account) {
      form.set("account", "");
    }
  };
  const remove = (/** @type {string} */ account) => changing.run(async () => {
    await api.del(`${path}/members/${encodeURIComponent(account)}`);
    changed();
  });
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Account", cell: (row) => html`<${Own}>${row.account}<//> <${Named} name=${row.displayName} />` },
    { head: "Role", cell: (row) => html`<${Choice} aria-label=${`Role of ${row.account}`} options=${ROLES} value=${row.role} onchange=${(/** @type {any} */ { target }) => put(row.account, target.value)} />` },
    ...(hasGroups ? [{ head: "Added", cell: (/** @type {any} */ row) => (row.origin === "GROUP" ? "by a group" : html`<span class="muted">by hand</span>`) }] : []),
    { head: "Actions", cell: (row) => html`<${Confirmed} class="quiet harm" question=${`Remove ${row.account}? It can no longer see other members' reservations here.`} yes="Remove" act=${() => remove(row.account)}>Remove<//>` },
  ];
  return html`
    <div>
      <h3>Members</h3>
      <${Failed} why=${changing.problem} />
      <${Table} caption="Members" rows=${members} keyOf=${(/** @type {any} */ row) => row.account} columns=${columns} empty=${html`<p class="muted">It has no members yet.</p>`} />
      <form class="toolbar" onsubmit=${add}>
        <${Field} label="Account" error=${form.errors.account}><input list="accounts-to-add" autocomplete="off" ...${form.of("account")} /><//>
        <datalist id="accounts-to-add">${accounts.filter((each) => !members.some(({ account }) => account === each)).map((each) => html`<option key=${each} value=${each} />`)}</datalist>
        <${Field} label="Role"><${Pick} options=${ROLES} form=${form} name="role" /><//>
        <button class=${form.values.account ? "first" : ""} disabled=${changing.isBusy}>Add</button>
      </form>
    </div>`;
}

/** @typedef {{group: string, role: string}[]} List */

/**
 * The groups of the identity provider whose people are members.
 * @param {{api: import("./api.js").Api, path: string, groups: List, mode: string, changed: () => void}} its
 */
function Groups({ api, path, groups, mode, changed }) {
  const changing = useChange();
  const form = useForm({ group: "", role: "MEMBER" });
  const setMode = (/** @type {string} */ groupsMode) => changing.run(async () => {
    await api.patch(path, { groupsMode });
    changed();
  });
  /** Changes the list as it is now: others may have changed it. */
  const save = (/** @type {(all: List) => List} */ edit) => changing.run(async () => {
    await api.patch(path, { groups: edit((await api.get(path)).body.groups) });
    changed();
  });
  const remove = (/** @type {string} */ group) => save((all) => {
    if (all.length !== groups.length) {
      changed();
      throw "Somebody else has changed the groups. Look at them, and remove it again.";
    }
    return without(group)(all);
  });
  const without = (/** @type {string} */ group) => (/** @type {List} */ all) => all.filter((each) => each.group !== group);
  const withRole = (/** @type {string} */ group, /** @type {string} */ role) => save((all) => [...without(group)(all), { group, role }]);
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const group = form.values.group.trim();
    const wrong = !group ? "Enter the group as its tokens name it." : groups.some((each) => each.group === group) && "It is in the list already.";
    if (form.check({ group: wrong }) && await withRole(group, form.values.role) && form.peek().group.trim() === group) {
      form.set("group", "");
    }
  };
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Group", cell: (row) => html`<${Own}>${row.group}<//>` },
    { head: "Role", cell: (row) => html`<${Choice} aria-label=${`Role of ${row.group}`} options=${ROLES} value=${row.role} onchange=${(/** @type {any} */ { target }) => withRole(row.group, target.value)} />` },
    { head: "Actions", cell: (row) => html`<${Confirmed} class="quiet harm" question=${groups.length === 1
      ? `Remove ${row.group}? All members that a group has added leave at once.` : `Remove ${row.group}? Its members leave when they next sign in.`} yes="Remove" act=${() => remove(row.group)}>Remove<//>` },
  ];
  return html`
    <details open=${groups.length > 0}>
      <summary>Groups of the identity provider</summary>
      <p class="muted">People of these groups become members when they sign in with a token of the identity provider, and leave when a new token no longer shows the group.</p>
      <${Failed} why=${changing.problem} />
      <${Table} caption="Groups" rows=${groups} keyOf=${(/** @type {any} */ row) => row.group} columns=${columns} empty=${html`<p class="muted">Groups add nobody yet.</p>`} />
      <form class="toolbar" onsubmit=${add}>
        <${Field} label="Group" error=${form.errors.group}><input autocomplete="off" maxlength="200" placeholder="/hpc/ml" ...${form.of("group")} /><//>
        <${Field} label="Role"><${Pick} options=${ROLES} form=${form} name="role" /><//>
        <button class=${form.values.group ? "first" : ""} disabled=${changing.isBusy}>Add the group</button>
      </form>
      ${groups.length > 0 && html`
        <${Field} label="Members added by hand" hint="Accounts that never sign in at the identity provider stay in any case.">
          <${Choice} options=${MODES_OF_GROUPS} value=${mode} onchange=${(/** @type {any} */ { target }) => setMode(target.value)} /><//>`}
    </details>`;
}

/** @param {{api: import("./api.js").Api, path: string, balance: any, grants: any[], changed: () => void}} its */
function Grants({ api, path, balance, grants, changed }) {
  const acting = useChange();
  const isOpen = useSignal(grants.length === 0);
  const end = (/** @type {any} */ grant) => acting.run(async () => {
    await api.del(`${path}/grants/${encodeURIComponent(grant.id)}`);
    changed();
  });
  const isOver = (/** @type {any} */ grant) => Date.parse(grant.until) <= now();
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Grant", cell: (row) => html`<${Own}>${row.id}<//>` },
    { head: "Amount", isNumber: true, cell: (row) => formatAmount(row.amount) },
    { head: "Credit limit", isNumber: true, cell: (row) => formatAmount(row.creditLimit) },
    { head: "From", cell: (row) => html`<span class="nowrap">${formatInstant(row.from, zone())}</span>` },
    { head: "Until", cell: (row) => html`<span class="nowrap">${formatInstant(row.until, zone())}</span>` },
    { head: "Actions", cell: (row) => isOver(row) ? html`<span class="muted">over${row.expired && `, ${formatAmount(row.expired)} expired`}</span>`
      : html`<${Confirmed} class="quiet harm" question=${`End the grant ${row.id} now? What is left of it expires.`} yes="End it" act=${() => end(row)}>End<//>` },
  ];
  return html`
    ${balance.available && html`<p>${formatAmount(balance.available)} available: ${formatAmount(balance.granted)} granted, ${formatAmount(balance.held)} held, ${formatAmount(balance.charged)} charged.</p>`}
    <${Failed} why=${acting.problem} />
    <${Table} caption="Grants" rows=${grants} keyOf=${(/** @type {any} */ row) => row.id} columns=${columns} empty=${html`<p class="muted">It has no grant yet. Its budget begins with the first one.</p>`} />
    ${isOpen.value
      ? html`<${NewGrant} api=${api} path=${path} unit=${balance.granted} grants=${grants} made=${() => {
          isOpen.value = false;
          changed();
        }} />`
      : html`<p><button type="button" onclick=${() => { isOpen.value = true; }}><${Icon} name="plus" />New grant</button></p>`}`;
}

/** @param {{api: import("./api.js").Api, path: string, unit: any, grants: any[], made: () => void}} its unit: an amount of the budget, if it has one */
function NewGrant({ api, path, unit, grants, made }) {
  const year = new Date(now()).getFullYear();
  const name = Array.from({ length: grants.length + 1 }, (_, i) => (i === 0 ? `grant-${year}` : `grant-${year}-${i + 1}`)).find((each) => !grants.some(({ id }) => id === each)) ?? "";
  const form = useForm({ id: name, amount: "", unit: unit?.currency ?? (unit ? "PE-hours" : "EUR"), credit: "" });
  const [from, until] = [useSignal("now"), useSignal(`31 Dec ${year}`)];
  const making = useChange();
  const is = form.values;
  const error = (/** @type {string} */ key) => form.errors[key] || making.error(key) || making.error(`${key}.amount`) || making.error(`${key}.peHours`);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    making.refuse(null);
    const [begin, end] = [fromField(from.value, zone()), fromField(until.value, zone(), true)];
    const number = (/** @type {string} */ text) => (/^\d+([.,]\d+)?$/.test(text.trim()) ? text.trim().replace(",", ".") : null);
    const [amount, credit] = [number(is.amount), is.credit.trim() === "" ? "" : number(is.credit)];
    const currency = is.unit.trim();
    const isHours = currency === "PE-hours";
    const isRight = form.check({
      id: !ID.test(is.id.trim()) && "Letters, digits, and . _ -, beginning with a letter or digit.",
      amount: amount === null && "An amount such as 5000.",
      unit: !isHours && !/^[A-Z]{3}$/.test(currency) && "A currency such as EUR, or PE-hours.",
      creditLimit: credit === null && "An amount such as 500, or nothing.",
      from: Number.isNaN(begin) && "Write now, or a day such as 1 Jan.",
      until: Number.isNaN(end) ? "A day such as 31 Dec." : end <= begin && "It must lie after the beginning.",
    });
    const amountOf = (/** @type {string} */ text) => (isHours ? { peHours: Number(text) } : { amount: text, currency });
    if (isRight && await making.run(() => api.post(`${path}/grants`, {
      id: is.id.trim(), amount: amountOf(amount ?? ""),
      ...(credit && { creditLimit: amountOf(credit) }),
      ...(from.value.trim() !== "now" && { from: iso(begin) }),
      until: iso(end),
    }))) {
      made();
    }
  };
  return html`
    <form onsubmit=${submit}>
      <div class="fields">
        <${Field} label="Amount" error=${error("amount")}><input inputmode="decimal" ...${form.of("amount")} /><//>
        <${Field} label="In" error=${form.errors.unit}><input list="budget-units" disabled=${Boolean(unit)} ...${form.of("unit")} /><//>
        <${Field} label="May overdraw by" hint="The credit limit. Leave empty for none." error=${error("creditLimit")}><input inputmode="decimal" ...${form.of("credit")} /><//>
        <${Moment} label="From" name="grant-from" value=${from} error=${error("from")} />
        <${Moment} label="Until" name="grant-until" value=${until} error=${error("until")} />
        <${Field} label="Name" error=${error("id")}><input autocomplete="off" ...${form.of("id")} /><//>
      </div>
      <datalist id="budget-units"><option value="EUR" /><option value="USD" /><option value="PE-hours" /></datalist>
      <${Refused} why=${making.problem} beside=${["id", "amount", "amount.amount", "amount.peHours", "creditLimit", "creditLimit.amount", "from", "until"]} />
      <p><button class="first" disabled=${making.isBusy}>Grant it</button></p>
    </form>`;
}
