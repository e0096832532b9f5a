// @ts-check
import { layOut, visible } from "./layout.js";
import { DAY, formatDay, formatTime, HOUR } from "./time.js";

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {import("./time.js").Zone} Zone
 * @typedef {{
 *   onRange?: (from: number, to: number) => void,
 *   onHover?: (bar: Bar | null) => void,
 *   onPick?: (bar: Bar) => void,
 * }} Listener
 */

export const LEFT = 48;
const TOP = 22;
const BANDS = 40;
const NARROWEST = 5 * 60_000;
const WIDEST = 400 * DAY;
const STEPS = [HOUR / 4, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 84 * DAY];
/** In the order in which they are drawn. */
const LOOKS = /** @type {const} */ (["ended", "confirmed", "running", "held", "job", "outage"]);

/** @typedef {typeof LOOKS[number]} Look */

/** @type {Record<string, Look>} */
const BY_STATE = { RUNNING: "running", CONFIRMED: "confirmed", HELD: "held" };

/**
 * Returns how a bar looks.
 * @param {{kind: string, state: string | null}} bar
 * @returns {Look}
 */
export function lookOf({ kind, state }) {
  if (kind === "OUTAGE") {
    return "outage";
  }
  if (kind === "JOB" && (state === "RUNNING" || state === "QUEUED")) {
    return "job";
  }
  return BY_STATE[state ?? ""] ?? "ended";
}

/**
 * Draws what takes the PEs of a cluster over time, on a canvas: only what can be seen, one path for each colour, text where it fits,
 * and where bars are thinner than a pixel how densely they lie.
 * @param {HTMLCanvasElement} canvas
 * @param {Listener} listener
 */
