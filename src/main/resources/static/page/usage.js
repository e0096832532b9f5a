import { loadPlot } from "./document.js";
import { colourOfBar, COLOURS, paint } from "./gantt.js";

/** From the bottom up. */
const LAYERS = ["outage", "job", ...COLOURS.filter((each) => each !== "outage" && each !== "job")];
const SAMPLES = 240;

/**
 * Returns the PEs in use in each step of a time, stacked by colour. O(n + steps) for n bars.
 * @param {import("./layout.js").Bar[]} bars
 * @param {number} from
 * @param {number} to
 */
export function stacked(bars, from, to) {
  const step = (to - from) / SAMPLES;
  const taken = LAYERS.map(() => new Float64Array(SAMPLES + 1));
  const partly = LAYERS.map(() => new Float64Array(SAMPLES + 1));
  for (const bar of bars) {
    const [start, end] = [Math.max(bar.start, from), Math.min(bar.end, to)];
    if (start < end) {
      const row = LAYERS.indexOf(colourOfBar(bar));
      const first = Math.floor((start - from) / step);
      const last = Math.min(SAMPLES, Math.floor((end - from) / step));
      if (first === last) {
        partly[row][first] += (bar.pes * (end - start)) / step;
      } else {
        partly[row][first] += (bar.pes * (from + (first + 1) * step - start)) / step;
        partly[row][last] += (bar.pes * (end - from - last * step)) / step;
        taken[row][first + 1] += bar.pes;
        taken[row][last] -= bar.pes;
      }
    }
  }
  const times = Array.from({ length: SAMPLES }, (_, i) => (from + i * step) / 1000);
  /** @type {number[][]} */
  const rows = [];
  let below = new Float64Array(SAMPLES);
  for (const [i, row] of taken.entries()) {
    let sum = 0;
    const above = new Float64Array(SAMPLES);
    for (let j = 0; j < SAMPLES; j++) {
      sum += row[j];
      above[j] = below[j] + sum + partly[i][j];
    }
    rows.push([...above]);
    below = above;
  }
  return { times, rows, mean: below.reduce((a, b) => a + b, 0) / SAMPLES };
}

/**
 * Draws the PEs in use over time, stacked by colour.
 * @param {HTMLElement} root
 */
export async function usageChart(root) {
  const UPlot = await loadPlot();
  /** @type {any} */
  let plot = null;
  let [width, edge, scheme] = [0, 0, ""];

  /** @param {number} pes */
  function make(pes) {
    const style = getComputedStyle(root);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    plot?.destroy();
    plot = new UPlot(
      {
        width,
        height: 120,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 0, 6, 0],
        scales: { x: { time: true }, y: { range: [0, pes] } },
        axes: [
          { show: false },
          { size: edge, stroke: colour("muted"), grid: { stroke: colour("line") }, ticks: { show: false } },
        ],
        series: [
          {},
          ...[...LAYERS].reverse().map((name) => ({
            fill: (/** @type {any} */ made) => paint(made.ctx, name === "outage" || name === "job" ? name : "running", colour(name), colour("surface")),
            stroke: colour(name), width: 0, points: { show: false }, paths: UPlot.paths.stepped({ align: 1 }),
          })),
        ],
      },
      [[]],
      root,
    );
  }

  return {
    /** @param {import("./layout.js").Bar[]} bars @param {number} pes @param {number} from @param {number} to @param {number} left where time begins */
    show(bars, pes, from, to, left) {
      const dark = String(matchMedia("(prefers-color-scheme: dark)").matches);
      if (!plot || root.clientWidth !== width || left !== edge || dark !== scheme) {
        [width, edge, scheme] = [root.clientWidth, left, dark];
        make(pes);
      }
      const { times, rows, mean } = stacked(bars, from, to);
      // the last step ends with the time
      plot.setData([[...times, to / 1000], ...rows.reverse().map((row) => [...row, row[SAMPLES - 1]])], false);
      plot.batch(() => {
        plot.setScale("x", { min: from / 1000, max: to / 1000 });
        plot.setScale("y", { min: 0, max: pes });
      });
      return mean / pes;
    },
    end: () => plot?.destroy(),
  };
}
