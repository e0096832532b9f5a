import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { clustersBy } from "./admin-clusters.js";
import { Mail } from "./mail.js";
import { texts } from "./texts.js";
import { DURATION_WRONG, durationSeconds, formatDuration, isoDuration, LEAD_WRONG } from "./time.js";
import { ask, Choice, Confirmed, Empty, Failed, Field, html, Icon, Menu, Named, Own, Pick, Read, Refused, Table, useChange, useForm, useRead } from "./ui.js";
import { change, params } from "./url.js";

/** @type {[string, string][]} */
const ROLES = [
  ["CLIENT", "client: books"],
  ["VIEWER", "viewer: reads reports and the timeline"],
  ["ADMIN", "administrator: everything"],
  ["AGENT", "agent: a program that follows a cluster"],
];
/** @type {[string, string][]} */
const MEMBERS = [["", "not a member"], ...Object.entries(texts.members)];

const number = new Intl.NumberFormat("en");

/** The limits of an account. @type {[name: string, label: string, hint: string, least: number, says: (limit: string) => string][]} */
const LIMITS = [
  ["pes", "At one time", "Most PEs in use at any instant.", 1, (limit) => `${limit} PEs at one time`],
  ["peHours", "Booked ahead", "Most PE-hours that still lie ahead.", 1, (limit) => `${limit} PE-hours ahead`],
  ["activeReservations", "Reservations", "Held, confirmed or running.", 0, (limit) => `${limit} reservations`],
  ["holds", "Holds", "Places kept without being confirmed.", 0, (limit) => `${limit} holds`],
  ["maxHold", "Longest hold", "Such as 15 min.", 0, (limit) => `holds of ${limit}`],
  ["jobs", "Batch jobs", "Waiting or running.", 0, (limit) => `${limit} batch jobs`],
  ["peHoursPerWeek", "In any seven days", "Most PE-hours, past and booked.", 1, (limit) => `${limit} PE-hours in seven days`],
  ["startsAhead", "Not begun yet", "Most reservations that lie ahead.", 0, (limit) => `${limit} ahead`],
  ["coolDown.duration", "Pause after a run", "Such as 6 h, at most 7 days.", 0, (limit) => `a pause of ${limit} after runs`],
  ["coolDown.after", "Only after runs of", "Such as 4 h, or longer. Leave empty for every run.", 0, (limit) => `of ${limit}`],
  ["pendingRequests", "Undecided requests", "On clusters that collect requests.", 0, (limit) => `${limit} undecided requests`],
];

/** The limits that are durations. */
const SPANS = ["maxHold", "coolDown.duration", "coolDown.after"];

/** Returns a limit, null if there is none. @param {any} limits @param {string} name */
function limitOf(limits, name) {
  const value = name.split(".").reduce((found, field) => found?.[field], limits) ?? null;
  return name === "coolDown.after" && value === "PT0S" ? null : value;
}

/** The accounts. @param {{context: import("./main.js").Context, showSecret: (secret: {label: string, hint: string, value: string}) => void}} its */
export function Accounts({ context, showSecret }) {
  const { api } = context;
  const read = useRead(api, async (api) => {
    const [accounts, projects, clusters] = await Promise.all([api.all("/accounts", {}, 2000), api.all("/projects", {}, 500), clustersBy(api)]);
    accounts.sort((one, other) => one.name.localeCompare(other.name));
    return { accounts, projects, clusters: clusters.filter((each) => !each.peer).map((each) => each.id) };
  }, []);
  return html`<${Read} read=${read}>${(/** @type {any} */ data) => html`<${AccountList} context=${context} data=${data} again=${read.again} showSecret=${showSecret} />`}<//>`;
}

/**
 * @typedef {{accounts: any[], projects: any[], clusters: string[]}} Known
 * @param {{context: import("./main.js").Context, data: Known, again: () => void, showSecret: (secret: {label: string, hint: string, value: string}) => void}} its
 */
