import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { announce } from "./document.js";
import { formatMoney } from "./money.js";
import { DAY, formatDay, formatInstant, HOUR, iso, isoDuration, now, startOfDay, zoneLabel } from "./time.js";
import { Failed, html, Tooltip, useRead } from "./ui.js";
import { counted } from "./units.js";
import { zone } from "./url.js";

/** The most clusters with a map. */
const MAPS = 3;
/** The most offers on a map. */
const OFFERS = 6;
const LEFT = 52;
const TOP = 28;
const RIGHT = 8;
const BOTTOM = 6;
const GRAB = 9;

/**
 * @typedef {{pes: number, starts: (string | null)[], prices: (string | null)[]}} Row
 * @typedef {{cluster: string, start: string, end: string, pes: number, price: any, parts: {start: string, end: string}[]}} Ghost an offer
 * @typedef {{start: number, end: number}} Window
 * @typedef {{row: number, column: number}} Cell
 */

/**
 * Maps of the free capacity of the chosen cluster, or of those with offers.
 * @param {{
 *   api: import("./api.js").Api, clusters: any[], cluster: string, want: import("./book-form.js").Want, offers: Ghost[],
 *   onWindow: (window: Window, isDone: boolean) => void, onCell: (pes: number, start: number) => void,
 * }} its cluster: empty for any
 */
export function Maps({ api, clusters, cluster, want, offers, onWindow, onCell }) {
  const isDragged = useRef(false);
  const asked = useRef(/** @type {any} */ (null));
  const all = clusters.map(({ id }) => id);
  const ids = cluster ? [cluster] : all.length <= MAPS ? all : [...new Set(offers.map((offer) => offer.cluster))].slice(0, MAPS);
  const from = Math.max(now(), want.start - 6 * HOUR);
  const to = Math.max(want.end + 6 * HOUR, from + 2 * DAY);
  const key = [want.run, Math.round(from / (6 * HOUR)), Math.round(to / (6 * HOUR)), ...ids].join(" ");
  // the map does not change under the pointer
  if (asked.current === null || (asked.current.key !== key && !isDragged.current)) {
    asked.current = { key, ids, from, to, run: want.run };
  }
  const { data, problem } = useRead(api, async (api) => {
    const question = asked.current;
    const step = Math.max(HOUR, Math.ceil((question.to - question.from) / 200 / HOUR) * HOUR) / 1000;
    return question.ids.length === 0 ? null : (await api.post("/probes/map", {
      duration: isoDuration(question.run), from: iso(question.from), to: iso(question.to), step: isoDuration(step), clusters: question.ids,
    })).body;
  }, [asked.current.key]);
  const drag = (/** @type {Window} */ window, /** @type {boolean} */ isDone) => {
    isDragged.current = !isDone;
    onWindow(window, isDone);
  };
  const isPartial = !cluster && all.length > MAPS;
  return html`
    <${Failed} why=${problem} />
    ${data && html`
      <p class="muted small wide-only">Each row is a size, each column a time in which a run of this duration can begin. Click a cell, or choose one with the arrow keys and press Enter. Drag the two handles of the window.</p>
      <p class="muted small phone-only">The stronger its colour, the cheaper a start at that time. Tap a time to choose it.</p>
      ${data.clusters.map((/** @type {any} */ each) => html`
        <${FreeMap} key=${each.cluster} map=${each} range=${{ from: Date.parse(data.from), to: Date.parse(data.to) }} want=${want} onWindow=${drag} onCell=${onCell}
          unit=${clusters.find(({ id }) => id === each.cluster)?.unit} offers=${offers.filter((offer) => offer.cluster === each.cluster).slice(0, OFFERS)} />`)}
      ${data.hidden.length > 0 && html`<p class="muted">Not on the map because only offers are shown: ${data.hidden.join(", ")}</p>`}`}
    ${isPartial && html`<p class="muted">${ids.length === 0 ? "No" : `Maps of ${ids.length}`} of ${all.length} clusters${ids.length > 0 && ", those with the first offers"}. Choose a cluster to see its own.</p>`}`;
}

