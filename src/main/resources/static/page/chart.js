import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { loadPlot } from "./document.js";
import { DAY, formatBare, formatDay, formatMonth, formatTime } from "./time.js";
import { Failed, html, Table, Tooltip } from "./ui.js";
import { zone } from "./url.js";

/**
 * @typedef {{
 *   name: string, colour: string, values: (number | null)[], as?: "area" | "bar" | "line",
 *   isStepped?: boolean, isHatched?: boolean, isDashed?: boolean,
 * }} Series colour: a variable of style.css, such as "--good"; as: areas and bars are stacked, the first one lowest, and lines are not;
 *   isStepped: each value holds until the next time
 */

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** Steps of an axis on which only whole numbers make sense. */
const WHOLE = Array.from({ length: 36 }, (_, i) => [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3));

/** Changes when the browser changes between light and dark. */
const look = signal(0);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => look.value++);

/**
 * Draws figures over time, with a legend, the figures at the mouse, and all figures as a table.
 * @param {{
 *   label: string, times: number[], series: Series[], height?: number, from?: number, to?: number, max?: number,
 *   format?: (value: number) => string, tick?: (value: number) => string, time?: (moment: number) => string, marks?: {at: number, text: string}[], isPlain?: boolean,
 * }} its times: in milliseconds, in order; a bar begins at its time, and ends at the next one or at `to`; from, to: the time that is shown;
 *   format, tick, time: write a value, a value at the axis, and a time as text; marks: vertical lines; isPlain: without legend and table, for a small chart
 */
export function Chart({ label, times, series, height = 220, from, to, max, format = number.format, tick = short.format, time, marks = [], isPlain = false }) {
  const root = useRef(/** @type {any} */ (null));
  const at = useMemo(() => signal(/** @type {{index: number, x: number, y: number} | null} */ (null)), []);
  const failure = useSignal(/** @type {unknown} */ (null));
  const shownIn = zone();
  const written = time ?? ((/** @type {number} */ moment) => formatBare(moment, shownIn));
  const drawn = JSON.stringify([times, series, height, from, to, max, marks, shownIn, look.value]);
  useEffect(() => {
    let end = () => {};
    let isOver = false;
    loadPlot().then(() => {
      if (!isOver) {
        end = draw(root.current, { times, series, height, from, to, max, tick, marks }, at);
      }
    }, () => {
      failure.value = "The chart could not be loaded.";
    });
    return () => {
      isOver = true;
      at.value = null;
      end();
    };
  }, [drawn]);
  return html`
    <div class="chart" role="img" aria-label=${label} ref=${root} style=${{ minHeight: `${height}px` }}></div>
    <${Failed} why=${failure.value} />
    <${Reading} at=${at} times=${times} series=${series} format=${format} time=${written} />
    ${!isPlain && html`
      <${Legend} series=${series} />
      <${Figures} label=${label} times=${times} series=${series} format=${format} time=${written} />`}`;
}

/** The names of series, with their colours. @param {{series: {name: string, colour: string, isDashed?: boolean, isHatched?: boolean}[]}} its */
function Legend({ series }) {
  return html`<p class="legend">${series.map(({ name, colour, isDashed, isHatched }) => html`
    <span key=${name}><i class=${isDashed ? "dashed" : isHatched ? "hatched" : null} style=${{ color: `var(${colour})` }}></i><bdi>${name}</bdi></span>`)}</p>`;
}

/** The figures at the mouse. @param {any} its */
function Reading({ at, times, series, format, time }) {
  const place = at.value;
  return place && html`
    <${Tooltip} at=${place}>
      <p><strong>${time(times[place.index])}</strong></p>
      ${[...series].reverse().filter((each) => each.values[place.index]).map(({ name, colour, values }) => html`
        <p key=${name} class="reading"><i style=${{ color: `var(${colour})` }}></i><bdi>${name}</bdi><span class="number">${format(values[place.index])}</span></p>`)}
    <//>`;
}