function AccountList({ context: { api, session, account: me }, data, again, showSecret }) {
  const acting = useChange();
  const chosen = params().get("account");
  const isNew = params().has("new-account");
  const showToken = async (/** @type {any} */ { name, token }) => {
    showSecret({ label: `Token of ${name}`, hint: `The token of ${name}. It is shown only once: copy it before you close it or leave Admin.`, value: token });
    if (name === me.name) {
      await session.adopt(token);
    }
  };
  // another account may have been opened meanwhile
  const close = (/** @type {string | null} */ name) => params().get("account") === name && change({ account: null, "new-account": null }, { replace: true });
  const renew = (/** @type {string} */ name) => acting.run(async () => showToken((await api.post(`${pathOf(name)}/token`, undefined, {})).body));
  const remove = (/** @type {string} */ name) => acting.run(async () => {
    await api.del(pathOf(name));
    close(name);
    again();
  });
  const projectsOf = (/** @type {string} */ name) => data.projects.filter(({ members }) => members.some((/** @type {any} */ each) => each.account === name));
  const unlimited = data.accounts.filter(({ role, limits }) => role === "CLIENT" && !["activeReservations", "pes", "peHours", "peHoursPerWeek"].some((limit) => typeof limits?.[limit] === "number"));
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Name", by: (row) => `${row.name} ${row.displayName ?? ""}`, cell: (row) => html`<a href="#" onclick=${open(row.name)}><${Own}>${row.name}<//></a> <${Named} name=${row.displayName} />` },
    { head: "Role", by: (row) => row.role, cell: (row) => html`<span>${roleWord(row.role)}${row.cluster && html` of <${Own}>${row.cluster}<//>`}${row.roleByHand && html` <span class="muted small">by a group</span>`}</span>` },
    { head: "Class", by: (row) => row.serviceClass ?? "", cell: (row) => row.serviceClass === "PREMIUM" ? "premium" : html`<span class="muted">standard</span>` },
    { head: "Priority", isNumber: true, by: (row) => row.priority ?? 0, cell: (row) => row.priority ?? "" },
    { head: "Limits", by: (row) => limitsText(row), cell: (row) => limitsText(row) || html`<span class="muted">none</span>` },
    { head: "Projects", by: (row) => projectsOf(row.name).map(({ id }) => id).join(", "), cell: (row) => projectsOf(row.name).map(({ id }) => id).join(", ") },
    { head: "Actions", cell: (row) => html`<${Menu} label=${`More for ${row.name}`}>
      <${Confirmed} question=${`Make a new token for ${row.name}? The old one stops working at once.`} yes="New token" act=${() => renew(row.name)}>New token<//>
      ${row.name !== me.name && html`<${Confirmed} class="harm" question=${`Delete ${row.name}? Its token stops working at once. Its reservations stay.`} yes="Delete" act=${() => remove(row.name)}>Delete<//>`}
    <//>` },
  ];
  const button = html`<button type="button" class="first" onclick=${() => change({ "new-account": "1", account: null })}><${Icon} name="plus" />New account</button>`;
  return html`
    <${Failed} why=${acting.problem} />
    ${(isNew || chosen) && html`<${AccountForm} key=${chosen ?? ""} api=${api} name=${chosen} me=${me.name} data=${data} done=${() => {
      close(chosen);
      again();
    }} showToken=${showToken} />`}
    <section class="panel">
      ${unlimited.length > 0 && html`<p class="note"><${Icon} name="triangle-alert" /> ${unlimited.length === 1 ? "One client has" : `${unlimited.length} clients have`} no limit and can book everything up to the horizon: ${unlimited.slice(0, 10).map(({ name }) => name).join(", ")}${unlimited.length > 10 ? " …" : "."}</p>`}
      <${Table} caption="Accounts" name="accounts" search="Search" rows=${data.accounts} keyOf=${(/** @type {any} */ row) => row.name} columns=${columns} tools=${!isNew && button}
        empty=${html`<${Empty} text="There are no accounts." />`} />
    </section>`;
}

/** @param {string} name */
function pathOf(name) {
  return `/accounts/${encodeURIComponent(name)}`;
}

/** @param {string} name */
function open(name) {
  return (/** @type {Event} */ event) => {
    event.preventDefault();
    change({ account: name, "new-account": null });
  };
}

/** @param {string} role */
function roleWord(role) {
  return ROLES.find(([value]) => value === role)?.[1].split(":")[0] ?? role;
}

/** Returns the limits of an account in words. @param {any} account */
function limitsText({ limits }) {
  return LIMITS.filter(([name]) => limitOf(limits, name) !== null)
    .map(([name, , , , says]) => says(SPANS.includes(name) ? formatDuration(limitOf(limits, name)) : number.format(limitOf(limits, name)))).join(", ").replace("after runs, of", "after runs of");
}

/** @param {string | undefined | null} duration */
const spanText = (duration) => (duration ? formatDuration(duration) : "");

/** Returns what the form shows of an account. @param {any} account @param {any[]} projects */
function valuesOf(account, projects) {
  return {
    name: account?.name ?? "",
    displayName: account?.displayName ?? "",
    role: account?.role ?? "CLIENT",
    cluster: account?.cluster ?? "",
    serviceClass: account?.serviceClass ?? "STANDARD",
    priority: String(account?.priority ?? 5),
    leads: (account?.leads ?? []).map(spanText).join(", "),
    ...Object.fromEntries(LIMITS.map(([name]) => [name, SPANS.includes(name) ? spanText(limitOf(account?.limits, name)) : String(limitOf(account?.limits, name) ?? "")])),
    member: Object.fromEntries(projects.map(({ id, members }) => [id, members.find((/** @type {any} */ each) => each.account === account?.name)?.role ?? ""])),
  };
}

const FIELDS = ["name", "displayName", "role", "cluster", "serviceClass", "priority", "leads", ...LIMITS.map(([name]) => `limits.${name}`)];

/**
 * All of an account in one form, for a new account and for an existing one. Once a new one is made, it is an existing one.
 * @param {{api: import("./api.js").Api, name: string | null, me: string, data: Known, done: () => void, showToken: (body: any) => void}} its
 */
function AccountForm({ api, name: asked, me, data: { accounts, projects, clusters }, done, showToken }) {
  const made = useSignal(asked ?? "");
  const name = made.value;
  const saved = useRef(/** @type {any} */ (null));
  saved.current ??= valuesOf(accounts.find((each) => each.name === name), projects);
  const form = useForm(/** @type {any} */ (saved.current));
  const saving = useChange();
  const box = useRef(/** @type {any} */ (null));
  const added = useSignal(/** @type {string[]} */ ([]));
  useEffect(() => {
    box.current.scrollIntoView({ block: "nearest" });
    box.current.querySelector(name ? "select" : "input")?.focus();
  }, []);
  if (asked && !saved.current.name) {
    return html`<section class="panel" ref=${box}><p class="problem">There is no account ${asked}.</p></section>`;
  }
  const is = form.values;
  const byHand = accounts.find((each) => each.name === name)?.roleByHand;
  const books = ["CLIENT", "ADMIN"].includes(is.role);
  const error = (/** @type {string} */ field) => form.errors[field] || saving.error(field);
  const limitError = (/** @type {string} */ limit) => form.errors[limit] || saving.error(`limits.${limit}`);

  const limitIn = (/** @type {string} */ limit) => is[limit].trim() === "" ? null : SPANS.includes(limit) ? isoDuration(durationSeconds(is[limit])) : Number(is[limit]);

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    saving.refuse(null);
    const leads = is.leads.split(",").map((/** @type {string} */ each) => each.trim()).filter(Boolean);
    const isRight = form.check({
      name: !name && !/^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$/.test(is.name.trim()) && "Letters, digits, and . _ @ -, beginning with a letter or digit.",
      cluster: is.role === "AGENT" && !is.cluster && "Choose the cluster that it follows.",
      priority: !/^([1-9]|10)$/.test(is.priority.trim()) && "A whole number from 1 to 10.",
      leads: leads.some((/** @type {string} */ each) => !(durationSeconds(each) >= 60)) && LEAD_WRONG,
      ...Object.fromEntries(LIMITS.map(([limit, , , least]) => [limit, is[limit].trim() !== "" && (SPANS.includes(limit)
        ? !(durationSeconds(is[limit]) >= 0) && DURATION_WRONG
        : !(/^\d+$/.test(is[limit].trim()) && Number(is[limit]) >= least) && `A whole number, at least ${least}, or nothing for no limit.`)])),
      ...(is["coolDown.after"].trim() !== "" && is["coolDown.duration"].trim() === "" && { "coolDown.duration": "Say how long the pause is." }),
    });
    if (!isRight || name && is.role !== saved.current.role && !(await ask(`Give ${name} the role ${roleWord(is.role)}? What it may see and do changes at once.`, "Change its role", "Cancel"))) {
      return;
    }
    const limits = Object.fromEntries(LIMITS.filter(([limit]) => is[limit] !== saved.current[limit])
      .map(([limit]) => [limit, limitIn(limit)])
      // the two fields of the pause go together
      .map(([limit, value]) => String(limit).startsWith("coolDown.") ? ["coolDown", limitIn("coolDown.duration") === null ? null : { duration: limitIn("coolDown.duration"), after: limitIn("coolDown.after") }] : [limit, value]));
    /** @type {Record<string, unknown>} */
    const all = {
      displayName: is.displayName.trim() || null,
      role: is.role,
      cluster: is.role === "AGENT" ? is.cluster : null,
      ...(books && { serviceClass: is.serviceClass, priority: Number(is.priority) }),
      leads: books && leads.length > 0 ? leads.map((/** @type {string} */ each) => isoDuration(durationSeconds(each))) : null,
    };
    const changed = Object.fromEntries(Object.entries(all).filter(([field]) => !name || is[field] !== saved.current[field] || field === "cluster" && is.role !== saved.current.role));
    const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
    const isDone = await saving.run(async () => {
      if (!name) {
        const some = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null));
        const { body } = await api.post("/accounts", { name: is.name.trim(), ...given, ...(Object.keys(some).length > 0 && { limits: some }) });
        made.value = body.name;
        showToken(body);
      } else if (Object.keys({ ...changed, ...limits }).length > 0) {
        await api.patch(pathOf(name), { ...changed, ...(Object.keys(limits).length > 0 && { limits }) });
      }
      const member = { ...saved.current.member };
      saved.current = { ...is, member };
      for (const [id, role] of Object.entries(is.member).filter(([id, role]) => role !== member[id])) {
        const path = `/projects/${encodeURIComponent(id)}/members/${encodeURIComponent(made.value)}`;
        await (role ? api.put(path, { role }) : api.del(path));
        member[id] = role;
      }
    });
    if (isDone) {
      done();
    }
  };

  const shown = projects.filter(({ id }) => is.member[id] || saved.current.member[id] || added.value.includes(id));
  const others = projects.filter((each) => !shown.includes(each));
  const add = (/** @type {any} */ { target }) => {
    added.value = [...added.value, target.value];
    form.set("member", { ...is.member, [target.value]: "MEMBER" });
    target.value = "";
  };
  return html`
    <form class="panel" onsubmit=${submit} ref=${box}>
      <h2>${name ? html`<${Own}>${name}<//>` : "New account"}</h2>
      <div class="fields">
        ${!name && html`<${Field} label="Name" error=${error("name")}><input autocomplete="off" ...${form.of("name")} /><//>`}
        <${Field} label="Name of the person" hint="Shown beside the account. A token of the identity provider may replace it." error=${error("displayName")}><input autocomplete="off" maxlength="200" ...${form.of("displayName")} /><//>
        <${Field} label="Role" error=${error("role")} hint=${byHand && `A group of the identity provider gives this role. Without it, the account is a ${roleWord(byHand)}.`}>
          <${Pick} options=${ROLES} form=${form} name="role" disabled=${name === me || Boolean(byHand)} /><//>
        ${is.role === "AGENT" && html`<${Field} label="Follows the cluster" error=${error("cluster")}><${Pick} options=${[["", "choose one"], ...clusters.map((each) => [each, each])]} form=${form} name="cluster" /><//>`}
        ${books && html`
          <${Field} label="Class" hint="Premium pays more and is served first." error=${error("serviceClass")}><${Pick} options=${[["STANDARD", "standard"], ["PREMIUM", "premium"]]} form=${form} name="serviceClass" /><//>
          <${Field} label="Priority" hint="From 1 to 10, on clusters that collect requests." error=${error("priority")}><input inputmode="numeric" ...${form.of("priority")} /><//>
          <${Field} label="Announce starts and ends" hint="How long before, such as 1 h, 15 min. Leave empty for never." error=${error("leads")}><input autocomplete="off" ...${form.of("leads")} /><//>`}
      </div>
      ${books && html`
        <h3>At most</h3>
        <div class="fields">${LIMITS.map(([limit, label, hint]) => html`
          <${Field} key=${limit} label=${label} hint=${hint} error=${limitError(limit)}><input autocomplete="off" placeholder="no limit" ...${form.of(limit)} /><//>`)}</div>
        <h3>Projects</h3>
        <div class="fields">
          ${shown.map(({ id, name: title }) => html`<${Field} key=${id} label=${title === id ? id : `${title} (${id})`}>
            <${Choice} name=${`member-${id}`} options=${MEMBERS} value=${is.member[id]} onchange=${(/** @type {any} */ { target }) => form.set("member", { ...is.member, [id]: target.value })} /><//>`)}
          ${others.length > 0 && html`<${Field} label="Add to"><${Choice} name="add-project" options=${[["", "choose a project"], ...others.map(({ id, name: title }) => [id, title])]} value="" onchange=${add} /><//>`}
        </div>`}
      <${Refused} why=${saving.problem} beside=${FIELDS} />
      <p class="row">
        <button class="first" disabled=${saving.isBusy}>${name ? "Save" : "Create"}</button>
        <button type="button" onclick=${done}>Cancel</button>
      </p>
    </form>
    ${name && books && html`<${Mail} api=${api} name=${name} mayProve=${true} title="E-mail" />`}`;
}
