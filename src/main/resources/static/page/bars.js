import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { details } from "./details.js";
import { colourOfBar, groupOf } from "./gantt.js";
import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { formatDay, formatDuration, formatInstant, formatRange, formatTime, now } from "./time.js";
import { Facts, html, Icon, Own, Table, Tooltip } from "./ui.js";
import { counted } from "./units.js";
import { address, zone } from "./url.js";

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {{id: string, pes: number, granule?: number, peNames?: string, unit?: string}} Cluster
 * @typedef {import("./main.js").Context} Context
 * @typedef {{bar: Bar, cluster: Cluster}} Picked
 */

/** How many cards are shown at first. */
const FIRST = 20;
/** How long a bar is under the mouse before its details are read, in milliseconds. */
const REST = 150;

/** @type {Record<string, string>} */
const KINDS = { RESERVATION: "reservation", JOB: "batch job", OUTAGE: "outage", SHARE: "booked" };

/**
 * Returns whether the account may open the bar's reservation: its own, or any if it is an administrator.
 * @param {Context["account"]} account
 * @param {Bar} bar
 */
function isOpenTo(account, bar) {
  return bar.kind === "RESERVATION" && bar.id !== null
    && (account.role === "ADMIN" || (account.role === "CLIENT" && bar.owner === account.name));
}

/** Returns what to read for the details of a bar; null if there is nothing that the account may read. @param {Context["account"]} account @param {Picked} its */
function pathOf(account, { bar, cluster }) {
  return isOpenTo(account, bar) ? `/reservations/${bar.id}`
    : bar.id === null || account.role !== "ADMIN" ? null
    : `/clusters/${cluster.id}/${bar.kind === "JOB" ? "jobs" : "outages"}/${bar.id}`;
}

/**
 * Reads the details of a bar once it has been shown for a moment; null until then, and if the account may not read them.
 * @param {Context} context
 * @param {Picked} its
 */
function useDetails({ api, account }, its) {
  const found = useSignal(/** @type {{path: string, body: any} | null} */ (null));
  const path = pathOf(account, its);
  useEffect(() => {
    const timer = setTimeout(async () => {
      const body = path && await details(api, path);
      found.value = body ? { path: path ?? "", body } : null;
    }, REST);
    return () => clearTimeout(timer);
  }, [path]);
  return found.value?.path === path ? found.value?.body : null;
}

/** @param {Bar} bar */
const stateOf = ({ kind, state }) => (state && kind !== "SHARE" ? texts.states[state] : "");

/** @param {Bar} bar */
const timeOf = ({ start, end }) => (end === Infinity ? `since ${formatInstant(start, zone())}` : formatRange(start, end, zone()));

/** @param {Picked} its */
const placeOf = ({ bar, cluster }) => bar.nodes ?? (bar.peIds && `${cluster.unit ?? "PE"}s ${bar.peIds}`);

/** Whether a reservation that has not begun may still move. @param {any} more the details */
const freedomOf = ({ movable, state, terms }) =>
  (movable ? `may still move, ends by ${formatInstant(terms.deadline, zone())}` : ["HELD", "CONFIRMED"].includes(state) && "stays at this time");

/** Returns a bar in words. @param {Picked} its */
export function barText({ bar, cluster }) {
  return [KINDS[bar.kind], bar.project, bar.owner, counted(bar.pes, cluster.unit), placeOf({ bar, cluster }), timeOf(bar), stateOf(bar)].filter(Boolean).join(", ");
}

/** @param {{bar: Bar}} its */
function Mark({ bar }) {
  return html`<i class="mark" style=${{ background: `var(--${colourOfBar(bar)})` }}></i>`;
}

/** What a bar is, at the mouse. @param {{context: Context, cluster: Cluster, hovered: import("@preact/signals").Signal<{bar: Bar, at: {x: number, y: number}} | null>}} its */
export function BarTooltip({ context, cluster, hovered }) {
  const { bar, at } = hovered.value ?? {};
  return html`<${Tooltip} at=${at ?? null}>${bar && html`<${Tip} context=${context} bar=${bar} cluster=${cluster} />`}<//>`;
}

