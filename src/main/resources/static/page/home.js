import { Confirm, Proposals } from "./answers.js";
import { Budget } from "./budget.js";
import { formatMoney } from "./money.js";
import { grouped, readMoves } from "./moves.js";
import { bookAddress, Bulletins, endText, Left, Link, nameOf, newest, next, ProjectName, sizeOf, startOf, State, useClusters } from "./runs.js";
import { texts } from "./texts.js";
import { DAY, formatDuration, formatInstant, formatRange, iso, now } from "./time.js";
import { Empty, Failed, html, Icon, Own, Skeleton, useEvents, useRead, useTicks } from "./ui.js";
import { counted } from "./units.js";
import { address, zone } from "./url.js";

const MOST = 500;
const PAUSE = 1000;
/** How many of the next runs, and of the last runs, are listed. */
const [NEXT, LAST] = [6, 5];
/** The most projects whose budgets are shown. */
const PROJECTS = 20;
/** How far ahead outages are announced. */
const AHEAD = 14 * DAY;

/**
 * The first view of a client: its runs, what it should answer, its budgets, and what the operator plans.
 * @param {{context: import("./main.js").Context}} its
 */
export function View({ context }) {
  const { api, session, account } = context;
  useTicks();
  const clusters = useClusters(api);
  const read = useRead(api, async (api) => {
    const [running, coming, waiting, over, projects] = await Promise.all([
      newest(api, {}, ["RUNNING"], MOST), next(api, {}, null, MOST), newest(api, {}, ["HELD", "WAITING", "PENDING"], MOST),
      newest(api, {}, ["COMPLETED"], 50), api.all("/projects", {}, PROJECTS),
    ]);
    return { running: running.all, coming: coming.all, waiting: waiting.all, over: over.all, projects };
  }, []);
  const moved = useRead(api, async (api) => grouped((await readMoves(api)).found).filter(({ shift }) => shift !== 0), []);
  useEvents(session, "/events/stream", () => {
    read.again();
    moved.again();
  }, PAUSE);
  const { data } = read;
  if (!data) {
    return html`<h1>Home</h1>${read.problem ? html`<${Failed} why=${read.problem} />` : html`<${Skeleton} />`}`;
  }
  const { running, coming, waiting, over, projects } = data;
  const all = [...running, ...coming, ...waiting, ...over];
  const used = [...new Set(all.map((each) => each.cluster).filter(Boolean))];
  const [first] = coming;
  const shown = [...running, ...coming.slice(0, NEXT)];
  return html`
    <div class="head">
      <h1>Home</h1>
      <a class="button first" href=${address("book")}><${Icon} name="calendar-plus" />Book a run</a>
    </div>
    <${Failed} why=${read.problem ?? moved.problem} />
    <${Bulletins} clusters=${clusters.values()} />
    <${Proposals} api=${api} all=${[...coming, ...running].filter((each) => each.proposal && each.owner === account.name)} />
    ${all.length === 0 ? html`<${FirstSteps} hasProjects=${projects.length > 0} />` : html`
      <div class="tiles">
        <${Tile} title="Running now" figure=${running.length} href=${address("reservations", { tab: "running" })} />
        <${Tile} title="Next run in" figure=${first ? formatDuration(60 * Math.max(1, Math.ceil((startOf(first) - now()) / 60_000))) : "none"}
          href=${first ? address("reservation", { id: first.id }) : address("book")}>${first && html`<${Own}>${nameOf(first)}<//>`}<//>
        <${Tile} title="Coming" figure=${coming.length} href=${address("reservations", { tab: "next", ahead: "all" })} />
        <${Tile} title="Waiting and held" figure=${waiting.length} href=${address("reservations", { tab: "waiting" })} />
      </div>`}
    <div class="main-and-side">
      <div>
        ${waiting.length > 0 && html`<section class="panel"><h2>Waiting and held</h2><${List} all=${waiting} clusters=${clusters} context=${context} /></section>`}
        ${all.length > 0 && html`
          <section class="panel">
            <h2>Running and next</h2>
            ${shown.length === 0 ? html`<${Empty} text="Nothing runs, and nothing is planned."><a class="button first" href=${address("book")}>Book a run</a><//>`
              : html`<${List} all=${shown} clusters=${clusters} context=${context} />`}
            ${coming.length > NEXT && html`<p><a href=${address("reservations", { tab: "next", ahead: "all" })}>All ${coming.length}</a></p>`}
          </section>`}
        ${moved.data && moved.data.length > 0 && html`<${Moves} all=${moved.data} known=${new Map(all.map((each) => [each.id, each]))} />`}
      </div>
      <div>
        ${projects.length > 0 && html`<${Budgets} api=${api} projects=${projects} />`}
        <${Outages} api=${api} of=${used} clusters=${clusters} />
        ${over.length > 0 && html`<${BookAgain} over=${over} clusters=${clusters} />`}
      </div>
    </div>`;
}

