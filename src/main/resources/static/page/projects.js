import { download } from "./csv.js";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ProjectApproval } from "./approval-rules.js";
import { Budget } from "./budget.js";
import { BurnDown } from "./burndown.js";
import { announce } from "./document.js";
import { Feeds } from "./feeds.js";
import { byStart, Link, newest, ProjectName, useClusters } from "./runs.js";
import { Runs } from "./runs-table.js";
import { SERIES_STATES } from "./series.js";
import { texts } from "./texts.js";
import { ask, bound, Choice, Confirmed, Empty, Failed, Field, html, Icon, Named, Own, Skeleton, Table, useChange, useEvents, useRead } from "./ui.js";
import { formatMoney } from "./money.js";
import { address, change, params } from "./url.js";

const MOST = 500;
const PAUSE = 1000;
const LIVE = ["RUNNING", "CONFIRMED", "HELD", "WAITING", "PENDING"];
const ROLES = Object.entries(texts.members);

/**
 * The account's projects, with their budgets, members and reservations; all of them for an administrator.
 * @param {{context: import("./main.js").Context}} its
 */
export function View({ context }) {
  const { data, problem } = useRead(context.api, (api) => api.all("/projects", {}, 2000), []);
  const id = params().get("id") ?? "";
  useEffect(() => {
    if (!id && data?.length === 1) {
      change({ id: data[0].id }, { replace: true });
    }
  }, [id, data]);
  const isAdministrator = context.account.role === "ADMIN";
  return html`
    <h1>Projects</h1>
    <${Failed} why=${problem} />
    ${!data ? !problem && html`<${Skeleton} />`
      : data.length === 0 && !id ? html`<section class="panel"><${Empty} text=${isAdministrator
        ? "There are no projects yet." : "You are not a member of any project. An administrator creates projects."} /></section>`
      : html`
        <div class=${data.length > 1 ? "columns" : ""}>
          ${data.length > 1 && html`<nav class="panel side" aria-label="Projects"><ul>${data.map((each) => html`
            <li key=${each.id}><a href=${address("projects", { id: each.id })} aria-current=${each.id === id ? "page" : null}><${Own}>${each.name}<//></a></li>`)}</ul></nav>`}
          <div>${id ? html`<${Project} key=${id} id=${id} context=${context} />` : html`
            <section class="panel"><${Empty} text="Choose a project to see its budget, its members and its reservations." /></section>`}</div>
        </div>`}`;
}

/** @param {{id: string, context: import("./main.js").Context}} its */
function Project({ id, context }) {
  const { api, session, account } = context;
  const path = `/projects/${encodeURIComponent(id)}`;
  const clusters = useClusters(api);
  const isSubscribing = useSignal(false);
  const read = useRead(api, async (api) => {
    const [project, balance, live, series] = await Promise.all([
      api.get(path), api.get(`${path}/balance`), newest(api, { project: id }, LIVE, MOST), api.all("/series", { project: id }, MOST),
    ]);
    return { project: project.body, balance: balance.body, live, series };
  }, []);
  // the stream ends when the account is no longer a member
  useEvents(session, `/events/stream?project=${encodeURIComponent(id)}`, read.again, PAUSE);
  const { data } = read;
  if (/** @type {any} */ (read.problem)?.status === 404) {
    return html`<section class="panel"><${Empty} text="There is no such project, or you are not a member." /></section>`;
  }
  if (!data) {
    return read.problem ? html`<${Failed} why=${read.problem} />` : html`<${Skeleton} />`;
  }
  const { project, balance, live, series } = data;
  const own = project.members.find((/** @type {any} */ each) => each.account === account.name)?.role;
  const mayChange = account.role === "ADMIN" || own === "OWNER";
  return html`
    <section class="panel">
      <div class="head">
        <h2><${ProjectName} id=${project.id} name=${project.name} /></h2>
        <div class="row">
          <button type="button" aria-expanded=${String(isSubscribing.value)} onclick=${() => { isSubscribing.value = !isSubscribing.value; }}><${Icon} name="calendar" />Calendar</button>
          <${Save} api=${api} path=${path} id=${id} />
        </div>
      </div>
      <h3>Budget</h3>
      <${Budget} balance=${balance} />
      ${balance.granted && html`<${BurnDown} api=${api} path=${path} balance=${balance} live=${live} />`}
    </section>
    ${isSubscribing.value && html`<${Feeds} context=${context} project=${id} />`}
    <div class="halves">
      <${Members} context=${context} project=${project} path=${path} mayChange=${mayChange} again=${read.again} />
      ${mayChange && html`<${Shares} api=${api} id=${id} />`}
    </div>
    ${mayChange && html`<section class="panel"><${ProjectApproval} api=${api} path=${path} approval=${project.approval} changed=${read.again} /></section>`}
    <section class="panel">
      <h2>Filed under it</h2>
      <${Runs} name="filed" caption="Filed under it" rows=${byStart(live.all)} clusters=${clusters} isAdministrator=${true}
        people=${new Map(project.members.map((/** @type {any} */ each) => [each.account, each.displayName]))}
        empty=${html`<${Empty} text="There are no current or future reservations here.">
          ${own !== "VIEWER" && html`<a class="button first" href=${address("book", { project: id })}>Book a run</a>`}<//>`} />
      ${live.isMore && html`<p class="muted">Only the newest ${MOST} of each state are listed.</p>`}
      ${series.length > 0 && html`
        <h3>Series filed under it</h3>
        <${Table} caption="Series filed under it" rows=${series} keyOf=${(/** @type {any} */ each) => each.id} columns=${[
          { head: "Series", cell: (/** @type {any} */ each) => html`<${Link} each=${each} view="series" />` },
          { head: "Owner", cell: (/** @type {any} */ each) => html`<${Own}>${each.owner}<//>` },
          { head: "Repeats", cell: (/** @type {any} */ each) => each.recurrence.rrule },
          { head: "State", cell: (/** @type {any} */ each) => SERIES_STATES[each.state] },
        ]} />`}
    </section>`;
}

