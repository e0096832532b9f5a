import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Side } from "./bars.js";
import { changed } from "./details.js";
import { paint } from "./gantt.js";
import { Moves } from "./moves.js";
import { Plan } from "./plan.js";
import { Planner } from "./planner.js";
import { follow } from "./stream.js";
import { DAY, every, formatRange, fromField, MOMENT_WRONG, now, startOfDay, toField } from "./time.js";
import { bound, Choices, Empty, Failed, Field, html, Icon, Moment, Skeleton, Tick, useRead } from "./ui.js";
import { address, change, params, zone } from "./url.js";

const PATIENT = 250;
const POLL = 30_000;
/** How many clusters are all shown, or shown at first if there are more. */
const FEW = 6;
/** The most clusters to list that match a filter. */
const MOST_FOUND = 12;

/** @type {[days: string, text: string][]} */
const SPANS = [["1", "Today"], ["3", "3 days"], ["7", "Week"], ["14", "Fortnight"], ["30", "Month"]];

const STATES = /** @type {[import("./gantt.js").Look, string][]} */ ([
  ["running", "running"], ["confirmed", "confirmed"], ["held", "held"], ["ended", "ended"], ["job", "batch jobs"], ["outage", "outage"],
]);

/** @param {string} query @returns {import("@preact/signals").Signal<boolean>} */
function media(query) {
  const list = matchMedia(query);
  const made = signal(list.matches);
  list.addEventListener("change", () => {
    made.value = list.matches;
  });
  return made;
}
const isNarrow = media("screen and (max-width: 700px)");
const isDark = media("screen and (prefers-color-scheme: dark)");

/** Returns so many days from the last midnight. @param {number} days @returns {import("./placements.js").Range} */
function spanOf(days) {
  const today = startOfDay(now(), zone());
  return { from: today, to: today + days * DAY };
}

/** Returns the time that the address names, by default three days. @returns {import("./placements.js").Range} */
function asked() {
  const [from, to] = [Number(params().get("from")), Number(params().get("to"))];
  return from > 0 && to > from ? { from, to } : spanOf(3);
}

/** Names are in order, closed clusters last. @param {any} a @param {any} b */
function byName(a, b) {
  return Number(a.admission === "CLOSED") - Number(b.admission === "CLOSED") || a.id.localeCompare(b.id, "en", { numeric: true });
}

/**
 * What takes the PEs of clusters, past and future, as it changes.
 * @param {{context: import("./main.js").Context}} its
 */
export function View({ context }) {
  const { api, account } = context;
  const isOperator = account.role !== "CLIENT";
  const all = useRead(api, (api) => api.all("/clusters", {}, 500), []);
  const clusters = useMemo(() => (all.data ?? [])
    .filter((each) => each.pes && !each.peer && (isOperator || ["BUSY", "NAMES"].includes(each.policy?.visibility))).sort(byName), [all.data]);
  if (clusters.length > 0) {
    return html`<${Timeline} context=${context} clusters=${clusters} />`;
  }
  return html`
    <h1>Timeline</h1>
    ${all.problem ? html`<${Failed} why=${all.problem} />`
      : !all.data ? html`<${Skeleton} />`
      : html`<div class="panel">${account.role === "ADMIN"
        ? html`<${Empty} text="There is no cluster yet."><a class="button first" href=${address("admin", { "new-cluster": "1" })}>Add a cluster</a><//>`
        : html`<${Empty} text="No cluster shows you its timeline." ><p>Its administrator can set policy.visibility.</p>${!isOperator && html`<a class="button" href=${address("book")}>Find a slot</a>`}<//>`}</div>`}`;
}