/** All figures as a table, which is made when it is opened. @param {any} its */
function Figures({ label, times, series, format, time }) {
  const isOpen = useSignal(false);
  const columns = [
    { head: "Time", cell: (/** @type {number} */ i) => html`<span class="nowrap">${time(times[i])}</span>` },
    ...series.map((/** @type {Series} */ { name, values }) => ({
      head: name, isNumber: true, cell: (/** @type {number} */ i) => { const value = values[i]; return value === null ? "" : format(value); },
    })),
  ];
  return html`
    <details class="figures" ontoggle=${(/** @type {any} */ { target }) => { isOpen.value = target.open; }}>
      <summary>Figures</summary>
      ${isOpen.value && html`<${Table} caption=${label} columns=${columns} rows=${[...times.keys()]} keyOf=${String} />`}
    </details>`;
}

/**
 * @param {HTMLElement} root
 * @param {{times: number[], series: Series[], height: number, from?: number, to?: number, max?: number, tick: (value: number) => string, marks: {at: number, text: string}[]}} its
 * @param {import("@preact/signals").Signal<{index: number, x: number, y: number} | null>} place where the mouse is
 * @returns {() => void} ends the drawing
 */
function draw(root, { times, series, height, from = times[0], to, max, tick, marks }, place) {
  const UPlot = /** @type {any} */ (window).uPlot;
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const shownIn = zone();
  const last = to ?? times.at(-1) ?? 0;
  // the last value of a stepped series holds until the end
  const isHeld = last > (times.at(-1) ?? last) && series.some((each) => each.isStepped);
  const sums = times.map(() => 0);
  const rows = series.map(({ as, values }) => as === "line" ? values : values.map((value, i) => value === null ? null : (sums[i] += value)));
  const highest = Math.max(0, ...rows.flatMap((row) => row.map((value) => value ?? 0)));
  // what lies higher is drawn first, and covered by what lies lower
  const order = [...series.keys()].sort((a, b) => rank(series[a], a) - rank(series[b], b));

  const plot = new UPlot({
    width: root.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    padding: [10, 8, 0, 0],
    tzDate: (/** @type {number} */ seconds) => shownIn === "UTC" ? UPlot.tzDate(new Date(seconds * 1000), "Etc/UTC") : new Date(seconds * 1000),
    scales: { x: { time: true, range: () => [from / 1000, last / 1000] }, y: { range: () => [0, max ?? (highest * 1.05 || 1)] } },
    axes: [
      {
        stroke: colour("--muted"), grid: { show: false }, ticks: { stroke: colour("--line"), size: 4 }, font: "11px system-ui, sans-serif", space: 84, size: 28,
        values: (/** @type {any} */ _, /** @type {number[]} */ splits, /** @type {number} */ __, /** @type {number} */ ___, /** @type {number} */ step) =>
          splits.map((each) => clock(each * 1000, step * 1000, shownIn)),
      },
      {
        stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif", size: 44, space: 36,
        ...(rows.flat().every((each) => each === null || Number.isInteger(each)) ? { incrs: WHOLE } : {}),
        values: (/** @type {any} */ _, /** @type {number[]} */ splits) => splits.map((each) => tick(each)),
      },
    ],
    series: [
      {},
      ...order.map((i) => {
        const { colour: name, as = "area", isStepped, isHatched, isDashed } = series[i];
        const fill = isHatched ? (/** @type {any} */ { ctx }) => hatch(ctx, colour(name)) : colour(name);
        const paths = as === "bar" ? bars(last) : isStepped ? UPlot.paths.stepped({ align: 1 }) : UPlot.paths.linear();
        return as === "line"
          ? { stroke: colour(name), width: 2, dash: isDashed ? [6, 5] : undefined, points: { show: false }, paths }
          // the line in the colour of the ground sets stacked parts apart
          : { fill, stroke: isHatched ? colour(name) : colour("--surface"), width: as === "bar" ? 0 : 1, points: { show: false }, paths };
      }),
    ],
    hooks: {
      setCursor: [(/** @type {any} */ made) => {
        const { left, top } = made.cursor;
        // a bar holds from its time on
        const index = left < 0 ? null : series.some(({ as, isStepped }) => as === "bar" || isStepped)
          ? Math.max(0, times.findLastIndex((each) => each <= made.posToVal(left, "x") * 1000)) : made.cursor.idx;
        const box = made.over.getBoundingClientRect();
        place.value = index === null || index === undefined ? null : { index, x: box.left + left, y: box.top + top };
      }],
      draw: [(/** @type {any} */ made) => marks.forEach(({ at, text }) => mark(made, at, text, colour))],
    },
  }, [
    [...times, ...(isHeld ? [last] : [])].map((each) => each / 1000),
    ...order.map((i) => isHeld ? [...rows[i], series[i].isStepped ? rows[i].at(-1) : null] : rows[i]),
  ], root);

  const watch = new ResizeObserver(() => {
    if (root.clientWidth > 0 && root.clientWidth !== plot.width) {
      plot.setSize({ width: root.clientWidth, height });
    }
  });
  watch.observe(root);
  return () => {
    watch.disconnect();
    plot.destroy();
  };
}

