// @ts-check
import { field, h, replace, select, table } from "./dom.js";
import { formatMoney } from "./money.js";
import { follow } from "./stream.js";
import { texts } from "./texts.js";
import { formatDuration, formatInstant, formatRange, now } from "./time.js";
import { address, change, params } from "./url.js";

const MOST = 500;
const LIVE = ["PENDING", "HELD", "CONFIRMED", "RUNNING"];
const says = texts.mine;

/**
 * Shows what the account has: until when, how long left, and whether it may still move.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, { api, session, account, zone }) {
  /** @type {any[]} */
  let all = [];
  let later = 0;
  const isAdministrator = account.role === "ADMIN";
  const cluster = field(says.cluster, select([["", says.everywhere]], "", { name: "cluster" }));
  const ended = h("input", { type: "checkbox", name: "ended" });
  const list = h("div");
  const offers = h("div");
  replace(
    root,
    h("h1", null, isAdministrator ? says.all : says.title),
    offers,
    h("form", { class: "panel row" }, cluster.node, h("label", { class: "choice" }, ended, says.ended)),
    h("section", { class: "panel" }, list),
  );
  cluster.input.addEventListener("change", () => change({ cluster: cluster.input.value || null }));
  ended.addEventListener("change", () => change({ ended: ended.checked ? "1" : null }));

  function show() {
    const where = params().get("cluster");
    const isAll = params().has("ended");
    ended.checked = isAll;
    const found = all
      .filter((each) => (isAll || LIVE.includes(each.state)) && (!where || each.cluster === where))
      .sort((a, b) => Number(LIVE.includes(b.state)) - Number(LIVE.includes(a.state)) || begin(a) - begin(b));
    const open = all.filter((each) => each.proposal && LIVE.includes(each.state));
    replace(offers, open.length > 0 && h(
      "section",
      { class: "panel" },
      h("h2", null, says.proposals),
      h("ul", null, open.map((each) => h("li", null, link(each), ` – ${texts.reservation.until(formatInstant(each.proposal.expiresAt, zone()))}`))),
    ));
    const heads = [says.name, says.state, says.when, says.left, says.pes, says.price, ...(isAdministrator ? [says.owner] : [])];
    replace(
      list,
      found.length === 0
        ? h("p", null, says.none)
        : table(says.title, heads, found.map((each) => [
            h("span", null, link(each), each.project && h("span", { class: "muted" }, ` ${each.project}`)),
            h("span", { class: `state state-${each.state}` }, texts.states[each.state]),
            each.placement ? `${each.cluster}, ${formatRange(each.placement.start, each.placement.end, zone())}` : each.cluster ?? "",
            left(each),
            String(each.placement?.pes ?? each.terms.pes ?? ""),
            formatMoney(each.price),
            ...(isAdministrator ? [each.owner] : []),
          ])),
      all.length === MOST && h("p", { class: "muted" }, says.truncated),
    );
  }

  /** @param {any} each */
  function begin(each) {
    return each.placement ? Date.parse(each.placement.start) : Infinity;
  }

  /** @param {any} each */
  function link(each) {
    return h("a", { href: address("reservation", { id: each.id, zone: params().get("zone") }) }, each.name ?? `${says.unnamed} (${each.id.slice(-6)})`);
  }

  /** Says how long something is still to come, or goes on. @param {any} each */
  function left(each) {
    const until = (/** @type {string} */ when) => formatDuration(Math.max(0, (Date.parse(when) - now()) / 1000));
    const words = [
      each.state === "HELD" && says.holdEnds(until(each.holdExpiresAt)),
      each.state === "CONFIRMED" && each.placement && says.begins(until(each.placement.start)),
      each.state === "RUNNING" && each.placement && says.ends(until(each.placement.end)),
      ["HELD", "CONFIRMED"].includes(each.state) && (each.movable ? says.movable : says.final),
    ];
    return words.filter(Boolean).join(" · ");
  }

  async function read() {
    all = await api.all("/reservations", {}, MOST);
    show();
  }

  function readSoon() {
    clearTimeout(later);
    later = setTimeout(() => read().catch(() => {}), 300);
  }

  const stop = follow(session, "/events/stream", { onEvent: readSoon });
  const timer = setInterval(show, 30_000);
  api.all("/clusters", {}, 500).then((clusters) => {
    cluster.input.append(...clusters.map((each) => h("option", { value: each.id, selected: each.id === params().get("cluster") }, each.id)));
  }, () => {});
  read().catch((problem) => replace(list, h("p", { class: "problem" }, problem.message)));
  return {
    update: show,
    unmount() {
      stop();
      clearInterval(timer);
      clearTimeout(later);
    },
  };
}