/** @param {{context: Context} & Picked} its */
function Tip({ context, bar, cluster }) {
  const more = useDetails(context, { bar, cluster });
  return html`
    <p><strong>${more?.name ? html`<${Own}>${more.name}<//>` : KINDS[bar.kind]}</strong>${stateOf(bar) && `, ${stateOf(bar)}`}</p>
    ${(bar.owner || bar.project) && html`<p><${Own}>${bar.owner}<//>${bar.project && html` for <${Own}>${bar.project}<//>`}</p>`}
    ${more?.reason && html`<p><${Own}>${more.reason}<//></p>`}
    <p>${counted(bar.pes, cluster.unit)}${placeOf({ bar, cluster }) && ` on ${placeOf({ bar, cluster })}`}</p>
    <p>${timeOf(bar)}</p>
    ${more?.price && html`<p>${[formatMoney(more.price), freedomOf(more)].filter(Boolean).join(", ")}</p>`}`;
}

/**
 * The details of a bar beside the drawing.
 * @param {{context: Context, close: () => void} & Picked} its
 */
export function Side({ context, bar, cluster, close }) {
  const more = useDetails(context, { bar, cluster });
  const box = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    box.current.focus();
    return () => before?.focus({ preventScroll: true });
  }, []);
  const keys = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close();
  return html`
    <aside class="beside" tabindex="-1" ref=${box} aria-label="Details" onkeydown=${keys}>
      <div class="head">
        <h2><${Mark} bar=${bar} />${more?.name ? html`<${Own}>${more.name}<//>` : KINDS[bar.kind]}</h2>
        <button type="button" class="quiet" aria-label="Close" onclick=${close}><${Icon} name="x" /></button>
      </div>
      <${Facts} all=${[
        ["State", stateOf(bar) && html`<span class=${`state state-${bar.state}`}>${stateOf(bar)}</span>`],
        ["Cluster", cluster.id],
        ["Owner", bar.kind === "OUTAGE" || bar.kind === "SHARE" ? "" : bar.owner ? html`<${Own}>${bar.owner}<//>` : "not shown to you"],
        ["Users", bar.users?.join(", ")],
        ["Project", bar.project && html`<${Own}>${bar.project}<//>`],
        ["Reason", more?.reason && html`<${Own}>${more.reason}<//>`],
        ["When", timeOf(bar)],
        ["Duration", bar.end !== Infinity && formatDuration((bar.end - bar.start) / 1000)],
        ["Size", counted(bar.pes, cluster.unit)],
        [cluster.peNames ? "Nodes" : "Place", placeOf({ bar, cluster }) ?? (bar.kind === "SHARE" ? "" : "not settled yet")],
        ["Price", more?.price && formatMoney(more.price)],
        ["Its time", more && freedomOf(more)],
        ["Id", bar.id && html`<code>${bar.id}</code>`],
      ]} />
      ${isOpenTo(context.account, bar) && html`<p><a class="button first" href=${address("reservation", { id: bar.id })}>Open the reservation</a></p>`}
    </aside>`;
}

/**
 * A table of the visible bars, with the content of the drawing.
 * @param {{context: Context, cluster: Cluster, bars: Bar[]}} its
 */
export function BarsTable({ context, cluster, bars }) {
  const columns = [
    {
      head: "What", by: (/** @type {Bar} */ bar) => KINDS[bar.kind],
      cell: (/** @type {Bar} */ bar) => html`<${Mark} bar=${bar} />${isOpenTo(context.account, bar) ? html`<a href=${address("reservation", { id: bar.id })}>${KINDS[bar.kind]}</a>` : KINDS[bar.kind]}`,
    },
    {
      head: "Owner", by: (/** @type {Bar} */ bar) => bar.owner ?? "",
      cell: (/** @type {Bar} */ bar) => (bar.owner ? html`<${Own}>${bar.owner}<//>` : bar.kind === "OUTAGE" || bar.kind === "SHARE" ? "" : "not shown"),
    },
    { head: "Project", by: (/** @type {Bar} */ bar) => bar.project ?? "", cell: (/** @type {Bar} */ bar) => html`<${Own}>${bar.project}<//>` },
    { head: "State", by: stateOf, cell: (/** @type {Bar} */ bar) => stateOf(bar) && html`<span class=${`state state-${bar.state}`}>${stateOf(bar)}</span>` },
    { head: "Start", by: (/** @type {Bar} */ bar) => bar.start, cell: (/** @type {Bar} */ bar) => html`<span class="nowrap">${formatInstant(bar.start, zone())}</span>` },
    { head: "End", by: (/** @type {Bar} */ bar) => bar.end, cell: (/** @type {Bar} */ bar) => bar.end !== Infinity && html`<span class="nowrap">${formatInstant(bar.end, zone())}</span>` },
    { head: `${cluster.unit ?? "PE"}s`, isNumber: true, by: (/** @type {Bar} */ bar) => bar.pes, cell: (/** @type {Bar} */ bar) => String(bar.pes) },
    ...(bars.some((bar) => bar.peIds) ? [{
      head: cluster.peNames ? "Nodes" : "By number", by: (/** @type {Bar} */ bar) => bar.nodes ?? bar.peIds ?? "", cell: (/** @type {Bar} */ bar) => bar.nodes ?? bar.peIds,
    }] : []),
  ];
  const keys = new Map(bars.map((bar, i) => [bar, `${bar.id ?? ""} ${i}`]));
  return html`<${Table} caption=${`What is planned on ${cluster.id}`} name=${cluster.id} columns=${columns} rows=${bars}
    keyOf=${(/** @type {Bar} */ bar) => keys.get(bar)} empty=${html`<p class="muted">Nothing is planned in this time.</p>`} />`;
}