export function gantt(canvas, listener = {}) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  /** @type {Bar[]} */
  let bars = [];
  let pes = 1;
  let stripes = layOut([], 1);
  /** @type {Bar[]} */
  let ghosts = [];
  let ghostStripes = stripes;
  let [from, to] = [0, DAY];
  let now = 0;
  /** @type {Zone} */
  let zone = "local";
  /** @type {((bar: Bar) => boolean) | null} */
  let matches = null;
  /** @type {string | null} */
  let lit = null;
  let [width, height] = [0, 0];
  let isAsked = false;
  /** @type {Record<string, string>} */
  let colours = {};
  /** @type {Record<string, string | CanvasPattern>} */
  let fills = {};
  /** @type {{x: number, from: number, to: number, isMoved: boolean} | null} */
  let dragged = null;

  const span = () => width - LEFT;
  /** @param {number} moment */
  const x = (moment) => LEFT + ((moment - from) / (to - from)) * span();
  /** @param {number} at */
  const moment = (at) => from + ((at - LEFT) / span()) * (to - from);
  const rowHeight = () => (height - TOP) / pes;

  function measure() {
    const scale = devicePixelRatio || 1;
    width = canvas.clientWidth;
    height = canvas.clientHeight;
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(canvas);
    for (const name of [...LOOKS, "ink", "muted", "line", "surface", "bad", "focus", "raised"]) {
      colours[name] = style.getPropertyValue(`--${name}`).trim() || "#888";
    }
    fills = {
      ended: colours.ended,
      confirmed: colours.confirmed,
      running: colours.running,
      held: pattern(colours.held, colours.surface, "slanted"),
      job: pattern(colours.job, colours.surface, "dotted"),
      outage: pattern(colours.outage, colours.surface, "crossed"),
    };
    ask();
  }

  /** @param {string} colour @param {string} ground @param {"slanted" | "dotted" | "crossed"} kind */
  function pattern(colour, ground, kind) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 8, 8);
    pen.strokeStyle = pen.fillStyle = ground;
    pen.lineWidth = 1.5;
    pen.beginPath();
    if (kind === "dotted") {
      pen.fillRect(1, 1, 2, 2);
      pen.fillRect(5, 5, 2, 2);
    } else {
      for (const shift of [-8, 0, 8]) {
        pen.moveTo(shift - 1, 9);
        pen.lineTo(shift + 9, -1);
        if (kind === "crossed") {
          pen.moveTo(shift - 1, -1);
          pen.lineTo(shift + 9, 9);
        }
      }
      pen.stroke();
    }
    return context.createPattern(tile, "repeat") ?? colour;
  }

  /** Asks for a frame; several asked at once are one. */
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
    if (width < LEFT + 10) {
      return;
    }
    context.fillStyle = colours.surface;
    context.fillRect(0, 0, width, height);
    axis();
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, span(), height - TOP);
    context.clip();
    const [begin, end] = visible(stripes, from, to);
    const thin = new Float32Array(Math.ceil(span()) * BANDS);
    /** @type {Record<string, Path2D>} */
    const paths = {};
    /** @type {number[]} */
    const labelled = [];
    const row = rowHeight();
    const scale = span() / (to - from);
    const band = (height - TOP) / BANDS;
    let anyThin = false;
    for (let i = begin; i < end; i++) {
      if (stripes.end[i] <= from) {
        continue;
      }
      const left = Math.max(-1, (stripes.start[i] - from) * scale);
      const right = Math.min(span() + 1, (stripes.end[i] - from) * scale);
      const bar = bars[stripes.bar[i]];
      const isDim = matches !== null && !matches(bar);
      if (right - left < 1) {
        if (!isDim) {
          anyThin = true;
          const column = Math.max(0, Math.floor(left)) * BANDS;
          const top = stripes.top[i] * row;
          const bottom = top + stripes.height[i] * row;
          for (let b = Math.floor(top / band); b * band < bottom && b < BANDS; b++) {
            const covered = Math.min(bottom, (b + 1) * band) - Math.max(top, b * band);
            thin[column + b] += ((right - left) * covered) / band;
          }
        }
        continue;
      }
      const look = lookOf(bar) + (isDim ? "-dim" : "");
      paths[look] ??= new Path2D();
      const gap = right - left > 4 ? 1 : 0;
      const rise = stripes.height[i] * row > 4 ? 1 : 0;
      paths[look].rect(LEFT + left, TOP + stripes.top[i] * row, right - left - gap, stripes.height[i] * row - rise);
      if (right - left > 42 && stripes.height[i] * row > 11 && !isDim) {
        labelled.push(i);
      }
    }
    for (const look of LOOKS) {
      for (const [name, alpha] of /** @type {[string, number][]} */ ([[look, 1], [`${look}-dim`, 0.15]])) {
        if (paths[name]) {
          context.globalAlpha = alpha;
          context.fillStyle = fills[look];
          context.fill(paths[name]);
        }
      }
    }
    context.globalAlpha = 1;
    if (anyThin) {
      density(thin, band);
    }
    labels(labelled, row);
    drawGhosts(row);
    light(begin, end, row);
    context.fillStyle = colours.bad;
    context.fillRect(x(now) - 1, TOP, 2, height);
    context.restore();
  }

  /** @param {Float32Array} thin @param {number} band */
  function density(thin, band) {
    const columns = thin.length / BANDS;
    const passed = Math.min(columns, Math.max(0, Math.floor(x(now) - LEFT)));
    /** @type {[number, number, string][]} */
    const sides = [[0, passed, colours.ended], [passed, columns, colours.confirmed]];
    for (const [first, last, colour] of sides) {
      context.fillStyle = colour;
      // few levels, one path for each
      const levels = Array.from({ length: 4 }, () => new Path2D());
      for (let column = first; column < last; column++) {
        for (let b = 0; b < BANDS; b++) {
          const share = thin[column * BANDS + b];
          if (share > 0.02) {
            levels[Math.min(3, Math.floor(share * 4))].rect(LEFT + column, TOP + b * band, 1, band);
          }
        }
      }
      levels.forEach((path, level) => {
        context.globalAlpha = 0.25 + level * 0.25;
        context.fill(path);
      });
    }
    context.globalAlpha = 1;
  }

  /** @param {number[]} labelled @param {number} row */
  function labels(labelled, row) {
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const i of labelled.slice(0, 400)) {
      const bar = bars[stripes.bar[i]];
      const text = bar.project ?? bar.owner ?? "";
      const left = Math.max(LEFT, x(stripes.start[i])) + 4;
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

  /** @param {number} row */
  function drawGhosts(row) {
    context.setLineDash([4, 3]);
    context.lineWidth = 2;
    for (let i = 0; i < ghostStripes.size; i++) {
      const isOutage = ghosts[ghostStripes.bar[i]].kind === "OUTAGE";
      context.strokeStyle = isOutage ? colours.bad : colours.focus;
      const left = x(ghostStripes.start[i]);
      context.strokeRect(left, TOP + ghostStripes.top[i] * row + 1, Math.max(3, x(ghostStripes.end[i]) - left), ghostStripes.height[i] * row - 2);
    }
    context.setLineDash([]);
  }

  /** Lights all stripes of one reservation. @param {number} begin @param {number} end @param {number} row */
  function light(begin, end, row) {
    if (lit === null) {
      return;
    }
    context.strokeStyle = colours.ink;
    context.lineWidth = 2;
    for (let i = begin; i < end; i++) {
      if (bars[stripes.bar[i]].id === lit) {
        const left = x(stripes.start[i]);
        context.strokeRect(left, TOP + stripes.top[i] * row, Math.max(3, x(stripes.end[i]) - left), stripes.height[i] * row);
      }
    }
  }

  function axis() {
    const step = STEPS.find((each) => ((to - from) / each) * 64 < span()) ?? STEPS[STEPS.length - 1];
    const offset = zone === "UTC" ? 0 : new Date(from).getTimezoneOffset() * 60_000;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (let tick = Math.ceil((from - offset) / step) * step + offset; tick < to; tick += step) {
      context.fillStyle = colours.line;
      context.fillRect(x(tick), TOP - 6, 1, height);
      context.fillStyle = colours.muted;
      const isDay = step >= DAY || (tick - offset) % DAY === 0;
      context.fillText(isDay ? formatDay(tick, zone) : formatTime(tick, zone), x(tick) + 3, TOP / 2);
    }
    context.textAlign = "right";
    context.fillStyle = colours.muted;
    for (let i = 0; i <= 4; i++) {
      const number = Math.round((pes * i) / 4);
      context.fillText(String(number), LEFT - 6, Math.min(height - 6, TOP + number * rowHeight()));
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

  /** @param {number} factor @param {number} [at] the moment that stays where it is */
  function zoom(factor, at = (from + to) / 2) {
    move(at - (at - from) * factor, at + (to - at) * factor);
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
      listener.onHover?.(bar);
      return;
    }
    const by = ((dragged.x - event.offsetX) / span()) * (dragged.to - dragged.from);
    if (dragged.isMoved || Math.abs(event.offsetX - dragged.x) > 3) {
      dragged.isMoved = true;
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
  canvas.addEventListener("pointerleave", () => {
    lit = null;
    listener.onHover?.(null);
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
      ArrowLeft: () => move(from - quarter, to - quarter),
      ArrowRight: () => move(from + quarter, to + quarter),
      "+": () => zoom(0.5),
      "=": () => zoom(0.5),
      "-": () => zoom(2),
      Home: () => move(now - quarter, now + 3 * quarter),
    };
    const act = keys[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  const watch = new ResizeObserver(measure);
  watch.observe(canvas);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", measure);
  measure();

  return {
    /** @param {Bar[]} next @param {number} number the cluster's PEs */
    show(next, number) {
      bars = next;
      pes = Math.max(1, number);
      stripes = layOut(bars, pes);
      ask();
    },
    /** @param {Bar[]} next what would be */
    suppose(next) {
      ghosts = next;
      ghostStripes = layOut(ghosts, pes);
      ask();
    },
    /** @param {number} begin @param {number} end @param {number} present @param {Zone} which */
    range(begin, end, present, which) {
      [from, to, now, zone] = [begin, end, present, which];
      ask();
    },
    /** @param {((bar: Bar) => boolean) | null} wanted null: everything is */
    search(wanted) {
      matches = wanted;
      ask();
    },
    /** @param {string | null} id */
    light(id) {
      lit = id;
      ask();
    },
    zoom,
    move,
    draw,
    end() {
      watch.disconnect();
      scheme.removeEventListener("change", measure);
    },
  };
}
