import { h, replace } from "./dom.js";
import { texts } from "./texts.js";
import { formatMoney } from "./money.js";
import { DAY, formatDay, formatInstant, now, zoneLabel } from "./time.js";

const LEFT = 52;
const TOP = 28;
const ROW = 18;
const GRAB = 9;
const says = texts.find;

/**
 * @typedef {{from: string, to: string, step: string, clusters: ClusterMap[], hidden: string[]}} FreeMap
 * @typedef {{cluster: string, pes: number, currency: string, rows: Row[]}} ClusterMap
 * @typedef {{pes: number, starts: (string | null)[], prices: (string | null)[]}} Row
 * @typedef {{cluster: string, start: string, end: string, pes: number, price: any, parts: {start: string, end: string}[]}} Ghost
 * @typedef {{start: number, end: number}} Window
 */

/**
 * Draws the map of a cluster's free capacity, with two handles for the window.
 * @param {ClusterMap} cluster
 * @param {{onWindow: (window: Window, isDone: boolean) => void, onCell: (pes: number, start: number) => void}} listener
 * @param {() => import("./time.js").Zone} zone
 */
export function mapOf(cluster, listener, zone) {
  const canvas = h("canvas", { class: "wide-only dragged", role: "img", "aria-label": `${says.map}: ${cluster.cluster}` });
  const summary = h("details", { open: innerWidth <= 700 });
  const node = h("div", null, h("h3", null, cluster.cluster), canvas, summary);
  /** @type {{from: number, to: number}} */
  let range = { from: 0, to: 1 };
  /** @type {Window} */
  let window = { start: 0, end: 0 };
  /** @type {Ghost[]} */
  let ghosts = [];
  /** @type {Row[]} */
  let rows = [];
  /** @type {"start" | "end" | null} */
  let dragged = null;

  const width = () => canvas.clientWidth - LEFT - 8;
  /** @param {number} moment */
  const x = (moment) => LEFT + ((moment - range.from) / (range.to - range.from)) * width();
  /** @param {number} at */
  const moment = (at) => range.from + ((at - LEFT) / width()) * (range.to - range.from);

  function draw() {
    const height = TOP + rows.length * ROW + 6;
    const scale = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = height * scale;
    const context = canvas.getContext("2d");
    if (!context || canvas.width === 0) {
      return;
    }
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    context.scale(scale, scale);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const prices = rows.flatMap((row) => row.prices.map((price) => (price === null ? null : Number(price) / row.pes)));
    const known = prices.filter((price) => price !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    rows.forEach((row, i) => {
      const y = TOP + i * ROW;
      const step = width() / row.starts.length;
      context.fillStyle = colour("muted");
      context.textAlign = "right";
      context.fillText(String(row.pes), LEFT - 6, y + ROW / 2);
      row.starts.forEach((start, j) => {
        const price = row.prices[j];
        context.fillStyle = start === null ? colour("raised") : colour("running");
        context.globalAlpha = start === null || price === null ? 1 : 0.85 - 0.5 * share(Number(price) / row.pes, low, high);
        context.fillRect(LEFT + j * step, y + 1, Math.max(1, step - (step > 4 ? 1 : 0)), ROW - 2);
      });
      context.globalAlpha = 1;
    });
    context.fillStyle = colour("muted");
    context.textAlign = "right";
    context.fillText(zoneLabel(zone(), range.from), LEFT - 6, 8);
    context.textAlign = "left";
    for (let day = startOfDay(range.from, zone()); day < range.to; day += DAY) {
      if (day >= range.from) {
        context.fillRect(x(day), 2, 1, height);
        context.fillText(formatDay(day, zone()), x(day) + 4, 8);
      }
    }
    context.fillStyle = colour("accent");
    context.globalAlpha = 0.14;
    context.fillRect(x(window.start), TOP, x(window.end) - x(window.start), height);
    context.globalAlpha = 1;
    for (const edge of [window.start, window.end]) {
      context.fillRect(x(edge) - 1, TOP - 6, 2, height);
      context.fillRect(x(edge) - 4, TOP - 8, 8, 8);
    }
    context.strokeStyle = colour("ink");
    context.lineWidth = 2;
    const sorted = [...ghosts].sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
    for (const [i, ghost] of sorted.entries()) {
      const y = TOP + rowOf(rows, ghost.pes) * ROW;
      let right = LEFT;
      for (const part of ghost.parts) {
        const start = x(Date.parse(part.start));
        right = start + Math.max(4, x(Date.parse(part.end)) - start);
        context.strokeRect(start, y + 2, right - start, ROW - 4);
      }
      const text = formatMoney(ghost.price);
      const wide = context.measureText(text).width;
      const until = i + 1 < sorted.length ? x(Date.parse(sorted[i + 1].start)) : canvas.clientWidth;
      if (right + wide + 10 < until) {
        context.fillStyle = colour("surface");
        context.fillRect(right + 2, y + 2, wide + 6, ROW - 4);
        context.fillStyle = colour("ink");
        context.fillText(text, right + 5, y + ROW / 2);
      }
    }
  }

  /** @param {PointerEvent} event */
  function grabbed(event) {
    const at = event.offsetX;
    const [start, end] = [Math.abs(x(window.start) - at), Math.abs(x(window.end) - at)];
    return Math.min(start, end) > GRAB ? null : start < end ? "start" : "end";
  }

  canvas.addEventListener("pointerdown", (event) => {
    dragged = grabbed(event);
    if (dragged) {
      canvas.setPointerCapture(event.pointerId);
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    canvas.style.cursor = dragged || grabbed(event) ? "ew-resize" : "pointer";
    if (dragged) {
      const to = Math.min(range.to, Math.max(now(), moment(event.offsetX)));
      window = dragged === "start" ? { ...window, start: Math.min(to, window.end) } : { ...window, end: Math.max(to, window.start) };
      draw();
      listener.onWindow(window, false);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    if (dragged) {
      dragged = null;
      listener.onWindow(window, true);
      return;
    }
    const row = rows[Math.floor((event.offsetY - TOP) / ROW)];
    const start = row?.starts[Math.floor(((event.offsetX - LEFT) / width()) * row.starts.length)];
    if (row && start) {
      listener.onCell(row.pes, Date.parse(start));
    }
  });
  canvas.addEventListener("pointercancel", () => {
    if (dragged) {
      dragged = null;
      listener.onWindow(window, true);
    }
  });
  const watch = new ResizeObserver(draw);
  watch.observe(canvas);

  /** Shows the map as text. */
  function summarise() {
    replace(
      summary,
      h("summary", null, says.mapTable),
      h("ul", null, rows.map((row) => {
        const i = row.starts.findIndex((start) => start !== null);
        const first = row.starts[i];
        const text = first ? `${formatInstant(first, zone())}, ${row.prices[i]} ${cluster.currency}` : says.noStart;
        return h("li", null, `${says.size(row.pes)}: ${text}`);
      })),
    );
  }

  return {
    node,
    cluster: cluster.cluster,
    /** @param {FreeMap} map */
    show(map) {
      const own = map.clusters.find((each) => each.cluster === cluster.cluster);
      rows = [...(own?.rows ?? [])].reverse();
      range = { from: Date.parse(map.from), to: Date.parse(map.to) };
      summarise();
      draw();
    },
    /** @param {Window} next @param {Ghost[]} offers */
    mark(next, offers) {
      window = next;
      ghosts = offers;
      draw();
    },
    end: () => watch.disconnect(),
  };
}

/**
 * Returns the row for runs of a size: the smallest one that has room for them.
 * @param {Row[]} rows the largest first
 * @param {number} pes
 */
export function rowOf(rows, pes) {
  return Math.max(0, rows.findLastIndex((row) => row.pes >= pes));
}

/** @param {number} price @param {number} low @param {number} high */
function share(price, low, high) {
  return high > low ? (price - low) / (high - low) : 0;
}

/**
 * Returns the start of the day of an instant.
 * @param {number} moment
 * @param {import("./time.js").Zone} zone
 */
export function startOfDay(moment, zone) {
  const date = new Date(moment);
  return zone === "UTC" ? date.setUTCHours(0, 0, 0, 0) : date.setHours(0, 0, 0, 0);
}

/** Makes the legend of a map. */
export function mapLegend() {
  return h(
    "p",
    { class: "legend wide-only" },
    h("span", null, h("i", { class: "swatch-cheap" }), says.cheap),
    h("span", null, h("i", { class: "swatch-dear" }), says.dear),
    h("span", null, h("i", { class: "swatch-full" }), says.none),
  );
}