/**
 * The visible bars by day, for screens that are too narrow for the drawing.
 * @param {{cluster: Cluster, bars: Bar[], from: number, pick: (bar: Bar) => void}} its from: when the shown time begins
 */
export function Cards({ cluster, bars, from, pick }) {
  const most = useSignal(FIRST);
  const over = bars.filter((bar) => bar.end <= now());
  const [first, past] = over.length < bars.length ? [bars.filter((bar) => bar.end > now()), over] : [bars, []];
  return html`
    <div class="cards">
      <${Days} cluster=${cluster} bars=${first.slice(0, most.value)} from=${from} pick=${pick} />
      ${bars.length === 0 && html`<p class="muted">Nothing is planned in this time.</p>`}
      ${first.length > most.value && html`<button type="button" onclick=${() => { most.value *= 3; }}>Show more of ${first.length}</button>`}
      ${past.length > 0 && html`<details><summary>Before now (${past.length})</summary><${Days} cluster=${cluster} bars=${past} from=${from} pick=${pick} /></details>`}
    </div>`;
}

/** @param {{cluster: Cluster, bars: Bar[], from: number, pick: (bar: Bar) => void}} its */
function Days({ cluster, bars, from, pick }) {
  /** @type {Map<string, Bar[]>} */
  const days = new Map();
  for (const bar of bars) {
    const day = formatDay(Math.max(bar.start, from), zone());
    days.set(day, [...(days.get(day) ?? []), bar]);
  }
  const clock = (/** @type {Bar} */ { start, end }, /** @type {string} */ day) => [start, end].map((each) =>
    each === Infinity ? "open end" : formatDay(each, zone()) === day ? formatTime(each, zone()) : `${formatDay(each, zone())} ${formatTime(each, zone())}`).join(" – ");
  return [...days].map(([day, all]) => html`
    <section key=${day}>
      <h3>${day}</h3>
      <ul>${all.map((bar, i) => html`
        <li key=${i}><button type="button" class="card" onclick=${() => pick(bar)}>
          <${Mark} bar=${bar} />
          <span><strong>${groupOf(bar) ? html`<${Own}>${groupOf(bar)}<//>` : KINDS[bar.kind]}</strong><span class="muted">${clock(bar, day)}</span></span>
          <span class="number">${counted(bar.pes, cluster.unit)}<span class="muted">${stateOf(bar)}</span></span>
        </button></li>`)}
      </ul>
    </section>`);
}