/** @param {{title: string, figure: any, href: string, children?: any}} its */
function Tile({ title, figure, href, children }) {
  return html`
    <a class="tile" href=${href}>
      <h2>${title}</h2>
      <div class="figure">${figure}</div>
      <p class="muted">${children}</p>
    </a>`;
}

/** What somebody does first. @param {{hasProjects: boolean}} its */
function FirstSteps({ hasProjects }) {
  return html`
    <section class="panel">
      <h2>First steps</h2>
      <ol>
        <li><a href=${address("book")}>Book a run</a>: say how large it is and how long it takes, and choose a time. The later it may finish, the less it costs.</li>
        <li>${hasProjects ? "File it under one of your projects, which pays for it." : "If a project is to pay for it, ask an administrator to make you a member."}</li>
        <li>Confirm what you hold within five minutes. Until it begins you can change or cancel it under <a href=${address("reservations")}>Reservations</a>.</li>
        <li>To book in a terminal, download <a href="client/berth.py">berth.py</a>. To see your runs in a calendar program, make an address under <a href=${address("reservations")}>Reservations</a>.</li>
      </ol>
    </section>`;
}

/** @param {{all: any[], clusters: Map<string, any>, context: import("./main.js").Context}} its */
function List({ all, clusters, context }) {
  return html`<ul class="runs">${all.map((each) => html`
    <li key=${each.id}>
      <div><strong><${Link} each=${each} /></strong> <${State} state=${each.state} /></div>
      <div class="nowrap">${sizeOf(each, clusters)}${each.cluster && ` on ${each.cluster}`}</div>
      <div>${each.placement && html`${formatInstant(each.placement.start, zone())} – ${endText(each)}`}</div>
      <div class="muted"><${Left} each=${each} /></div>
      ${each.project && html`<div><${ProjectName} id=${each.project} /></div>`}
      ${each.state === "HELD" && html`<div><${Confirm} each=${each} context=${context} /></div>`}
      ${each.state === "RUNNING" && html`<progress aria-label="Time that is over" max="1" value=${gone(each)}></progress>`}
    </li>`)}</ul>`;
}

/** Returns the share of the time of a running run that is over. @param {any} each */
function gone({ placement }) {
  const [start, end] = [Date.parse(placement.start), Date.parse(placement.end)];
  return Math.min(1, Math.max(0, (now() - start) / (end - start)));
}

/** @param {{all: import("./moves.js").Group[], known: Map<string, any>}} its */
function Moves({ all, known }) {
  return html`
    <section class="panel">
      <h2>Moved since yesterday</h2>
      <ul class="runs">${all.map(({ id, moves, shift }) => {
        const last = moves[moves.length - 1].data;
        return html`
          <li key=${id}>
            <div><strong><${Link} each=${known.get(id) ?? { id }} /></strong></div>
            <div class="nowrap">${formatDuration(Math.abs(shift))} ${shift > 0 ? "later" : "earlier"}</div>
            <div><s class="muted">${formatInstant(moves[0].data.move.from[0].start, zone())}</s> → ${formatInstant(last.placement.start, zone())}</div>
            <div class="muted">${texts.reasons[last.move.why]}</div>
          </li>`;
      })}</ul>
    </section>`;
}