/** Returns the place of a series in the order of drawing: stacked ones from the highest down, then the lines. @param {Series} series @param {number} i */
function rank(series, i) {
  return series.as === "line" ? i : -i - 1;
}

/** Returns bars from each time to the next one, with a gap between them. @param {number} end of the last bar, in milliseconds */
function bars(end) {
  return (/** @type {any} */ plot, /** @type {number} */ row, /** @type {number} */ first, /** @type {number} */ last) => {
    const [x, y] = [plot.data[0], plot.data[row]];
    const fill = new Path2D();
    const bottom = plot.valToPos(0, "y", true);
    for (let i = first; i <= last; i++) {
      if (y[i]) {
        const [left, right, top] = [plot.valToPos(x[i], "x", true), plot.valToPos(x[i + 1] ?? end / 1000, "x", true), plot.valToPos(y[i], "y", true)];
        const gap = Math.min(0.15 * (right - left), 8);
        fill.rect(left + gap / 2, top, Math.max(1, right - left - gap), bottom - top);
      }
    }
    return { stroke: null, fill, clip: null, flags: 3 };
  };
}

/** Writes the time of a tick: months, days, or the time of day, with the day at midnight. @param {number} moment @param {number} step @param {import("./time.js").Zone} shownIn */
function clock(moment, step, shownIn) {
  const time = formatTime(moment, shownIn);
  return step >= 28 * DAY ? formatMonth(moment, shownIn) : step >= DAY || time === "00:00" ? formatDay(moment, shownIn) : time;
}

/** @param {any} plot @param {number} at @param {string} text @param {(name: string) => string} colour */
function mark(plot, at, text, colour) {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(at / 1000, "x", true));
  if (x < bbox.left || x > bbox.left + bbox.width) {
    return;
  }
  const sharp = devicePixelRatio || 1;
  ctx.save();
  ctx.fillStyle = colour("--ink");
  ctx.fillRect(x, bbox.top, sharp, bbox.height);
  ctx.font = `${11 * sharp}px system-ui, sans-serif`;
  const isLeft = x + 60 * sharp > bbox.left + bbox.width;
  ctx.textAlign = isLeft ? "right" : "left";
  ctx.textBaseline = "top";
  const [left, wide] = [x + (isLeft ? -4 : 4) * sharp, ctx.measureText(text).width];
  ctx.fillStyle = colour("--surface");
  ctx.fillRect(isLeft ? left - wide - 2 : left - 2, bbox.top, wide + 4, 13 * sharp);
  ctx.fillStyle = colour("--ink");
  ctx.fillText(text, left, bbox.top);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} pen @param {string} colour */
function hatch(pen, colour) {
  const tile = document.createElement("canvas");
  [tile.width, tile.height] = [6, 6];
  const own = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
  own.strokeStyle = colour;
  own.lineWidth = 1.5;
  own.beginPath();
  for (const shift of [-6, 0, 6]) {
    own.moveTo(shift, 6);
    own.lineTo(shift + 6, 0);
  }
  own.stroke();
  return pen.createPattern(tile, "repeat") ?? colour;
}
