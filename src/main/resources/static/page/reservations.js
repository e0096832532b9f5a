import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { newKey } from "./api.js";
import { Approve, readToApprove } from "./approvals.js";
import { Feeds } from "./feeds.js";
import { formatMoney } from "./money.js";
import { Refused } from "./refused.js";
import { bookAddress, byStart, ENDED, endOf, endText, Left, Link, nameOf, newest, next, pesOf, ProjectName, sizeOf, startOf, State, useClusters } from "./runs.js";
import { texts } from "./texts.js";
import { DAY, formatDuration, formatInstant, formatRange, now } from "./time.js";
import { Choice, Choices, Empty, Failed, Field, html, Icon, Named, Own, Skeleton, Table, Tabs, useChange, useEvents, useRead } from "./ui.js";
import { address, change, params, zone } from "./url.js";
import { Week } from "./week.js";

/** The most reservations of one state that are read at first. */
const MOST = 500;
/** The columns that would be the same or empty in each line of a table. @type {Record<string, string[]>} */
const HIDDEN = { running: ["State"], next: ["State"], ended: ["Time"], filed: ["Project"] };
/** The milliseconds between two readings while others change what an administrator sees. */
const PAUSE_OF_ALL = 3000;
/** How far ahead reservations are listed. @type {Record<string, number>} */
const AHEAD = { day: DAY, week: 7 * DAY, all: Infinity };

/**
 * The account's reservations; all of them for an administrator.
 * @param {{context: import("./main.js").Context}} its
 */