/** @param {{context: import("./main.js").Context, clusters: any[]}} its */
function Timeline({ context, clusters }) {
  const { session, account, api } = context;
  const isOperator = account.role !== "CLIENT";
  const range = useMemo(() => signal(asked()), []);
  /** The time as it was when it last came to rest. */
  const rested = useSignal(range.peek());
  const live = useSignal("");
  const heard = useSignal(/** @type {any[]} */ ([]));
  const picked = useSignal(/** @type {import("./bars.js").Picked | null} */ (null));
  const supposed = useSignal(/** @type {import("./plan.js").Supposed | null} */ (null));
  const plans = useMemo(() => new Map(), []);
  const timer = useRef(0);
  const chosen = params();
  const named = chosen.getAll("cluster");
  const open = clusters.filter((each) => named.includes(each.id));
  const shown = open.length > 0 ? open : clusters.slice(0, FEW);
  const search = chosen.get("search") ?? "";
  const isPlanning = account.role === "ADMIN" && chosen.has("outage");

  const move = (/** @type {number} */ from, /** @type {number} */ to) => {
    range.value = { from, to };
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      rested.value = range.peek();
      change({ from: String(Math.round(from)), to: String(Math.round(to)) }, { replace: true });
    }, PATIENT);
  };
  useEffect(() => {
    const next = asked();
    const { from, to } = range.peek();
    if (chosen.has("from") && (Math.round(next.from) !== Math.round(from) || Math.round(next.to) !== Math.round(to))) {
      rested.value = range.value = next;
    }
  }, [chosen.get("from"), chosen.get("to")]);
  useEffect(() => {
    const load = () => plans.forEach((plan) => plan.load());
    const stop = follow(session, "/events/stream", {
      onState(isConnected) {
        live.value = isConnected ? "Live" : "Not live: the connection is lost.";
        if (isConnected) {
          load();
        }
      },
      onEvent(event) {
        if (event.reservation) {
          changed(api, `/reservations/${event.reservation}`);
        }
        plans.get(event.cluster)?.load();
        if (event.type === "moved") {
          heard.value = [...heard.peek().filter(({ at }) => Date.parse(at) > now() - DAY), event];
        }
      },
    });
    const calm = every(() => {
      range.value = { ...range.peek() };
    }, 10_000, 1000);
    // clients do not hear of the reservations of others
    const poll = isOperator ? 0 : setInterval(load, POLL);
    return () => {
      stop();
      calm();
      clearInterval(poll);
      clearTimeout(timer.current);
    };
  }, []);

  const onEffects = (/** @type {string} */ cluster, /** @type {any} */ effects, /** @type {any} */ outage) => {
    supposed.value = effects && { cluster, effects, outage };
    if (effects && !shown.some((each) => each.id === cluster)) {
      change({ cluster: [...shown.map((each) => each.id), cluster] }, { replace: true });
    }
  };
  const { from, to } = rested.value;
  return html`
    <div class="head">
      <h1>Timeline</h1>
      <span class="muted when">${formatRange(from, to, zone())}</span>
      <span class="muted live" role="status">${live.value}</span>
      ${account.role === "ADMIN" && html`<button type="button" aria-expanded=${String(isPlanning)} onclick=${() => change({ outage: isPlanning ? null : "1" })}>
        <${Icon} name="wrench" />Plan an outage</button>`}
    </div>
    <div class="panel">
      <${Toolbar} range=${range} rested=${rested.value} move=${move} search=${search} />
      <div class="row chosen">
        <${Clusters} clusters=${clusters} shown=${shown} />
        <p class="legend wide-only">${STATES.map(([look, word]) => html`<span key=${look}><${Swatch} look=${look} isDark=${isDark.value} />${word}</span>`)}</p>
      </div>
    </div>
    ${isPlanning && html`<${Planner} context=${context} clusters=${clusters} preferred=${shown.map((each) => each.id)} onEffects=${onEffects} />`}
    ${shown.map((cluster) => html`<${Plan} key=${cluster.id} context=${context} cluster=${cluster} range=${range} move=${move} search=${search} plans=${plans}
      isNarrow=${isNarrow.value} supposed=${supposed.value?.cluster === cluster.id ? supposed.value : null} pick=${(/** @type {any} */ bar) => { picked.value = { bar, cluster }; }} />`)}
    ${isOperator && html`<${Moves} context=${context} plans=${plans} heard=${heard} isFolded=${isNarrow.value} />`}
    ${picked.value && html`<${Side} key=${`${picked.value.bar.id} ${picked.value.bar.start}`} context=${context} ...${picked.value} close=${() => { picked.value = null; }} />`}`;
}

/** The pattern of a state. @param {{look: import("./gantt.js").Look, isDark: boolean}} its */
function Swatch({ look, isDark: dark }) {
  const canvas = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const pen = canvas.current.getContext("2d");
    pen.fillStyle = paint(pen, look, colour(look === "outage" || look === "job" ? look : "muted"), colour("surface"));
    pen.fillRect(0, 0, 24, 14);
  }, [dark]);
  return html`<canvas class="swatch" width="24" height="14" ref=${canvas}></canvas>`;
}

/**
 * What time is shown, and what is searched for.
 * @param {{
 *   range: import("@preact/signals").Signal<import("./placements.js").Range>, rested: import("./placements.js").Range,
 *   move: (from: number, to: number) => void, search: string,
 * }} its
 */