/** @param {{api: import("./api.js").Api, projects: any[]}} its */
function Budgets({ api, projects }) {
  const { data, problem } = useRead(api, (api) => Promise.all(projects.map(async (each) =>
    ({ ...each, balance: (await api.get(`/projects/${encodeURIComponent(each.id)}/balance`)).body }))), [projects]);
  return html`
    <section class="panel">
      <h2>Budgets</h2>
      <${Failed} why=${problem} />
      ${data?.map(({ id, name, balance }) => html`
        <div key=${id}>
          <h3><a href=${address("projects", { id })}><${Own}>${name}<//></a></h3>
          <${Budget} balance=${balance} />
        </div>`)}
      ${projects.length === PROJECTS && html`<p><a href=${address("projects")}>All projects</a></p>`}
    </section>`;
}

/** Maintenances and outages ahead on some clusters. @param {{api: import("./api.js").Api, of: string[], clusters: Map<string, any>}} its */
function Outages({ api, of, clusters }) {
  const isSeen = (/** @type {string} */ id) => ["BUSY", "NAMES"].includes(clusters.get(id)?.policy?.visibility);
  const { data } = useRead(api, async (api) => (await Promise.all(of.map((id) => outages(api, id, isSeen(id))))).flat()
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from)), [of.join(" "), clusters.size]);
  return data && data.length > 0 && html`
    <section class="panel">
      <h2>Out of service</h2>
      <ul class="runs">${data.map((each) => html`
        <li key=${each.id}>
          <div><strong>${each.cluster}</strong></div>
          <div class="nowrap">${each.pes === clusters.get(each.cluster)?.pes ? "all of it" : counted(each.pes, clusters.get(each.cluster)?.unit)}</div>
          <div>${each.to ? formatRange(each.from, each.to, zone()) : `since ${formatInstant(each.from, zone())}, until it is ended`}</div>
          ${each.reason && html`<div class="muted"><${Own}>${each.reason}<//></div>`}
        </li>`)}</ul>
    </section>`;
}

/**
 * Reads the outages ahead: those of maintenances, and others if the account may see the plan of the cluster.
 * @param {import("./api.js").Api} api
 * @param {string} cluster
 * @param {boolean} isSeen
 */
async function outages(api, cluster, isSeen) {
  const path = `/clusters/${encodeURIComponent(cluster)}`;
  const end = iso(now() + AHEAD);
  // what is planned at another Berth is not known here
  const [maintenances, plan] = await Promise.all([
    api.get(`${path}/maintenances`).catch(() => null),
    isSeen ? api.get(`${path}/schedule`, { kind: "OUTAGE", from: iso(now()), to: end }).catch(() => null) : null,
  ]);
  const windows = (maintenances?.body.items ?? []).flatMap((/** @type {any} */ { reason, pes, windows: all }) => all
    .filter((/** @type {any} */ each) => each.state !== "LEFT_OUT" && each.from < end)
    .map((/** @type {any} */ each) => ({ id: each.outage ?? each.from, cluster, pes, reason, from: each.from, to: each.to })));
  const known = new Set(windows.map((/** @type {any} */ { id }) => id));
  const others = (plan?.body.placements ?? []).filter((/** @type {any} */ { id }) => !known.has(id))
    .map((/** @type {any} */ each) => ({ id: each.id, cluster, pes: each.pes, reason: each.nodes, from: each.start, to: each.end }));
  return [...windows, ...others];
}

/** Links that open Book with the terms of the last runs. @param {{over: any[], clusters: Map<string, any>}} its */
function BookAgain({ over, clusters }) {
  /** @type {Map<string, any>} */
  const different = new Map();
  for (const each of over) {
    const run = bookAddress({ ...each, terms: { ...each.terms, readyTime: null, deadline: null } });
    different.set(run, different.get(run) ?? each);
  }
  return html`
    <section class="panel">
      <h2>Book again</h2>
      <ul class="runs">${[...different.values()].slice(0, LAST).map((each) => html`
        <li key=${each.id}>
          <div><a href=${bookAddress(each)}><${Own}>${nameOf(each)}<//></a></div>
          <div class="nowrap">${sizeOf(each, clusters)}</div>
          <div class="muted">${each.terms.duration && formatDuration(each.terms.duration)}${each.cluster && ` on ${each.cluster}`}, last for ${formatMoney(each.price)}</div>
        </li>`)}</ul>
    </section>`;
}