export function View({ context }) {
  const { api, session, account } = context;
  const isAdministrator = account.role === "ADMIN";
  const clusters = useClusters(api);
  const most = useSignal(MOST);
  const heard = useSignal(0);
  const isSubscribing = useSignal(false);
  const chosen = params();
  const [cluster, project, owner] = ["cluster", "project", "owner"].map((each) => chosen.get(each) ?? "");
  const ahead = chosen.get("ahead") ?? (isAdministrator ? "day" : "all");
  // for others a project in a call means the reservations of all its members
  const query = { cluster, ...(isAdministrator ? { project, owner } : {}) };
  const wanted = [cluster, isAdministrator && project, isAdministrator && owner, most.value, heard.value];
  const coming = useRead(async () => {
    const end = AHEAD[ahead] === Infinity ? null : now() + AHEAD[ahead];
    const [running, later, waiting] = await Promise.all([
      newest(api, query, ["RUNNING"], most.value), next(api, query, end, most.value), newest(api, query, ["HELD", "WAITING", "PENDING"], most.value),
    ]);
    return { running, later, waiting };
  }, [...wanted, ahead]);
  const waits = useRead(() => readToApprove(api, MOST), [heard.value]);
  const toApprove = waits.data ?? [];
  // others hear nothing of the reservations of an account, not even those who approve them
  const ToApprove = useMemo(() => (/** @type {{each: any}} */ { each }) =>
    html`<${Approve} id=${each.id} name=${nameOf(each)} api=${api} again=${() => heard.value++} />`, []);
  const first = useRef("");
  if (coming.data) {
    first.current ||= coming.data.running.all.length > 0 ? "running" : "next";
  }
  const tab = chosen.get("tab") ?? first.current;
  const ended = useRead(async () => (tab === "ended" ? newest(api, query, ENDED, most.value) : null), [...wanted, tab === "ended"]);
  const people = useRead(async () => new Map(isAdministrator
    ? (await api.all("/accounts", {}, 2000)).map((each) => /** @type {[string, string]} */ ([each.name, each.displayName])) : []), []);
  useEvents(session, "/events/stream", () => heard.value++, isAdministrator ? PAUSE_OF_ALL : 500);

  const isFound = (/** @type {any} */ each) => (!project || each.project === project) && (!owner || each.owner === owner);
  const running = coming.data?.running.all.filter(isFound) ?? [];
  const later = coming.data?.later.all.filter(isFound) ?? [];
  const waiting = coming.data?.waiting.all.filter(isFound) ?? [];
  const over = ended.data?.all.filter(isFound) ?? [];
  const all = [...running, ...later, ...waiting, ...over];
  const counted = (/** @type {string} */ text, /** @type {any[]} */ found, /** @type {boolean} */ isMore) =>
    coming.data ? `${text} (${found.length}${isMore ? "+" : ""})` : text;
  const tabs = /** @type {[string, string][]} */ ([
    ["running", counted("Now running", running, Boolean(coming.data?.running.isMore))],
    ["next", counted("Next", later, Boolean(coming.data?.later.until))],
    ["waiting", counted("Waiting and held", waiting, Boolean(coming.data?.waiting.isMore))],
    ...(toApprove.length > 0 || tab === "approve" ? [["approve", `To approve (${toApprove.length})`]] : []),
    ["ended", "Ended"],
    ["refused", "Refused"],
    ["week", "Week"],
  ]);
  const shared = { clusters, isAdministrator, people: people.data, tools: html`
    <${Filter} name="cluster" label="Cluster" none="All clusters" value=${cluster} all=${[...clusters.keys()]} />
    <${Filter} name="project" label="Project" none="All projects" value=${project} all=${all.map((each) => each.project)} />
    ${isAdministrator && html`<${Filter} name="owner" label="Owner" none="All owners" value=${owner} all=${all.map((each) => each.owner)} />`}` };
  const more = html`<button type="button" onclick=${() => { most.value += MOST; }}>Read more</button>`;
  return html`
    <div class="head">
      <h1>${isAdministrator ? "Reservations" : "My reservations"}</h1>
      <div class="row">
        <button type="button" aria-expanded=${String(isSubscribing.value)} onclick=${() => { isSubscribing.value = !isSubscribing.value; }}><${Icon} name="calendar" />Calendar</button>
        <a class="button first" href=${address("book")}><${Icon} name="calendar-plus" />Book a run</a>
      </div>
    </div>
    ${isSubscribing.value && html`<${Feeds} context=${context} />`}
    <${Proposals} api=${api} all=${[...later, ...running].filter((each) => each.proposal && each.owner === account.name)} />
    <${Tabs} name="tab" label="Which reservations" tabs=${tabs} value=${tab} />
    <section class="panel">
      <${Failed} why=${coming.problem ?? ended.problem} />
      ${tab === "week" ? html`<${Week} context=${context} cluster=${cluster} project=${project} owner=${owner} heard=${heard.value} ...${shared} />`
        : tab === "refused" ? html`<${Refused} context=${context} cluster=${cluster} project=${project} owner=${owner} heard=${heard.value} ...${shared} />`
        : !(tab === "ended" ? ended.data : coming.data) ? !coming.problem && !ended.problem && html`<${Skeleton} />`
        : tab === "approve" ? html`
          <${Runs} name=${tab} caption="Reservations to approve" rows=${byStart(toApprove)} ...${shared} isAdministrator act=${ToApprove}
            empty=${html`<${Empty} text="No reservation waits for your approval."><//>`} />`
        : tab === "running" ? html`
          <${Runs} name=${tab} caption="Running reservations" rows=${[...running].sort((a, b) => endOf(a) - endOf(b))} ...${shared}
            empty=${html`<${Empty} text="Nothing runs now."><a href=${address("reservations", { tab: "next" })}>What comes next</a><//>`} />
          <${Cut} isCut=${coming.data?.running.isMore} more=${more}>Only the newest ${most.value} running reservations are listed.<//>`
        : tab === "next" ? html`
          <${Runs} name=${tab} caption="Next reservations" rows=${later} ...${shared} tools=${html`
            ${shared.tools}
            <${Choices} label="How far ahead" value=${ahead} options=${[["day", "Next 24 hours"], ["week", "7 days"], ["all", "All ahead"]]} choose=${(/** @type {string} */ each) => change({ ahead: each })} />`}
            empty=${html`<${NothingNext} isAll=${ahead === "all"} isAny=${running.length + waiting.length > 0} />`} />
          <${Cut} isCut=${coming.data?.later.until} more=${more}>${coming.data?.later.isCut
            ? `More than ${most.value} begin before ${formatInstant(coming.data.later.until ?? 0, zone())}. Only the newest ${most.value} of them are listed.`
            : `There are more than ${most.value}. All that begin before ${formatInstant(coming.data?.later.until ?? 0, zone())} are listed, and none later.`}<//>`
        : tab === "waiting" ? html`
          <${Runs} name=${tab} caption="Waiting and held reservations" rows=${[...byStart(waiting)].sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))} ...${shared} act=${Confirm} context=${context}
            empty=${html`<${Empty} text="Nothing waits for room, and nothing is held."><//>`} />
          <${Cut} isCut=${coming.data?.waiting.isMore} more=${more}>Only the newest ${most.value} of each state are listed.<//>`
        : html`
          <${Runs} name=${tab} caption="Ended reservations" rows=${[...over].sort((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))} ...${shared} act=${Again}
            empty=${html`<${Empty} text="No reservation has ended yet."><//>`} />
          <${Cut} isCut=${ended.data?.isMore} more=${more}>Only the newest ${most.value} of each state are listed.<//>`}
    </section>`;
}

/** Offers of other terms that wait for an answer. @param {{all: any[], api: import("./api.js").Api}} its */
export function Proposals({ all, api }) {
  return all.length > 0 && html`
    <section class="note">
      <h2>Offers that wait for your answer</h2>
      <ul class="plain">${all.map((each) => html`<${Proposal} key=${each.id} each=${each} api=${api} />`)}</ul>
    </section>`;
}

/** @param {{each: any, api: import("./api.js").Api}} its */
function Proposal({ each, api }) {
  const { isBusy, problem, run } = useChange();
  const { number, incentive, expiresAt, terms } = each.proposal;
  const answer = (/** @type {string} */ word) => () => run(() =>
    api.post(`/reservations/${each.id}/renegotiations/${number}/${word}`, undefined, { key: newKey(), ifMatch: `"${each.version}"` }));
  return html`
    <li class="row">
      <span><${Link} each=${each} />: ${formatMoney(incentive)} off the price if it may run within ${formatRange(terms.readyTime, terms.deadline, zone())
        }${terms.duration && terms.duration !== each.terms.duration && `, for ${formatDuration(terms.duration)}`}. It is planned for ${
        formatRange(each.placement.start, each.placement.end, zone())}. The offer stands until ${formatInstant(expiresAt, zone())}.</span>
      <button type="button" disabled=${isBusy} aria-label=${`Accept the offer for ${nameOf(each)}`} onclick=${answer("accept")}>Accept</button>
      <button type="button" class="quiet" disabled=${isBusy} aria-label=${`Decline the offer for ${nameOf(each)}`} onclick=${answer("decline")}>Decline</button>
      <${Failed} why=${problem} />
    </li>`;
}

/** A choice among what was found until now, which stands in the address. @param {{name: string, label: string, none: string, value: string, all: (string | null)[]}} its */
function Filter({ name, label, none, value, all }) {
  const seen = useRef(new Set());
  all.forEach((each) => each && seen.current.add(each));
  const known = [...seen.current].sort();
  return html`
    <${Field} label=${label}>
      <${Choice} name=${name} value=${value} options=${[["", none], ...known.map((each) => [each, each])]}
        onchange=${(/** @type {any} */ { target }) => change({ [name]: target.value || null })} />
    <//>`;
}