function Toolbar({ range, rested, move, search }) {
  const areDates = useSignal(false);
  const begin = useSignal("");
  const end = useSignal("");
  const error = useSignal("");
  useEffect(() => {
    [begin.value, end.value, error.value] = [toField(rested.from, zone()), toField(rested.to, zone()), ""];
  }, [rested.from, rested.to, zone()]);
  const step = (/** @type {number} */ by) => () => {
    const { from, to } = range.peek();
    move(from + (to - from) * by, to + (to - from) * by);
  };
  const zoom = (/** @type {number} */ by) => () => {
    const { from, to } = range.peek();
    const [middle, half] = [(from + to) / 2, ((to - from) / 2) * by];
    move(middle - half, middle + half);
  };
  const goNow = () => {
    const length = range.peek().to - range.peek().from;
    move(now() - length / 8, now() + (length * 7) / 8);
  };
  const typed = () => {
    const [from, to] = [fromField(begin.value, zone()), fromField(end.value, zone(), true)];
    error.value = Number.isNaN(from) || Number.isNaN(to) ? MOMENT_WRONG : to > from ? "" : "The end must lie after the beginning.";
    if (!error.value) {
      move(from, to);
    }
  };
  const isSpan = (/** @type {string} */ days) => {
    const { from, to } = spanOf(Number(days));
    return from === rested.from && to === rested.to;
  };
  const choose = (/** @type {string} */ days) => {
    const { from, to } = spanOf(Number(days));
    move(from, to);
  };
  return html`
    <div class="toolbar">
      <${Choices} label="Time" options=${SPANS} value=${SPANS.find(([days]) => isSpan(days))?.[0] ?? ""} choose=${choose} />
      <div class="choices" role="group" aria-label="Move and zoom">
        <button type="button" aria-label="Earlier" title="Earlier" onclick=${step(-0.5)}><${Icon} name="chevron-left" /></button>
        <button type="button" onclick=${goNow}>Now</button>
        <button type="button" aria-label="Later" title="Later" onclick=${step(0.5)}><${Icon} name="chevron-right" /></button>
        <button type="button" aria-label="Zoom in" title="Zoom in" onclick=${zoom(0.5)}><${Icon} name="zoom-in" /></button>
        <button type="button" aria-label="Zoom out" title="Zoom out" onclick=${zoom(2)}><${Icon} name="zoom-out" /></button>
        <button type="button" aria-expanded=${String(areDates.value)} onclick=${() => { areDates.value = !areDates.value; }}><${Icon} name="calendar" />Dates</button>
      </div>
      <input class="search" type="search" name="search" aria-label="Search" placeholder="Search owner, project, node, state" value=${search}
        oninput=${(/** @type {any} */ { target }) => change({ search: target.value || null }, { replace: true })} />
    </div>
    ${areDates.value && html`<form class="toolbar" onsubmit=${(/** @type {Event} */ event) => { event.preventDefault(); typed(); }}>
      <${Moment} label="From" name="from" value=${begin} onchange=${typed} />
      <${Moment} label="To" name="to" value=${end} error=${error.value} onchange=${typed} />
    </form>`}`;
}

/**
 * Which clusters are shown. Few clusters are listed; of many, the shown ones and those that match a filter.
 * @param {{clusters: any[], shown: any[]}} its
 */
function Clusters({ clusters, shown }) {
  const filter = useSignal("");
  const ids = shown.map((each) => each.id);
  const set = (/** @type {string} */ id) => (/** @type {boolean} */ isShown) => {
    const next = isShown ? [...ids, id] : ids.filter((each) => each !== id);
    change({ cluster: next.length > 0 ? next : ids }, { replace: true });
  };
  if (clusters.length === 1) {
    return null;
  }
  const word = filter.value.trim().toLowerCase();
  const found = word ? clusters.filter((each) => each.id.toLowerCase().includes(word) && !ids.includes(each.id)) : [];
  const listed = clusters.length <= FEW ? clusters : [...shown, ...found.slice(0, MOST_FOUND)];
  return html`
    <div class="row clusters" role="group" aria-label="Clusters">
      ${clusters.length > FEW && html`
        <${Field} label=${`${shown.length} of ${clusters.length} clusters shown`}><input type="search" name="filter" placeholder="Find another cluster" autocomplete="off" ...${bound(filter)} /><//>`}
      ${listed.map((each) => html`<${Tick} key=${each.id} value=${each.id} checked=${ids.includes(each.id)} onchange=${set(each.id)}>${each.id}${each.admission === "CLOSED" && html` <span class="muted">closed</span>`}<//>`)}
      ${found.length > MOST_FOUND && html`<span class="muted">and ${found.length - MOST_FOUND} more</span>`}
      ${word && found.length === 0 && html`<span class="muted">No other cluster matches “${filter.value}”.</span>`}
    </div>`;
}
