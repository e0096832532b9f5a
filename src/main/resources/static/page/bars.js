import { bdi, h, table } from "./dom.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";
import { address } from "./url.js";

const MOST = innerWidth > 700 ? 200 : 50;
const says = texts.plan;

/**
 * Returns whether the account may open the bar's reservation: its own, or any if it is an administrator.
 * @param {import("./main.js").Context["account"]} account
 * @param {import("./layout.js").Bar} bar
 */
export function isOpenTo(account, bar) {
  return bar.kind === "RESERVATION" && bar.id !== null
    && (account.role === "ADMIN" || (account.role === "CLIENT" && bar.owner === account.name));
}

/**
 * Makes a table of the visible bars, with the content of the canvas.
 * @param {string} cluster
 * @param {import("./layout.js").Bar[]} bars
 * @param {import("./main.js").Context} context
 */
export function barsTable(cluster, bars, { account, zone }) {
  const shown = [...bars].sort((a, b) => a.start - b.start).slice(0, MOST);
  const rows = shown.map((bar) => [
    isOpenTo(account, bar)
      ? h("a", { href: address("reservation", { id: bar.id }) }, says.kinds[bar.kind])
      : says.kinds[bar.kind],
    bar.owner ? bdi(bar.owner) : bar.kind === "OUTAGE" || bar.kind === "SHARE" ? "" : says.unknown,
    bdi(bar.project),
    bar.state && bar.kind !== "SHARE" ? h("span", { class: `state state-${bar.state}` }, texts.states[bar.state]) : "",
    formatInstant(bar.start, zone()),
    bar.end === Infinity ? "" : formatInstant(bar.end, zone()),
    bar.peIds ? `${bar.pes} (${bar.nodes ?? bar.peIds})` : String(bar.pes),
  ]);
  const heads = [says.kind, says.owner, says.project, says.state, says.start, says.end, says.pes];
  return h(
    "div",
    null,
    table(says.table(cluster), heads, rows),
    bars.length > MOST && h("p", { class: "muted" }, says.more(bars.length - MOST)),
  );
}