/** Says that a list is not complete, with a button to read more. @param {{isCut: unknown, more: any, children?: any}} its */
function Cut({ isCut, more, children }) {
  return isCut && html`<p class="row" role="status"><span class="muted">${children}</span>${more}</p>`;
}

/** @param {{isAll: boolean, isAny: boolean}} its isAny: whether any run now, or wait */
function NothingNext({ isAll, isAny }) {
  return html`
    <${Empty} text=${!isAll ? "Nothing begins in this time." : isAny ? "You have no future reservations." : "You have no current or future reservations."}>
      ${isAll ? html`<a class="button first" href=${address("book")}>Book a run</a>` : html`<button type="button" onclick=${() => change({ ahead: "all" })}>Show all ahead</button>`}
    <//>`;
}

/**
 * A table of reservations.
 * @param {{
 *   caption: string, rows: any[], clusters: Map<string, any>, isAdministrator: boolean, name?: string, tools?: any, empty?: any,
 *   act?: any, context?: import("./main.js").Context, people?: Map<string, string | undefined> | null,
 * }} its people: the names of people by account; isAdministrator: adds a column of owners; act: a component for the last column
 */
export function Runs({ caption, rows, clusters, isAdministrator, name, tools, empty, act, context, people }) {
  const time = (/** @type {number} */ moment) => (moment === Infinity ? 0 : moment);
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Reservation", cell: (each) => html`<${Link} each=${each} />`, by: (each) => `${nameOf(each)} ${each.id}` },
    { head: "Project", cell: (each) => html`<${ProjectName} id=${each.project} />`, by: (each) => each.project ?? "" },
    { head: "Owner", cell: (each) => html`<${Own}>${each.owner}<//> <${Named} name=${people?.get(each.owner)} />`, by: (each) => `${each.owner} ${people?.get(each.owner) ?? ""}` },
    { head: "State", cell: (each) => html`<${State} state=${each.state} />`, by: (each) => texts.states[each.state] },
    { head: "Cluster", cell: (each) => html`<span class="nowrap">${each.cluster}</span>`, by: (each) => each.cluster ?? "" },
    { head: "Start", cell: (each) => each.placement && html`<span class="nowrap">${formatInstant(each.placement.start, zone())}</span>`, by: (each) => time(startOf(each)) },
    { head: "End", cell: (each) => each.placement && html`<span class="nowrap">${endText(each)}</span>`, by: (each) => time(endOf(each)) },
    { head: "Time", cell: (each) => html`<${Left} each=${each} />` },
    { head: "Size", cell: (each) => html`<span class="nowrap">${sizeOf(each, clusters)}</span>`, by: pesOf, isNumber: true },
    { head: "Price", cell: (each) => html`<span class="nowrap">${formatMoney(each.price)}</span>`, by: (each) => Number(each.price?.amount ?? 0), isNumber: true },
    { head: "Actions", cell: (each) => html`<${act} each=${each} context=${context} />` },
  ];
  return html`
    <${Table} caption=${caption} rows=${rows} keyOf=${(/** @type {any} */ each) => each.id} name=${name} search=${name && "Search"} tools=${tools} empty=${empty}
      columns=${columns.filter(({ head }) => (head !== "Owner" || isAdministrator) && (head !== "Actions" || act) && !(HIDDEN[name ?? ""] ?? []).includes(head))} />`;
}

/** A button to confirm what is held. @param {{each: any, context: import("./main.js").Context}} its */
export function Confirm({ each, context: { api, account } }) {
  const { isBusy, problem, run } = useChange();
  return each.state === "HELD" && each.owner === account.name && html`
    <button type="button" disabled=${isBusy} aria-label=${`Confirm ${nameOf(each)}`} onclick=${() => run(() => api.post(`/reservations/${each.id}/confirm`, undefined, { key: newKey() }))}>Confirm</button>
    <${Failed} why=${problem} />`;
}

/** A link to book the same run again. @param {{each: any}} its */
function Again({ each }) {
  return html`<a class="nowrap" href=${bookAddress(each)} aria-label=${`Book again: ${nameOf(each)}`}>Book again</a>`;
}
