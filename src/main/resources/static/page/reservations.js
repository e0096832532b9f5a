import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { Confirm, Proposals } from "./answers.js";
import { Approve, readToApprove } from "./approvals.js";
import { Feeds } from "./feeds.js";
import { Refused } from "./refused.js";
import { bookAddress, byStart, ENDED, endOf, nameOf, newest, next, useClusters } from "./runs.js";
import { Runs } from "./runs-table.js";
import { DAY, formatInstant, now } from "./time.js";
import { Choice, Choices, Empty, Failed, Field, html, Icon, Skeleton, Tabs, useEvents, useRead } from "./ui.js";
import { address, change, params, zone } from "./url.js";
import { Week } from "./week.js";

/** The most reservations of one state that are read at first. */
const MOST = 500;
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
  const wanted = [cluster, isAdministrator && project, isAdministrator && owner, most.value];
  const coming = useRead(api, async (api) => {
    const end = AHEAD[ahead] === Infinity ? null : now() + AHEAD[ahead];
    const [running, later, waiting] = await Promise.all([
      newest(api, query, ["RUNNING"], most.value), next(api, query, end, most.value), newest(api, query, ["HELD", "WAITING", "PENDING"], most.value),
    ]);
    return { running, later, waiting };
  }, [...wanted, ahead], heard.value);
  const waits = useRead(api, (api) => readToApprove(api, MOST), [], heard.value);
  const toApprove = waits.data ?? [];
  // others hear nothing of the reservations of an account, not even those who approve them
  const ToApprove = useMemo(() => (/** @type {{each: any}} */ { each }) =>
    html`<${Approve} id=${each.id} name=${nameOf(each)} api=${api} again=${() => heard.value++} />`, []);
  const first = useRef("");
  if (coming.data) {
    first.current ||= coming.data.running.all.length > 0 ? "running" : "next";
  }
  const tab = chosen.get("tab") ?? first.current;
  const ended = useRead(api, async (api) => (tab === "ended" ? newest(api, query, ENDED, most.value) : null), [...wanted, tab === "ended"], heard.value);
  const people = useRead(api, async (api) => new Map(isAdministrator
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

/** A link to book the same run again. @param {{each: any}} its */
function Again({ each }) {
  return html`<a class="nowrap" href=${bookAddress(each)} aria-label=${`Book again: ${nameOf(each)}`}>Book again</a>`;
}