/** A button that saves this month's charges as a file. @param {{api: import("./api.js").Api, path: string, id: string}} its */
function Save({ api, path, id }) {
  const { isBusy, problem, run } = useChange();
  const save = async () => {
    download(`${id}-charges.csv`, (await api.get(`${path}/charges.csv`)).body);
  };
  return html`
    <button type="button" disabled=${isBusy} onclick=${() => run(save)}><${Icon} name="download" />Charges of this month as a file</button>
    <${Failed} why=${problem} />`;
}

/** @param {{context: import("./main.js").Context, project: any, path: string, mayChange: boolean, again: () => void}} its */
function Members({ context: { api, account }, project, path, mayChange, again }) {
  const { isBusy, problem, run } = useChange();
  const name = useSignal("");
  const role = useSignal("MEMBER");
  const known = useRead(api, async (api) => (account.role === "ADMIN" ? api.all("/accounts", {}, 2000) : []), []);
  const of = (/** @type {string} */ member) => `${path}/members/${encodeURIComponent(member)}`;
  const done = async (/** @type {Promise<unknown>} */ made) => {
    await made;
    announce("Saved.");
    again();
  };
  const add = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const member = name.value.trim();
    if (await run(() => done(api.put(of(member), { role: role.value }))) && name.value.trim() === member) {
      name.value = "";
    }
  };
  const give = async (/** @type {string} */ member, /** @type {any} */ choice, /** @type {string} */ present) => {
    const wanted = choice.value;
    choice.value = present;
    if (await ask(`Give ${member} the role ${wanted}? What it may see and do changes at once.`, "Change its role", "No")) {
      run(() => done(api.put(of(member), { role: wanted })));
    }
  };
  const candidates = (known.data ?? []).filter((each) => ["CLIENT", "ADMIN"].includes(each.role) && !project.members.some((/** @type {any} */ { account: member }) => member === each.name));
  return html`
    <section class="panel">
      <h2>Members</h2>
      <${Table} caption="Members" rows=${project.members} keyOf=${(/** @type {any} */ each) => each.account} empty=${html`<p>It has no members yet.</p>`} columns=${[
        { head: "Account", cell: (/** @type {any} */ each) => html`<${Own}>${each.account}<//> <${Named} name=${each.displayName} />${each.origin === "GROUP" && html`<div class="muted small">by a group</div>`}` },
        { head: "Role", cell: (/** @type {any} */ each) => (mayChange
          ? html`<${Choice} aria-label=${`Role: ${each.account}`} options=${ROLES} value=${each.role} onchange=${(/** @type {any} */ { target }) => give(each.account, target, each.role)} />`
          : ROLES.find(([role]) => role === each.role)?.[1]) },
        ...(mayChange ? [{ head: "Actions", cell: (/** @type {any} */ each) => html`
          <${Confirmed} class="quiet harm" aria-label=${`Remove: ${each.account}`} yes="Remove" no="No" act=${() => run(() => done(api.del(of(each.account))))}
            question=${`Remove ${each.account} from this project? It can no longer see other members' reservations here.`}><${Icon} name="trash-2" />Remove<//>` }] : []),
      ]} />
      ${mayChange && html`
        <form onsubmit=${add}>
          <h3>Add or change a member</h3>
          <div class="row">
            <${Field} label="Account" hint=${candidates.length > 0 ? "Type, or choose from the accounts." : ""}><input name="member" autocomplete="off" required list="accounts" ...${bound(name)} /><//>
            <${Field} label="Role"><${Choice} name="role" options=${ROLES} value=${role.value} onchange=${(/** @type {any} */ { target }) => { role.value = target.value; }} /><//>
          </div>
          <datalist id="accounts">${candidates.map((each) => html`<option key=${each.name} value=${each.name}></option>`)}</datalist>
          <button disabled=${isBusy}>Save</button>
        </form>`}
      <${Failed} why=${problem} />
    </section>`;
}

/** What each member booked in the last 30 days. @param {{api: import("./api.js").Api, id: string}} its */
function Shares({ api, id }) {
  const { data, problem } = useRead(api, async (api) => (await api.get("/reports/owners", { project: id, limit: 50 })).body, []);
  const all = data?.owners ?? [];
  const whole = all.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.booked, 0) || 1;
  const hours = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  return html`
    <section class="panel">
      <h2>Shares of the last 30 days</h2>
      <${Failed} why=${problem} />
      ${!data ? !problem && html`<${Skeleton} />` : html`
        <${Table} caption="Shares of the last 30 days" rows=${all} keyOf=${(/** @type {any} */ each) => each.owner} empty=${html`<${Empty} text="Nobody had a run here in this time." />`} columns=${[
          { head: "Account", cell: (/** @type {any} */ each) => html`<${Own}>${each.owner}<//>` },
          { head: "Share", cell: (/** @type {any} */ each) => html`
            <div class="bar" role="img" aria-label=${`${Math.round((each.booked / whole) * 100)} %`}><i style=${{ width: `${(each.booked / whole) * 100}%` }}></i></div>` },
          { head: "PE-hours", isNumber: true, cell: (/** @type {any} */ each) => hours.format(each.booked) },
          { head: "Charged", isNumber: true, cell: (/** @type {any} */ each) => html`<span class="nowrap">${each.revenue.map(formatMoney).join(", ")}</span>` },
        ]} />`}
    </section>`;
}
