import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { BarsTable, BarTooltip, barText, Cards } from "./bars.js";
import { announce } from "./document.js";
import { colourOfBar, gantt, groupOf } from "./gantt.js";
import { nodesOf } from "./hostlist.js";
import { barOf, placements } from "./placements.js";
import { texts } from "./texts.js";
import { now } from "./time.js";
import { Failed, html } from "./ui.js";
import { counted } from "./units.js";
import { change, zone } from "./url.js";
import { usageChart } from "./usage.js";

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {import("./placements.js").Range} Range
 * @typedef {{load: () => void, find: (id: string) => Bar | undefined, light: (id: string | null) => void}} Handle
 * @typedef {{cluster: string, effects: any, outage: any}} Supposed a tried outage
 * @typedef {{bars: Bar[], from: number, mean: number | null}} Visible the bars in the shown time, which begins at `from`
 */

const PATIENT = 250;
/** The most names in the legend. */
const MOST_NAMES = 12;

/** Returns a test whether a bar matches a search, or null without one. @param {string} search */
function matcher(search) {
  const word = search.trim().toLowerCase();
  return word
    ? (/** @type {Bar} */ bar) =>
        [bar.owner, bar.project, bar.id, bar.nodes, bar.state, bar.state && texts.states[bar.state]].some((text) => text?.toLowerCase().includes(word))
    : null;
}

/**
 * The plan of a cluster: its drawing, the PEs in use over time, and the table of both.
 * @param {{
 *   context: import("./main.js").Context, cluster: any, range: import("@preact/signals").Signal<Range>, move: (from: number, to: number) => void,
 *   search: string, isNarrow: boolean, supposed: Supposed | null, plans: Map<string, Handle>, pick: (bar: Bar) => void,
 * }} its plans: where the plan is found while it is shown
 */
export function Plan({ context, cluster, range, move, search, isNarrow, supposed, plans, pick }) {
  const canvas = useRef(/** @type {any} */ (null));
  const graph = useRef(/** @type {any} */ (null));
  const drawing = useRef(/** @type {any} */ (null));
  const latest = useRef({ move, pick, search, soon: () => {} });
  Object.assign(latest.current, { move, pick, search });
  const bars = useSignal(/** @type {Bar[]} */ ([]));
  const areShares = useSignal(false);
  const problem = useSignal(/** @type {unknown} */ (null));
  const hovered = useSignal(/** @type {{bar: Bar, at: {x: number, y: number}} | null} */ (null));
  const visible = useSignal(/** @type {Visible | null} */ (null));

  useEffect(() => {
    const its = latest.current;
    let timer = 0;
    /** @type {Awaited<ReturnType<typeof usageChart>> | null} */
    let chart = null;
    let isOver = false;
    const drawn = gantt(canvas.current, {
      onRange: (from, to) => its.move(from, to),
      onPick: (bar) => its.pick(bar),
      onHover(bar, at, isByKey) {
        hovered.value = bar && { bar, at };
        if (bar && isByKey) {
          announce(barText({ bar, cluster }));
        }
      },
    });
    drawing.current = drawn;
    drawn.name(nodesOf(cluster));
    const reader = placements(context.api, cluster, {
      onBars(next, tooMany) {
        [bars.value, areShares.value, problem.value] = [next, tooMany, null];
        drawn.show(next, cluster.pes);
        its.soon();
      },
      onProblem(why) {
        problem.value = why;
      },
    });
    // the chart and the table follow after a pause
    its.soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { from, to } = range.peek();
        const shown = bars.peek().filter((bar) => bar.start < to && bar.end > from);
        const mean = chart?.show(shown, cluster.pes, from, to, drawn.left()) ?? null;
        const found = matcher(its.search);
        visible.value = { bars: (found ? shown.filter(found) : shown).sort((a, b) => a.start - b.start), from, mean };
      }, PATIENT);
    };
    usageChart(graph.current).then((made) => {
      if (!isOver) {
        chart = made;
        its.soon();
      }
    }, (why) => {
      problem.value = why;
    });
    const end = effect(() => {
      const { from, to } = range.value;
      drawn.range(from, to, now(), zone());
      reader.see({ from, to });
      its.soon();
    });
    addEventListener("resize", its.soon);
    plans.set(cluster.id, { load: reader.load, find: reader.find, light: drawn.light });
    return () => {
      isOver = true;
      plans.delete(cluster.id);
      removeEventListener("resize", its.soon);
      clearTimeout(timer);
      end();
      reader.end();
      drawn.end();
      chart?.end();
    };
  }, []);
  useEffect(() => {
    drawing.current.search(matcher(search));
    latest.current.soon();
  }, [search]);
  const known = bars.value;
  useEffect(() => drawing.current.suppose(supposed && after(known, supposed)), [known, supposed]);

  const height = Math.min(420, Math.max(160, cluster.pes * 3));
  const nodes = nodesOf(cluster).length;
  return html`
    <section class="panel" data-cluster=${cluster.id}>
      <div class="head">
        <h2>${cluster.id}</h2>
        <${Share} cluster=${cluster} nodes=${nodes} visible=${visible} />
      </div>
      <${Failed} why=${problem.value} />
      ${areShares.value && html`<p class="note">There are more than 10,000 placements in this time, so only the number of booked ${cluster.unit ?? "PE"}s is shown. Zoom in to see owners.</p>`}
      <canvas class="wide-only dragged" tabindex="0" role="application" aria-roledescription="timeline" ref=${canvas} style=${{ height: `${height}px` }}
        aria-label=${`Timeline of ${cluster.id}. Left and right go from bar to bar, up and down to bars above and below, Enter shows details. With Shift, left and right move in time; plus and minus zoom, Home goes to now. The table below shows the same.`}></canvas>
      <${BarTooltip} context=${context} cluster=${cluster} hovered=${hovered} />
      ${supposed && html`<p class="muted wide-only">Dashed: the outage and the new places of reservations that would move. Struck out: reservations that would fail.</p>`}
      <div class="wide-only" role="img" aria-label=${`${cluster.unit ?? "PE"}s of ${cluster.id} in use over time`} ref=${graph}></div>
      <${Names} visible=${visible} search=${search} />
      <${Listed} context=${context} cluster=${cluster} visible=${visible} isNarrow=${isNarrow} pick=${pick} />
    </section>`;
}

