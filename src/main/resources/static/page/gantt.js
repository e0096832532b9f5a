import { layOut, visible } from "./layout.js";
import { DAY, formatDay, formatTime, HOUR, zoneLabel } from "./time.js";
import { colourOf } from "./units.js";

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {import("./time.js").Zone} Zone
 * @typedef {{
 *   onRange?: (from: number, to: number) => void,
 *   onHover?: (bar: Bar | null, at: {x: number, y: number}, isByKey: boolean) => void,
 *   onPick?: (bar: Bar) => void,
 * }} Listener onHover: with the place on the screen; a bar is reached by the mouse, or by a key
 */

const LEFT = 48;
const WIDEST_LEFT = 120;
const TOP = 22;
const BANDS = 40;
const NARROWEST = 5 * 60_000;
const WIDEST = 400 * DAY;
const STEPS = [HOUR / 4, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 84 * DAY];
const FONT = "11px system-ui, sans-serif";
/** Added to the number of the tile of a bar that is not searched for. */
const DIM = 128;
/** The looks, in the order of drawing. */
const LOOKS = /** @type {const} */ (["ended", "confirmed", "running", "held", "job", "outage"]);

/** Whether the tile with a number is that of an outage. */
const OUTAGES = Uint8Array.from({ length: 2 * DIM }, (_, i) => Number((i % DIM) % LOOKS.length === LOOKS.indexOf("outage")));

/** What bars are coloured by: one of the colours of projects, no project, or another kind of bar. */
export const COLOURS = [...Array(8).keys()].map((i) => `project-${i}`).concat("ended", "job", "outage", "confirmed");

/** @typedef {typeof LOOKS[number]} Look */

/** @typedef {"plain" | "hatched" | "ruled" | "slanted" | "dotted" | "crossed"} Kind */
/** @typedef {{isPlain: boolean, pixels: Uint32Array}} Tile */

/** How states differ, whatever the colour is. @type {Record<Look, Kind>} */
const KINDS = { running: "plain", confirmed: "hatched", ended: "ruled", held: "slanted", job: "dotted", outage: "crossed" };

/**
 * @typedef {{bars: Bar[], ghosts: Set<Bar>, failed: Set<string | null>}} Supposed
 *   a plan after a change, with the new bars and the ids of the failed reservations
 */

/** @type {Record<string, Look>} */
const BY_STATE = { RUNNING: "running", CONFIRMED: "confirmed", HELD: "held" };

/**
 * Returns the look of a bar.
 * @param {{kind: string, state: string | null}} bar
 * @returns {Look}
 */
function lookOf({ kind, state }) {
  if (kind === "OUTAGE") {
    return "outage";
  }
  if (kind === "SHARE") {
    return "confirmed";
  }
  if (kind === "JOB" && (state === "RUNNING" || state === "QUEUED")) {
    return "job";
  }
  return BY_STATE[state ?? ""] ?? "ended";
}

/** Returns what decides the colour of a bar, and stands on it: its project, or else its owner. @param {Bar} bar */
export function groupOf(bar) {
  return bar.kind === "RESERVATION" ? bar.project ?? bar.owner : null;
}

/** Returns the name of a bar's colour, one of COLOURS. @param {Bar} bar */
export function colourOfBar(bar) {
  return bar.kind === "RESERVATION" ? colourOf(groupOf(bar)).slice(2)
    : bar.kind === "OUTAGE" ? "outage" : bar.kind === "SHARE" ? "confirmed" : lookOf(bar) === "job" ? "job" : "ended";
}

/**
 * Paints a tile of 8 by 8 pixels for a pattern.
 * @param {string} colour
 * @param {string} ground
 * @param {Kind} kind
 * @param {number} alpha
 */
