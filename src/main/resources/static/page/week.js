import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { othersText } from "./effects.js";
import { formatMoney } from "./money.js";
import { byStart, endOf, endText, Left, Link, nameOf, ProjectName, sizeOf, startOf, State } from "./runs.js";
import { texts } from "./texts.js";
import { DAY, formatDay, formatDuration, formatRange, formatTime, HOUR, iso, now, toField } from "./time.js";
import { ask, Empty, Failed, html, Icon, Own, Skeleton, Tooltip, useChange, useRead, useTicks } from "./ui.js";
import { colourOf } from "./units.js";
import { address, change, params, zone } from "./url.js";

const MOST = 500;
const MINUTE = 60_000;
/** The height of an hour in CSS pixels. */
const HIGH = 30;
/** What a place is rounded to while it is dragged. */
const STEP = 15 * MINUTE;
/** How far the mouse moves before it drags, in CSS pixels. */
const FAR = 4;
/** The milliseconds between two dry runs. */
const PAUSE = 200;
/** How long the window is that a click opens. */
const CLICKED = 2 * HOUR;
const PAST = "It cannot begin in the past.";
const SHOWN = ["HELD", "CONFIRMED", "RUNNING", "COMPLETED", "FAILED"];

/**
 * One account's reservations in a calendar of a week. A run is moved by dragging it, and the mouse on empty space opens Book.
 * @param {{
 *   context: import("./main.js").Context, cluster: string, project: string, owner: string, heard: number, clusters: Map<string, any>,
 *   isAdministrator: boolean, tools: any,
 * }} its
 */
export function Week({ context, cluster, project, owner, heard, clusters, isAdministrator, tools }) {
  const { api } = context;
  const shownIn = zone();
  const monday = weekOf(params().get("week"), shownIn);
  const days = Array.from({ length: 8 }, (_, i) => later(monday, i, shownIn));
  const turn = (/** @type {number} */ by) => () => change({ week: by === 0 ? null : toField(later(monday, 7 * by, shownIn), shownIn).slice(0, 10) });
  const isOpen = !isAdministrator || Boolean(owner);
  const query = { cluster, ...(isAdministrator ? { project, owner } : {}), from: iso(days[0]), to: iso(days[7]) };
  const { data, problem, again } = useRead(api, async (api) => (isOpen ? api.all("/reservations", query, MOST + 1) : []),
    [cluster, isAdministrator && project, owner, monday, isOpen], heard);
  const all = byStart((data ?? []).slice(0, MOST).filter((each) =>
    SHOWN.includes(each.state) && (!project || each.project === project) && (!owner || each.owner === owner)));
  const isNarrow = matchMedia("(max-width: 700px)").matches;
  return html`
    <div class="toolbar">
      ${tools}
      <div class="row">
        <button type="button" aria-label="The week before" onclick=${turn(-1)}><${Icon} name="chevron-left" /></button>
        <button type="button" onclick=${turn(0)}>This week</button>
        <button type="button" aria-label="The week after" onclick=${turn(1)}><${Icon} name="chevron-right" /></button>
      </div>
      <strong class="nowrap">${formatDay(days[0], shownIn)} – ${formatDay(days[6], shownIn)}</strong>
    </div>
    <${Failed} why=${problem} />
    ${!isOpen ? html`<${Empty} text="Choose an owner to see that account's week." />`
      : !data ? !problem && html`<${Skeleton} />`
      : isNarrow ? html`<${Agenda} days=${days} all=${all} clusters=${clusters} />`
      : html`<${Calendar} key=${monday} context=${context} days=${days} all=${all} clusters=${clusters} again=${again} />`}
    ${data && data.length > MOST && html`<p class="muted">Only the newest ${MOST} of this week are shown. Choose a cluster or a project.</p>`}`;
}

/** Returns the first midnight of a week. @param {string | null} day of the week, such as 2027-01-31; otherwise this week @param {import("./time.js").Zone} shownIn */
function weekOf(day, shownIn) {
  const asked = new Date(`${day}T00:00Z`);
  const date = Number.isNaN(+asked) ? new Date(`${toField(now(), shownIn).slice(0, 10)}T00:00Z`) : asked;
  return midnight(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - (date.getUTCDay() + 6) % 7, shownIn);
}

/** @param {number} year @param {number} month @param {number} day @param {import("./time.js").Zone} shownIn */
function midnight(year, month, day, shownIn) {
  return shownIn === "UTC" ? Date.UTC(year, month, day) : +new Date(year, month, day);
}