/** How much there is of a cluster, and how much of it is booked. @param {{cluster: any, nodes: number, visible: import("@preact/signals").Signal<Visible | null>}} its */
function Share({ cluster, nodes, visible }) {
  const mean = visible.value?.mean;
  return html`<span class="muted">${[
    cluster.admission === "CLOSED" && "closed",
    `${counted(cluster.pes, cluster.unit)}${nodes > 0 ? ` in ${nodes} nodes` : ""}`,
    typeof mean === "number" && `${Math.round(mean * 100)} % booked in this time`,
  ].filter(Boolean).join(" · ")}</span>`;
}

/** Which project has which colour; a click searches for it. @param {{visible: import("@preact/signals").Signal<Visible | null>, search: string}} its */
function Names({ visible, search }) {
  /** @type {Map<string, {colour: string, size: number}>} */
  const all = new Map();
  for (const bar of visible.value?.bars ?? []) {
    const name = groupOf(bar);
    if (name !== null) {
      const before = all.get(name)?.size ?? 0;
      all.set(name, { colour: colourOfBar(bar), size: before + bar.pes * (bar.end - bar.start) });
    }
  }
  const names = [...all].sort(([, a], [, b]) => b.size - a.size);
  return names.length > 0 && html`
    <div class="legend names" role="group" aria-label="Search for a project">
      ${names.slice(0, MOST_NAMES).map(([name, { colour }]) => html`
        <button key=${name} type="button" class="quiet" aria-pressed=${String(search === name)} onclick=${() => change({ search: search === name ? null : name }, { replace: true })}>
          <i class="mark" style=${{ background: `var(--${colour})` }}></i><bdi>${name}</bdi>
        </button>`)}
      ${names.length > MOST_NAMES && html`<span>and ${names.length - MOST_NAMES} more</span>`}
    </div>`;
}

/** @param {{context: import("./main.js").Context, cluster: any, visible: import("@preact/signals").Signal<Visible | null>, isNarrow: boolean, pick: (bar: Bar) => void}} its */
function Listed({ context, cluster, visible, isNarrow, pick }) {
  const { bars, from } = visible.value ?? { bars: [], from: 0 };
  return isNarrow ? html`<${Cards} cluster=${cluster} bars=${bars} from=${from} pick=${pick} />` : html`
    <details class="list">
      <summary>As a table</summary>
      <${BarsTable} context=${context} cluster=${cluster} bars=${bars} />
    </details>`;
}

/**
 * Returns the plan after a tried outage.
 * @param {Bar[]} bars
 * @param {Supposed} supposed
 * @returns {import("./gantt.js").Supposed}
 */
function after(bars, { effects, outage }) {
  const { moved, failed } = effects.named;
  const ghosts = moved.flatMap((/** @type {any} */ each) => each.to.map((/** @type {any} */ part) =>
    barOf({ kind: "RESERVATION", id: each.reservation, owner: each.owner, project: null, state: "CONFIRMED", peIds: null, ...part })));
  ghosts.push(barOf({ ...outage, kind: "OUTAGE", owner: null, project: null, state: null, start: outage.from, end: outage.to }));
  const [gone, lost] = [moved, failed].map((each) => new Set(each.map((/** @type {any} */ one) => one.reservation)));
  const staying = bars.filter((each) => !gone.has(each.id) && !lost.has(each.id));
  return { bars: [...staying, ...ghosts], ghosts: new Set(ghosts), failed: lost };
}