function tile(colour, ground, kind, alpha) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 8;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  pen.fillStyle = ground;
  pen.fillRect(0, 0, 8, 8);
  pen.globalAlpha = alpha;
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 8, 8);
  pen.fillStyle = pen.strokeStyle = ground;
  if (kind === "dotted") {
    pen.fillRect(1, 1, 2, 2);
    pen.fillRect(5, 5, 2, 2);
  } else if (kind === "ruled") {
    pen.globalAlpha = 0.6 * alpha;
    pen.fillRect(3, 0, 1, 8);
    pen.fillRect(7, 0, 1, 8);
  } else if (kind !== "plain") {
    pen.lineWidth = kind === "hatched" ? 1 : 1.5;
    pen.globalAlpha = kind === "hatched" ? 0.35 * alpha : alpha;
    pen.beginPath();
    for (const shift of [-8, 0, 8]) {
      if (kind !== "hatched") {
        pen.moveTo(shift - 1, 9);
        pen.lineTo(shift + 9, -1);
      }
      if (kind !== "slanted") {
        pen.moveTo(shift - 1, -1);
        pen.lineTo(shift + 9, 9);
      }
    }
    pen.stroke();
  }
  return canvas;
}

/** Returns some of all names, of which the widest is about as wide as the widest of all. @param {string[]} names */
function sampled(names) {
  return names.filter((_, i) => i % Math.ceil(names.length / 100) === 0);
}

/** @param {HTMLCanvasElement} canvas @param {Kind} kind @returns {Tile} */
function asPixels(canvas, kind) {
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  return { isPlain: kind === "plain", pixels: new Uint32Array(pen.getImageData(0, 0, 8, 8).data.buffer) };
}

/**
 * Returns the canvas pattern of a look in a colour.
 * @param {CanvasRenderingContext2D} pen
 * @param {Look} look
 * @param {string} colour
 * @param {string} ground
 */
export function paint(pen, look, colour, ground) {
  return pen.createPattern(tile(colour, ground, KINDS[look], alphaOf(look)), "repeat") ?? colour;
}

/** The past is paler. @param {Look} look */
function alphaOf(look) {
  return look === "ended" ? 0.55 : 1;
}

/** @param {Zone} zone @param {number} moment */
function offsetOf(zone, moment) {
  return zone === "UTC" ? 0 : new Date(moment).getTimezoneOffset() * 60_000;
}

/**
 * Draws the uses of a cluster's PEs over time on a canvas: only the visible ones, with labels that fit. For bars thinner
 * than a pixel it draws their density.
 * @param {HTMLCanvasElement} canvas
 * @param {Listener} listener
 */
