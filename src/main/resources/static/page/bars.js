// @ts-check
import { h, table } from "./dom.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";
import { address } from "./url.js";

const MOST = innerWidth > 700 ? 200 : 50;
const says = texts.plan;

/**
 * Makes the table of what is visible: the same as the canvas beside it.
 * @param {string} cluster
 * @param {import("./layout.js").Bar[]} bars
 * @param {import("./time.js").Zone} zone
 */
export function barsTable(cluster, bars, zone) {
  const shown = [...bars].sort((a, b) => a.start - b.start).slice(0, MOST);
  const rows = shown.map((bar) => [
    bar.kind === "RESERVATION" && bar.id
      ? h("a", { href: address("reservation", { id: bar.id }) }, says.kinds[bar.kind])
      : says.kinds[bar.kind],
    bar.owner ?? (bar.kind === "OUTAGE" ? "" : says.unknown),
    bar.project ?? "",
    bar.state ? h("span", { class: `state state-${bar.state}` }, texts.states[bar.state]) : "",
    formatInstant(bar.start, zone),
    bar.end === Infinity ? "" : formatInstant(bar.end, zone),
    bar.peIds ? `${bar.pes} (${bar.peIds})` : String(bar.pes),
  ]);
  const heads = [says.kind, says.owner, says.project, says.state, says.start, says.end, says.pes];
  return h(
    "div",
    null,
    table(says.table(cluster), heads, rows),
    bars.length > MOST && h("p", { class: "muted" }, says.more(bars.length - MOST)),
  );
}