/** Returns the midnight some days later. @param {number} from a midnight @param {number} days @param {import("./time.js").Zone} shownIn */
function later(from, days, shownIn) {
  const date = new Date(from);
  return shownIn === "UTC" ? from + days * DAY : +new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** The reservations of each day, for small screens. @param {{days: number[], all: any[], clusters: Map<string, any>}} its */
function Agenda({ days, all, clusters }) {
  const found = days.slice(0, 7).map((day, i) => ({ day, all: all.filter((each) => startOf(each) < days[i + 1] && endOf(each) > day) })).filter((each) => each.all.length > 0);
  return found.length === 0 ? html`<${Empty} text="Nothing is planned in this week."><a class="button first" href=${address("book")}>Book a run</a><//>` : found.map((each) => html`
    <h2 key=${each.day}>${formatDay(each.day, zone())}</h2>
    <ul class="runs">${each.all.map((run) => html`
      <li key=${run.id}>
        <div><strong><${Link} each=${run} /></strong> <${State} state=${run.state} /></div>
        <div class="nowrap">${sizeOf(run, clusters)} on ${run.cluster}</div>
        <div>${startOf(run) < each.day ? "since " : ""}${startOf(run) < each.day ? formatDay(startOf(run), zone()) : formatTime(startOf(run), zone())} – ${endText(run)}</div>
        <div class="muted"><${Left} each=${run} /></div>
        <div><${ProjectName} id=${run.project} /></div>
      </li>`)}</ul>`);
}

/**
 * @typedef {{
 *   each: any, start: number, end: number, x: number, y: number, after: any, effects: any, why: string,
 * }} Drag what is dragged, where it would begin and end, and what a dry run said
 */

/** @param {{context: import("./main.js").Context, days: number[], all: any[], clusters: Map<string, any>, again: () => void}} its */
function Calendar({ context: { api, account }, days, all, clusters, again }) {
  useTicks();
  const grid = useRef(/** @type {any} */ (null));
  const drag = useSignal(/** @type {Drag | null} */ (null));
  const marked = useSignal(/** @type {{start: number, end: number} | null} */ (null));
  const isDragged = useRef(false);
  const trial = useRef({ timer: 0, control: new AbortController() });
  const moving = useChange();
  const shownIn = zone();
  useEffect(() => () => forget(), []);

  function forget() {
    clearTimeout(trial.current.timer);
    trial.current.control.abort();
  }

  /** Returns the moment at a point of the calendar. @param {number} x @param {number} y @param {number} step */
  function momentAt(x, y, step) {
    const box = grid.current.getBoundingClientRect();
    const day = Math.max(0, Math.min(6, Math.floor(((x - box.left) / box.width) * 7)));
    const time = ((y - box.top) / HIGH) * HOUR;
    return days[day] + Math.max(0, Math.min(24 * HOUR - step, Math.floor(time / step) * step));
  }

  /**
   * Asks for terms by which a run would begin at a time, with as much freedom after its start as it has now.
   * @param {any} each @param {number} start @param {import("./api.js").How} how
   * @param {boolean} [isTried] whether this is a dry run
   */
  function renegotiate(each, start, how, isTried = false) {
    const length = endOf(each) - startOf(each);
    const terms = { readyTime: iso(start), deadline: iso(start + Math.max(length, Date.parse(each.terms.deadline) - startOf(each))) };
    return api.post(`/reservations/${each.id}/renegotiations`, { terms, ...(isTried ? { dryRun: true } : {}) }, how);
  }

  /** Asks what a move would mean, a moment after the last movement. @param {any} each @param {number} start */
  function tryLater(each, start) {
    forget();
    const control = new AbortController();
    trial.current = { control, timer: setTimeout(async () => {
      const said = await renegotiate(each, start, { signal: control.signal }, true).then(
        ({ body }) => ({ after: body.after, effects: body.effects, why: "" }), (problem) => ({ after: null, effects: null, why: problem.message }));
      if (!control.signal.aborted && drag.peek()) {
        drag.value = { .../** @type {Drag} */ (drag.peek()), ...said };
      }
    }, PAUSE) };
  }

  /** @param {any} each @returns {(event: PointerEvent) => void} */
  const begin = (each) => (event) => {
    isDragged.current = false;
    if (event.button !== 0 || each.state !== "CONFIRMED" || each.owner !== account.name || !each.terms.duration) {
      return;
    }
    const held = momentAt(event.clientX, event.clientY, STEP);
    const from = { x: event.clientX, y: event.clientY };
    const move = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      if (!isDragged.current && Math.hypot(clientX - from.x, clientY - from.y) < FAR) {
        return;
      }
      isDragged.current = true;
      const start = startOf(each) + momentAt(clientX, clientY, STEP) - held;
      const before = drag.peek();
      const isNew = before?.start !== start;
      drag.value = { each, start, end: start + endOf(each) - startOf(each), x: clientX, y: clientY,
        after: isNew ? null : before?.after, effects: isNew ? null : before?.effects, why: isNew ? "" : before?.why ?? "" };
      if (isNew && start < now()) {
        forget();
        drag.value = { ...drag.value, why: PAST };
      } else if (isNew) {
        tryLater(each, start);
      }
    };
    const end = (/** @type {Event} */ last) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      removeEventListener("keydown", leave);
      const dropped = drag.peek();
      forget();
      drag.value = null;
      if (dropped && last.type === "pointerup" && dropped.start !== startOf(each)) {
        if (dropped.start < now()) {
          moving.refuse(PAST);
        } else {
          drop(each, dropped.start);
        }
      }
    };
    const leave = (/** @type {KeyboardEvent} */ pressed) => pressed.key === "Escape" && end(pressed);
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    addEventListener("keydown", leave);
  };

  /** Asks the user, and moves the run. @param {any} each @param {number} start */
  function drop(each, start) {
    return moving.run(async () => {
      const { body: { before, after, effects } } = await renegotiate(each, start, {}, true);
      const question = html`Move <${Own}>${nameOf(each)}<//> to ${formatRange(after.placement.start, after.placement.end, shownIn)}? It then costs ${
        formatMoney(after.price)} instead of ${formatMoney(before.price)}. ${othersText(effects)}`;
      if (await ask(question, "Move it", "No")) {
        await renegotiate(each, start, { isOnce: true, ifMatch: `"${before.version}"` });
        again();
      }
    });
  }

  /** Marks a window on empty space, and opens Book with it. @param {PointerEvent} event */
  function mark(event) {
    if (event.button !== 0 || /** @type {any} */ (event.target).closest(".block")) {
      return;
    }
    const first = momentAt(event.clientX, event.clientY, HOUR / 2);
    const isMouse = event.pointerType === "mouse";
    const move = (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const at = momentAt(clientX, clientY, HOUR / 2);
      marked.value = { start: Math.min(first, at), end: Math.max(first, at) + HOUR / 2 };
    };
    const end = (/** @type {PointerEvent} */ { type, clientX, clientY }) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      const isFar = isMouse && Math.hypot(clientX - event.clientX, clientY - event.clientY) >= FAR;
      const window = isFar && marked.peek() || { start: first, end: first + CLICKED };
      marked.value = null;
      if (type === "pointerup" && window.end > now()) {
        const start = Math.max(window.start, Math.ceil(now() / MINUTE) * MINUTE);
        location.hash = address("book", { from: String(start), to: String(window.end), duration: formatDuration((window.end - start) / 1000) });
      }
    };
    if (isMouse) {
      addEventListener("pointermove", move);
    }
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** Moves the focus from block to block. @param {KeyboardEvent} event */
  function step(event) {
    const by = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[event.key];
    const blocks = [...grid.current.querySelectorAll("a.block")];
    const at = blocks.indexOf(document.activeElement);
    if (by && at >= 0) {
      event.preventDefault();
      blocks[Math.max(0, Math.min(blocks.length - 1, at + by))].focus();
    }
  }

  const present = now();
  const lanes = lanesOf(all);
  const moved = drag.value;
  return html`
    <${Failed} why=${moving.problem} />
    <p class="muted small">Drag a run to move it. Click or drag on empty space to book. Arrow keys go from run to run, and Enter opens one.</p>
    <div class="week">
      <div class="hours" aria-hidden="true">${Array.from({ length: 23 }, (_, i) => html`<span key=${i} style=${{ top: `${(i + 1) * HIGH}px` }}>${String(i + 1).padStart(2, "0")}:00</span>`)}</div>
      ${days.slice(0, 7).map((day, i) => html`<h2 key=${day} style=${{ gridColumn: `${i + 2}` }} class=${day <= present && present < days[i + 1] ? "today" : null}>${formatDay(day, shownIn)}</h2>`)}
      <div class="board" role="group" aria-label="Reservations of the week" ref=${grid} style=${{ height: `${24 * HIGH}px`, "--hour": `${HIGH}px` }} onpointerdown=${mark} onkeydown=${step}>
        ${days.slice(0, 7).map((day, i) => html`<${Day} key=${day} i=${i} from=${day} to=${days[i + 1]} present=${present} />`)}
        ${marked.value && html`<${Block} days=${days} start=${marked.value.start} end=${marked.value.end} kind="ghost" />`}
        ${all.map((each) => html`
          <${Block} key=${each.id} days=${days} start=${startOf(each)} end=${endOf(each)} lane=${lanes.get(each.id)} each=${each} clusters=${clusters}
            kind=${`state-of-${each.state} ${moved?.each.id === each.id ? "left" : ""}`} begin=${begin(each)} isDragged=${isDragged} />`)}
        ${moved && html`<${Block} days=${days} start=${moved.start} end=${moved.end} kind=${`ghost ${moved.why ? "refused" : ""}`} />`}
      </div>
    </div>
    <${Tooltip} at=${moved}>
      <p><strong>${moved && formatRange(moved.start, moved.end, shownIn)}</strong></p>
      <p>${moved?.why || (moved?.after ? `${formatMoney(moved.after.price)} instead of ${formatMoney(moved.each.price)}` : "What would it cost?")}</p>
      ${moved?.after && Date.parse(moved.after.placement.start) !== moved.start && html`<p>It would run ${formatRange(moved.after.placement.start, moved.after.placement.end, shownIn)}.</p>`}
      ${moved?.effects && html`<p>${othersText(moved.effects)}</p>`}
    <//>`;
}