/** The map of a cluster or, on a phone, a strip of it for the size that is asked for. @param {any} its */
function FreeMap({ map, range, want, offers, unit, onWindow, onCell }) {
  const canvas = useRef(/** @type {any} */ (null));
  const shown = useRef(/** @type {any} */ (null));
  const dragged = useRef(/** @type {{edge: "start" | "end", window: Window} | null} */ (null));
  const wasDragged = useRef(false);
  const cell = useSignal(/** @type {Cell | null} */ (null));
  const pointer = useSignal(/** @type {{x: number, y: number} | null} */ (null));
  const isStrip = innerWidth <= 700;
  const all = /** @type {Row[]} */ ([...map.rows].reverse());
  const rows = isStrip ? all.slice(rowOf(all, want.pes)).slice(0, 1) : all;
  const window = dragged.current?.window ?? { start: Math.max(want.start, now()), end: want.end };
  const [low, high] = pricesOf(all);
  shown.current = { rows, range, window, offers, low, high, height: isStrip ? 44 : 18, cell: pointer.value ? null : cell.value };
  const redraw = () => canvas.current && draw(canvas.current, shown.current);
  useEffect(redraw);
  useEffect(() => {
    const watch = new ResizeObserver(redraw);
    watch.observe(canvas.current);
    return () => watch.disconnect();
  }, []);

  const where = () => scaleOf(canvas.current, range);
  const text = () => {
    const { row, column } = /** @type {Cell} */ (cell.value);
    const [{ pes, starts, prices }, start] = [rows[row], rows[row].starts[column]];
    const at = range.from + (column * (range.to - range.from)) / starts.length;
    return start ? `${counted(pes, unit)} from ${formatInstant(start, zone())}: ${formatMoney({ amount: prices[column] ?? "", currency: map.currency })}`
      : `No run of ${counted(pes, unit)} begins about ${formatInstant(at, zone())}.`;
  };
  const cellAt = (/** @type {MouseEvent} */ event) => {
    const row = Math.floor((event.offsetY - TOP) / shown.current.height);
    const column = Math.floor(((event.offsetX - LEFT) / where().width) * (rows[0]?.starts.length ?? 0));
    return rows[row] && column >= 0 && column < rows[row].starts.length ? { row, column } : null;
  };
  const take = (/** @type {Cell | null} */ at) => {
    const start = at && rows[at.row].starts[at.column];
    if (at && start) {
      onCell(isStrip ? want.pes : rows[at.row].pes, Date.parse(start));
    }
  };
  const edgeAt = (/** @type {PointerEvent} */ event) => {
    const [start, end] = [window.start, window.end].map((each) => Math.abs(where().x(each) - event.offsetX));
    return Math.min(start, end) > GRAB ? null : start < end ? "start" : "end";
  };
  const down = (/** @type {PointerEvent} */ event) => {
    const edge = edgeAt(event);
    wasDragged.current = edge !== null;
    dragged.current = edge && { edge, window };
    if (edge) {
      canvas.current.setPointerCapture(event.pointerId);
    }
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (dragged.current) {
      const to = Math.min(range.to, Math.max(now(), where().moment(event.offsetX)));
      const { edge, window: { start, end } } = dragged.current;
      dragged.current.window = edge === "start" ? { start: Math.min(to, end), end } : { start, end: Math.max(to, start) };
      onWindow(dragged.current.window, false);
      return;
    }
    canvas.current.style.cursor = edgeAt(event) ? "ew-resize" : "pointer";
    cell.value = event.pointerType === "touch" ? null : cellAt(event);
    pointer.value = { x: event.clientX, y: event.clientY };
  };
  const up = () => {
    const last = dragged.current;
    dragged.current = null;
    if (last) {
      onWindow(last.window, true);
    }
  };
  const click = (/** @type {MouseEvent} */ event) => {
    // the map may be another one by the second click
    if (!wasDragged.current && event.detail === 1) {
      take(cellAt(event));
    }
  };
  const leave = () => {
    cell.value = pointer.value = null;
  };
  // the map may have become smaller
  const at = cell.value && rows[cell.value.row]?.starts.length > cell.value.column ? cell.value : null;
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (event.key === "Enter") {
      take(at);
    }
    if (!step || rows.length === 0) {
      return;
    }
    event.preventDefault();
    const columns = rows[0].starts.length;
    const old = at ?? { row: rowOf(rows, want.pes) - step[0], column: Math.floor(((window.start - range.from) / (range.to - range.from)) * columns) - step[1] };
    pointer.value = null;
    cell.value = { row: Math.min(rows.length - 1, Math.max(0, old.row + step[0])), column: Math.min(columns - 1, Math.max(0, old.column + step[1])) };
    announce(text());
  };
  return html`
    <div>
      <h3>${map.cluster}</h3>
      <canvas class="dragged" role="application" tabindex="0" ref=${canvas}
        aria-label=${`Free capacity of ${map.cluster}. Arrow keys choose a size and a start, Enter takes them.`}
        onpointerdown=${down} onpointermove=${move} onpointerup=${up} onpointercancel=${up} onclick=${click} onpointerleave=${leave} onblur=${leave} onkeydown=${press}></canvas>
      <p class="legend">
        ${low !== null && html`<span>${formatMoney({ amount: String(low), currency: map.currency })} <i class="swatch-scale"></i> ${formatMoney({ amount: String(high), currency: map.currency })} for a ${unit ?? "PE"}</span>`}
        <span><i class="swatch-full"></i>no run begins</span>
      </p>
      <details>
        <summary>When a run would fit</summary>
        <ul>${all.map((row) => {
          const column = row.starts.findIndex(Boolean);
          return html`<li key=${row.pes}>${column < 0 ? `${counted(row.pes, unit)}: none in this time`
            : `${counted(row.pes, unit)}: ${formatInstant(row.starts[column] ?? "", zone())}, ${formatMoney({ amount: row.prices[column] ?? "", currency: map.currency })}`}</li>`;
        })}</ul>
      </details>
      ${at && html`<${Tooltip} at=${pointer.value ?? middle(canvas.current, shown.current, at)}><p>${text()}</p><//>`}
    </div>`;
}

/** Returns the lowest and the highest price for a PE, without more than two decimals; null if there is none. @param {Row[]} rows */
function pricesOf(rows) {
  const all = rows.flatMap(({ pes, prices }) => prices.filter((each) => each !== null).map((each) => Number(each) / pes));
  return all.length === 0 ? [null, null] : [Math.min(...all), Math.max(...all)].map((each) => Math.round(each * 100) / 100);
}

/** @param {any} canvas @param {{from: number, to: number}} range */
function scaleOf(canvas, range) {
  const width = canvas.clientWidth - LEFT - RIGHT;
  return {
    width,
    x: (/** @type {number} */ moment) => LEFT + ((moment - range.from) / (range.to - range.from)) * width,
    moment: (/** @type {number} */ x) => range.from + ((x - LEFT) / width) * (range.to - range.from),
  };
}

/** Returns where a cell is on the screen. @param {any} canvas @param {any} shown @param {Cell} cell */
function middle(canvas, shown, cell) {
  const box = canvas.getBoundingClientRect();
  const { width } = scaleOf(canvas, shown.range);
  return { x: box.left + LEFT + ((cell.column + 0.5) * width) / shown.rows[cell.row].starts.length, y: box.top + TOP + (cell.row + 0.5) * shown.height };
}

/**
 * Returns the row for runs of a size: the smallest one that has room for them.
 * @param {{pes: number}[]} rows the largest first
 * @param {number} pes
 */
export function rowOf(rows, pes) {
  return Math.max(0, rows.findLastIndex((row) => row.pes >= pes));
}

/** @param {any} canvas @param {any} shown */
function draw(canvas, { rows, range, window, offers, low, high, height, cell }) {
  const whole = TOP + rows.length * height + BOTTOM;
  const ratio = devicePixelRatio || 1;
  canvas.style.height = `${whole}px`;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = whole * ratio;
  const context = canvas.getContext("2d");
  if (!context || canvas.width === 0) {
    return;
  }
  const { width, x } = scaleOf(canvas, range);
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  context.scale(ratio, ratio);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  rows.forEach((/** @type {Row} */ { pes, starts, prices }, /** @type {number} */ i) => {
    const y = TOP + i * height;
    const step = width / starts.length;
    context.fillStyle = colour("muted");
    context.textAlign = "right";
    context.fillText(String(pes), LEFT - 6, y + height / 2);
    starts.forEach((start, j) => {
      const price = prices[j];
      context.fillStyle = start === null ? colour("raised") : colour("running");
      context.globalAlpha = start === null || price === null ? 1 : 0.85 - 0.5 * (high > low ? Math.max(0, Math.min(1, (Number(price) / pes - low) / (high - low))) : 0);
      context.fillRect(LEFT + j * step, y + 1, Math.max(1, step - (step > 4 ? 1 : 0)), height - 2);
    });
    context.globalAlpha = 1;
  });
  context.fillStyle = colour("muted");
  context.textAlign = "right";
  context.fillText(zoneLabel(zone(), range.from), LEFT - 6, 8);
  context.textAlign = "left";
  let free = 0;
  for (let day = startOfDay(range.from, zone()); day < range.to; day += DAY) {
    if (day >= range.from) {
      context.fillRect(x(day), 2, 1, whole);
      if (x(day) >= free) {
        context.fillText(formatDay(day, zone()), x(day) + 4, 8);
        free = x(day) + context.measureText(formatDay(day, zone())).width + 10;
      }
    }
  }
  context.fillStyle = colour("accent");
  context.globalAlpha = 0.14;
  context.fillRect(x(window.start), TOP, x(window.end) - x(window.start), whole);
  context.globalAlpha = 1;
  for (const edge of [window.start, window.end]) {
    context.fillRect(x(edge) - 1, TOP - 6, 2, whole);
    context.fillRect(x(edge) - 4, TOP - 8, 8, 8);
  }
  context.strokeStyle = colour("ink");
  context.lineWidth = 2;
  drawOffers(context, rows, height, offers, { x, colour, right: canvas.clientWidth });
  if (cell && cell.row < rows.length) {
    const step = width / rows[cell.row].starts.length;
    context.strokeStyle = colour("focus");
    context.strokeRect(LEFT + cell.column * step - 1, TOP + cell.row * height, Math.max(6, step + 1), height);
  }
}

/** @param {any} context @param {Row[]} rows @param {number} height @param {Ghost[]} offers @param {any} how */
function drawOffers(context, rows, height, offers, { x, colour, right: edge }) {
  const sorted = [...offers].sort((one, other) => Date.parse(one.start) - Date.parse(other.start));
  for (const [i, offer] of sorted.entries()) {
    const y = TOP + rowOf(rows, offer.pes) * height;
    let right = LEFT;
    for (const part of offer.parts) {
      const start = x(Date.parse(part.start));
      right = start + Math.max(4, x(Date.parse(part.end)) - start);
      context.strokeRect(start, y + 2, right - start, height - 4);
    }
    const text = formatMoney(offer.price);
    const wide = context.measureText(text).width;
    if (edge > 600 && right + wide + 10 < (i + 1 < sorted.length ? x(Date.parse(sorted[i + 1].start)) : edge)) {
      context.fillStyle = colour("surface");
      context.fillRect(right + 2, y + 2, wide + 6, height - 4);
      context.fillStyle = colour("ink");
      context.fillText(text, right + 5, y + height / 2);
    }
  }
}