export function gantt(canvas, listener = {}) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  /** @type {Bar[]} */
  let bars = [];
  let pes = 1;
  /** Names of the nodes, in the order of their PEs. @type {string[]} */
  let names = [];
  let leftEdge = LEFT;
  let stripes = layOut([], 1);
  /** @type {Supposed | null} */
  let supposed = null;
  let supposedStripes = stripes;
  let [from, to] = [0, DAY];
  let now = 0;
  /** @type {Zone} */
  let zone = "local";
  /** @type {((bar: Bar) => boolean) | null} */
  let matches = null;
  /** @type {string | null} */
  let lit = null;
  /** The bar that was reached by a key. @type {Bar | null} */
  let chosen = null;
  let [width, height] = [0, 0];
  let isAsked = false;
  /** @type {Record<string, string>} */
  let colours = {};
  /** The tile of each stripe. */
  let looks = new Uint8Array(0);
  /** The tiles by look and colour, made when they are first needed. @type {(Tile | undefined)[]} */
  let tiles = [];
  /** @type {Uint32Array[]} how thin bars look, the past and what is to come, by how densely they lie */
  let shades = [];
  let [ground, line] = [0, 0];
  /** The pixels of the bars. Without a graphics card, filling rectangles here is faster than any path. */
  let plot = new ImageData(1, 1);
  let pixels = new Uint32Array(plot.data.buffer);
  let thin = new Float32Array(0);
  let pixel = 1;
  /** @type {{x: number, from: number, to: number, isMoved: boolean} | null} */
  let dragged = null;

  const span = () => width - leftEdge;
  /** @param {number} moment */
  const x = (moment) => leftEdge + ((moment - from) / (to - from)) * span();
  /** @param {number} at */
  const moment = (at) => from + ((at - leftEdge) / span()) * (to - from);
  const rowHeight = () => (height - TOP) / pes;

  function measure() {
    const scale = devicePixelRatio || 1;
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(canvas);
    for (const name of [...COLOURS, "ink", "muted", "line", "surface", "bad", "focus", "raised"]) {
      colours[name] = style.getPropertyValue(`--${name}`).trim() || "#888";
    }
    const plain = (/** @type {string} */ colour, /** @type {number} */ alpha) => asPixels(tile(colour, colours.surface, "plain", alpha), "plain").pixels[0];
    tiles = [];
    shades = [colours.ended, colours.confirmed].map((colour) => Uint32Array.from([0.25, 0.5, 0.75, 1], (alpha) => plain(colour, alpha)));
    [ground, line] = [colours.surface, colours.line].map((colour) => plain(colour, 1));
    pixel = scale;
    context.font = FONT;
    leftEdge = Math.min(WIDEST_LEFT, Math.max(LEFT, 14 + Math.max(0, ...sampled(names).map((name) => context.measureText(name).width))));
    plot = context.createImageData(Math.max(1, canvas.width - Math.round(leftEdge * scale)), Math.max(1, canvas.height - Math.round(TOP * scale)));
    pixels = new Uint32Array(plot.data.buffer);
    thin = new Float32Array(plot.width * BANDS);
    ask();
  }

  /** Makes the tile with a number. @param {number} number */
  function makeTile(number) {
    const look = LOOKS[(number % DIM) % LOOKS.length];
    const colour = colours[COLOURS[Math.floor((number % DIM) / LOOKS.length)]];
    return (tiles[number] = asPixels(tile(colour, colours.surface, KINDS[look], number >= DIM ? 0.15 : alphaOf(look)), KINDS[look]));
  }

  /** Sets the tile of each stripe. */
  function look() {
    const own = bars.map((bar) => LOOKS.indexOf(lookOf(bar)) + LOOKS.length * COLOURS.indexOf(colourOfBar(bar))
      + (matches !== null && !matches(bar) ? DIM : 0));
    looks = Uint8Array.from(stripes.bar.subarray(0, stripes.size), (bar) => own[bar]);
    ask();
  }

  /** Requests a frame, unless one is requested already. */
  function ask() {
    if (!isAsked) {
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        draw();
      });
    }
  }

  function draw() {
    if (width < leftEdge + 10) {
      return;
    }
    context.fillStyle = colours.surface;
    context.fillRect(0, 0, width, height);
    const marks = ticks();
    axis(marks);
    const labelled = paint(marks);
    context.putImageData(plot, canvas.width - plot.width, canvas.height - plot.height);
    context.save();
    context.beginPath();
    context.rect(leftEdge, TOP, span(), height - TOP);
    context.clip();
    const [begin, end] = visible(stripes, from, to);
    const row = rowHeight();
    labels(labelled, row);
    drawSupposed(begin, end, row);
    light(begin, end, row);
    context.fillStyle = colours.bad;
    context.fillRect(x(now) - 1, TOP, 2, height);
    context.restore();
  }

  /** Paints the visible stripes, and returns those with room for a label. @param {number[]} marks */
  function paint(marks) {
    const { start, end, top, height: tall } = stripes;
    const [wide, high] = [plot.width, plot.height];
    const scale = wide / (to - from);
    const row = high / pes;
    const band = high / BANDS;
    const [first, last] = visible(stripes, from, to);
    /** @type {number[]} */
    const labelled = [];
    /** @type {number[]} */
    const outages = [];
    pixels.fill(ground);
    for (const mark of marks) {
      const column = Math.floor((mark - from) * scale);
      for (let at = column; column >= 0 && column < wide && at < pixels.length; at += wide) {
        pixels[at] = line;
      }
    }
    const node = high / names.length;
    for (let i = 1; i < names.length && node >= 8 * pixel; i++) {
      const base = Math.round(i * node) * wide;
      pixels.fill(line, base, base + wide);
    }
    thin.fill(0);
    let anyThin = false;
    for (let i = first; i < last; i++) {
      const length = (end[i] - start[i]) * scale;
      if (length < pixel && looks[i] < DIM && end[i] > from) {
        anyThin = true;
        const column = Math.max(0, Math.floor((start[i] - from) * scale)) * BANDS;
        const upper = top[i] * row;
        const lower = upper + tall[i] * row;
        for (let b = Math.floor(upper / band); b * band < lower && b < BANDS; b++) {
          thin[column + b] += ((length / pixel) * (Math.min(lower, (b + 1) * band) - Math.max(upper, b * band))) / band;
        }
      }
    }
    if (anyThin) {
      density(band);
    }
    for (let i = first; i < last; i++) {
      if ((end[i] - start[i]) * scale >= pixel && end[i] > from) {
        if (OUTAGES[looks[i]] === 1) {
          outages.push(i);
        } else {
          stripe(i, scale, row);
        }
        if ((end[i] - start[i]) * scale > 42 * pixel && tall[i] * row > 11 * pixel && looks[i] < DIM) {
          labelled.push(i);
        }
      }
    }
    outages.forEach((i) => stripe(i, scale, row));
    return labelled;
  }

  /** @param {number} i @param {number} scale pixels in a millisecond @param {number} row pixels in a PE */
  function stripe(i, scale, row) {
    const wide = plot.width;
    const left = Math.max(0, Math.round((stripes.start[i] - from) * scale));
    const right = Math.min(wide, Math.round((stripes.end[i] - from) * scale));
    const upper = Math.round(stripes.top[i] * row);
    const lower = Math.round((stripes.top[i] + stripes.height[i]) * row);
    const until = right - (right - left > 4 * pixel ? pixel : 0);
    const bottom = Math.min(plot.height, Math.max(upper + 1, lower - (lower - upper > 4 * pixel ? pixel : 0)));
    const { isPlain, pixels: own } = tiles[looks[i]] ?? makeTile(looks[i]);
    const fill = own[0];
    for (let y = upper; y < bottom; y++) {
      const base = y * wide;
      if (!isPlain) {
        const offset = (Math.floor(y / pixel) & 7) * 8;
        for (let x = left; x < until; x++) {
          pixels[base + x] = own[offset + (Math.floor(x / pixel) & 7)];
        }
      } else if (until - left > 16) {
        pixels.fill(fill, base + left, base + until);
      } else {
        for (let x = left; x < until; x++) {
          pixels[base + x] = fill;
        }
      }
    }
  }

  /** Paints the density of bars thinner than a pixel. @param {number} band */
  function density(band) {
    const wide = plot.width;
    const passed = (now - from) * (wide / (to - from));
    for (let b = 0; b < BANDS; b++) {
      const [upper, lower] = [Math.round(b * band), Math.round((b + 1) * band)];
      for (let column = 0; column < wide; column++) {
        const share = thin[column * BANDS + b];
        if (share > 0.02) {
          const shade = shades[column < passed ? 0 : 1][Math.min(3, Math.floor(share * 4))];
          for (let y = upper; y < lower; y++) {
            pixels[y * wide + column] = shade;
          }
        }
      }
    }
  }

  /** @param {number[]} labelled @param {number} row */
  function labels(labelled, row) {
    context.font = FONT;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const i of labelled.slice(0, 400)) {
      const bar = bars[stripes.bar[i]];
      const text = groupOf(bar) ?? bar.owner ?? "";
      const left = Math.max(leftEdge, x(stripes.start[i])) + 4;
      const room = Math.min(width, x(stripes.end[i])) - left - 4;
      const wide = context.measureText(text).width;
      if (text && wide <= room) {
        const middle = TOP + (stripes.top[i] + stripes.height[i] / 2) * row;
        context.fillStyle = colours.surface;
        context.fillRect(left - 2, middle - 7, wide + 4, 14);
        context.fillStyle = colours.ink;
        context.fillText(text, left, middle);
      }
    }
  }

  /** Draws the new bars of a supposed plan, and strikes out the failed ones. @param {number} begin @param {number} end @param {number} row */
  function drawSupposed(begin, end, row) {
    if (supposed === null) {
      return;
    }
    context.lineWidth = 2;
    context.strokeStyle = colours.bad;
    for (let i = begin; i < end; i++) {
      if (supposed.failed.has(bars[stripes.bar[i]].id)) {
        const [left, right] = [Math.max(leftEdge, x(stripes.start[i])), Math.min(width, x(stripes.end[i]))];
        const [top, high] = [TOP + stripes.top[i] * row + 1, stripes.height[i] * row - 2];
        context.strokeRect(left, top, Math.max(3, right - left), high);
        context.beginPath();
        context.moveTo(left, top);
        context.lineTo(right, top + high);
        context.moveTo(left, top + high);
        context.lineTo(right, top);
        context.stroke();
      }
    }
    context.setLineDash([4, 3]);
    const { start, end: until, top, height: tall, bar } = supposedStripes;
    const [first, last] = visible(supposedStripes, from, to);
    for (let i = first; i < last; i++) {
      const each = supposed.bars[bar[i]];
      if (supposed.ghosts.has(each)) {
        context.strokeStyle = each.kind === "OUTAGE" ? colours.bad : colours.focus;
        context.strokeRect(x(start[i]), TOP + top[i] * row + 1, Math.max(3, x(Math.min(until[i], to + DAY)) - x(start[i])), tall[i] * row - 2);
      }
    }
    context.setLineDash([]);
  }

  /** Highlights the stripes of one reservation. @param {number} begin @param {number} end @param {number} row */
  function light(begin, end, row) {
    if (lit === null && chosen === null) {
      return;
    }
    context.lineWidth = 2;
    for (let i = begin; i < end; i++) {
      const bar = bars[stripes.bar[i]];
      if (bar === chosen || (lit !== null && bar.id === lit)) {
        const left = Math.max(leftEdge, x(stripes.start[i]));
        context.strokeStyle = bar === chosen ? colours.focus : colours.ink;
        context.strokeRect(left, TOP + stripes.top[i] * row, Math.max(3, Math.min(width, x(stripes.end[i])) - left), stripes.height[i] * row);
      }
    }
  }

  /** Returns the instants to label on the axis. */
  function ticks() {
    const step = STEPS.find((each) => ((to - from) / each) * 64 < span()) ?? STEPS[STEPS.length - 1];
    const offset = offsetOf(zone, from);
    const all = [];
    for (let tick = Math.ceil((from - offset) / step) * step + offset; tick < to; tick += step) {
      all.push(tick);
    }
    return all;
  }

  /** @param {number[]} marks */
  function axis(marks) {
    const offset = offsetOf(zone, from);
    const areDays = marks.length > 1 && marks[1] - marks[0] >= DAY;
    context.font = FONT;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const mark of marks) {
      context.fillStyle = colours.line;
      context.fillRect(x(mark), TOP - 6, 1, 6);
      context.fillStyle = colours.muted;
      const isDay = areDays || (mark - offset) % DAY === 0;
      const text = isDay ? formatDay(mark, zone) : formatTime(mark, zone);
      if (x(mark) + 3 + context.measureText(text).width <= width) {
        context.fillText(text, x(mark) + 3, TOP / 2);
      }
    }
    context.textAlign = "right";
    context.fillStyle = colours.muted;
    context.fillText(zoneLabel(zone, from), leftEdge - 6, TOP / 2 - 2);
    if (names.length > 0) {
      const node = (height - TOP) / names.length;
      const every = Math.ceil(13 / node);
      for (let i = 0; i < names.length; i += every) {
        context.fillText(names[i], leftEdge - 6, Math.max(TOP + 5, Math.min(height - 6, TOP + (i + 0.5) * node)), leftEdge - 8);
      }
      return;
    }
    for (let i = 0; i <= 4; i++) {
      const number = Math.round((pes * i) / 4);
      context.fillText(String(number), leftEdge - 6, Math.max(TOP + 5, Math.min(height - 6, TOP + number * rowHeight())));
    }
  }

  /** @param {MouseEvent} event */
  function under(event) {
    const pe = (event.offsetY - TOP) / rowHeight();
    const at = moment(event.offsetX);
    const [begin, end] = visible(stripes, at, at + (to - from) / span());
    for (let i = end - 1; i >= begin; i--) {
      if (stripes.end[i] > at && stripes.top[i] <= pe && pe < stripes.top[i] + stripes.height[i]) {
        return bars[stripes.bar[i]];
      }
    }
    return null;
  }

  /** @param {number} begin @param {number} end */
  function move(begin, end) {
    const length = Math.min(WIDEST, Math.max(NARROWEST, end - begin));
    const middle = (begin + end) / 2;
    [from, to] = [middle - length / 2, middle + length / 2];
    ask();
    listener.onRange?.(from, to);
  }

  /** @param {number} factor @param {number} [at] the instant that keeps its place */
  function zoom(factor, at = (from + to) / 2) {
    move(at - (at - from) * factor, at + (to - at) * factor);
  }

  /** Returns the first stripe of the chosen bar, or -1. */
  function chosenStripe() {
    return chosen === null ? -1 : stripes.bar.findIndex((bar) => bars[bar] === chosen);
  }

  /** Whether a stripe may be reached by a key. @param {number} i */
  const isReached = (i) => looks[i] < DIM && bars[stripes.bar[i]] !== chosen;

  /** Chooses the next bar in time. @param {1 | -1} by */
  function chooseInTime(by) {
    const present = chosenStripe();
    let i = present + by;
    if (present < 0) {
      [i] = visible(stripes, from, to);
      while (i < stripes.size && stripes.end[i] <= from) {
        i++;
      }
    }
    while (i >= 0 && i < stripes.size && !isReached(i)) {
      i += by;
    }
    choose(i);
  }

  /** Chooses the next bar on higher or lower PEs, if possible of the same time. @param {1 | -1} by */
  function chooseInPes(by) {
    const present = chosenStripe();
    if (present < 0) {
      chooseInTime(1);
      return;
    }
    const { start, end, top, height: tall } = stripes;
    const apart = (/** @type {number} */ i) => Math.max(0, start[i] - end[present], start[present] - end[i]);
    const rows = (/** @type {number} */ i) => (by > 0 ? top[i] - top[present] - tall[present] : top[present] - top[i] - tall[i]);
    let best = -1;
    const [begin, until] = visible(stripes, from, to);
    for (let i = begin; i < until; i++) {
      if (isReached(i) && end[i] > from && rows(i) >= 0) {
        const order = best < 0 ? -1 : (apart(i) > 0 ? 1 : 0) - (apart(best) > 0 ? 1 : 0) || rows(i) - rows(best) || apart(i) - apart(best);
        best = order < 0 ? i : best;
      }
    }
    choose(best);
  }

  /** @param {number} i a stripe; if there is none, nothing changes */
  function choose(i) {
    if (i < 0 || i >= stripes.size) {
      return;
    }
    chosen = bars[stripes.bar[i]];
    const length = to - from;
    if (stripes.start[i] >= to || stripes.end[i] <= from) {
      move(stripes.start[i] - length / 8, stripes.start[i] + (length * 7) / 8);
    }
    ask();
    const { left, top } = canvas.getBoundingClientRect();
    listener.onHover?.(chosen, {
      x: left + Math.max(leftEdge, x(stripes.start[i])),
      y: top + TOP + (stripes.top[i] + stripes.height[i]) * rowHeight() - 12,
    }, true);
  }

  function chooseNone() {
    chosen = null;
    listener.onHover?.(null, { x: 0, y: 0 }, true);
    ask();
  }

  canvas.addEventListener("pointerdown", (event) => {
    dragged = { x: event.offsetX, from, to, isMoved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!dragged) {
      const bar = under(event);
      if ((bar?.id ?? null) !== lit) {
        lit = bar?.id ?? null;
        ask();
      }
      canvas.classList.toggle("over", bar !== null);
      listener.onHover?.(bar, { x: event.clientX, y: event.clientY }, false);
      return;
    }
    const by = ((dragged.x - event.offsetX) / span()) * (dragged.to - dragged.from);
    if (dragged.isMoved || Math.abs(event.offsetX - dragged.x) > 3) {
      dragged.isMoved = true;
      listener.onHover?.(null, { x: 0, y: 0 }, false);
      move(dragged.from + by, dragged.to + by);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const bar = dragged && !dragged.isMoved ? under(event) : null;
    dragged = null;
    if (bar) {
      listener.onPick?.(bar);
    }
  });
  canvas.addEventListener("pointercancel", () => {
    dragged = null;
  });
  canvas.addEventListener("pointerleave", () => {
    lit = null;
    listener.onHover?.(null, { x: 0, y: 0 }, false);
    ask();
  });
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(Math.exp(event.deltaY / 300), moment(event.offsetX));
    } else if (event.deltaX !== 0 || event.shiftKey) {
      event.preventDefault();
      const by = ((event.deltaX || event.deltaY) / span()) * (to - from);
      move(from + by, to + by);
    }
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const quarter = (to - from) / 4;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => (event.shiftKey ? move(from - quarter, to - quarter) : chooseInTime(-1)),
      ArrowRight: () => (event.shiftKey ? move(from + quarter, to + quarter) : chooseInTime(1)),
      ArrowUp: () => chooseInPes(-1),
      ArrowDown: () => chooseInPes(1),
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      Home: () => move(now - quarter, now + 3 * quarter),
      ...(chosen === null ? {} : { Enter: () => chosen && listener.onPick?.(chosen), Escape: chooseNone }),
    };
    const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  canvas.addEventListener("blur", chooseNone);
  const watch = new ResizeObserver(measure);
  watch.observe(canvas);
  const scheme = matchMedia("screen and (prefers-color-scheme: dark)");
  scheme.addEventListener("change", measure);
  // paper is light, and printing does not wait for a frame
  const print = matchMedia("print");
  const printed = () => {
    measure();
    draw();
  };
  print.addEventListener("change", printed);
  measure();

  return {
    /** @param {Bar[]} next @param {number} number the cluster's PEs */
    show(next, number) {
      bars = next;
      pes = Math.max(1, number);
      stripes = layOut(bars, pes);
      const before = chosen;
      chosen = before && (bars.find((bar) => bar.id === before.id && bar.start === before.start && bar.pes === before.pes) ?? null);
      look();
    },
    /** Shows names of nodes in place of numbers of PEs. @param {string[]} next in the order of their PEs */
    name(next) {
      names = next;
      measure();
    },
    /** Returns how far right the drawing begins. */
    left: () => leftEdge,
    /** @param {Supposed | null} next null: the plan as it is */
    suppose(next) {
      supposed = next;
      supposedStripes = layOut(next?.bars ?? [], pes);
      ask();
    },
    /** @param {number} begin @param {number} end @param {number} present @param {Zone} which */
    range(begin, end, present, which) {
      [from, to, now, zone] = [begin, end, present, which];
      ask();
    },
    /** @param {((bar: Bar) => boolean) | null} wanted null: all bars */
    search(wanted) {
      matches = wanted;
      look();
    },
    /** @param {string | null} id */
    light(id) {
      lit = id;
      ask();
    },
    draw,
    end() {
      watch.disconnect();
      scheme.removeEventListener("change", measure);
      print.removeEventListener("change", printed);
    },
  };
}