/** A day, with what is over. @param {{i: number, from: number, to: number, present: number}} its */
function Day({ i, from, to, present }) {
  const over = Math.max(0, Math.min(to, present) - from) / HOUR;
  return html`
    <div class="day" style=${{ left: `${(i / 7) * 100}%` }}>
      <div class="over" style=${{ height: `${Math.min(24, over) * HIGH}px` }}></div>
      ${from <= present && present < to && html`<div class="now" style=${{ top: `${over * HIGH}px` }}></div>`}
    </div>`;
}

/**
 * A run, or a place for one: one box on each of its days.
 * @param {{
 *   days: number[], start: number, end: number, kind: string, lane?: {at: number, of: number}, each?: any, clusters?: Map<string, any>,
 *   begin?: (event: PointerEvent) => void, isDragged?: {current: boolean},
 * }} its
 */
function Block({ days, start, end, kind, lane = { at: 0, of: 1 }, each, clusters, begin, isDragged }) {
  const first = Math.max(0, days.findIndex((day, i) => start < (days[i + 1] ?? Infinity)));
  return days.slice(0, 7).map((day, i) => {
    const [from, to] = [Math.max(start, day), Math.min(end, days[i + 1])];
    if (from >= to) {
      return null;
    }
    const style = {
      top: `${((from - day) / HOUR) * HIGH}px`,
      height: `${Math.max(14, ((to - from) / HOUR) * HIGH - 2)}px`,
      left: `calc(${((i + lane.at / lane.of) / 7) * 100}% + 2px)`,
      width: `calc(${100 / 7 / lane.of}% - 4px)`,
      "--project": each && `var(${colourOf(each.project)})`,
    };
    if (!each) {
      return html`<div key=${i} class=${`block ${kind}`} style=${style}></div>`;
    }
    // the end of a drag is a click too; Enter is one without a count
    const click = (/** @type {MouseEvent} */ event) => event.detail > 0 && isDragged?.current && event.preventDefault();
    const inside = html`<strong><${Own}>${nameOf(each)}<//></strong> <span class="nowrap">${formatTime(start, zone())}</span> <span class="nowrap">${sizeOf(each, clusters ?? new Map())}</span>`;
    // the first box is the link
    return i === first ? html`
      <a key=${i} class=${`block ${kind}`} style=${style} draggable=${false} href=${address("reservation", { id: each.id })} onpointerdown=${begin} onclick=${click}>
        ${inside}<span class="unseen">, ${formatRange(start, end, zone())}, ${texts.states[each.state]}</span></a>`
      : html`<div key=${i} class=${`block ${kind}`} style=${style} aria-hidden="true" onpointerdown=${begin}>${inside}</div>`;
  });
}

/**
 * Returns where runs stand side by side because they overlap in time.
 * @param {any[]} all by their starts
 * @returns {Map<string, {at: number, of: number}>} by id
 */
function lanesOf(all) {
  const found = new Map();
  /** @type {{id: string, at: number}[]} */
  let group = [];
  /** @type {number[]} */
  let ends = [];
  const close = () => group.forEach(({ id, at }) => found.set(id, { at, of: ends.length }));
  for (const each of all) {
    if (ends.every((end) => end <= startOf(each))) {
      close();
      [group, ends] = [[], []];
    }
    const free = ends.findIndex((end) => end <= startOf(each));
    const at = free < 0 ? ends.length : free;
    ends[at] = endOf(each);
    group.push({ id: each.id, at });
  }
  close();
  return found;
}
