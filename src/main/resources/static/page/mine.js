// @ts-check
import { bdi, field, h, replace, select, table } from "./dom.js";
import { feeds } from "./feeds.js";
import { formatMoney } from "./money.js";
import { follow } from "./stream.js";
import { texts } from "./texts.js";
import { formatDuration, formatInstant, formatRange, now } from "./time.js";
import { address, change, params } from "./url.js";

const PAGE = innerWidth > 700 ? 500 : 100;
/** What happens in the meantime is read together. */
const PAUSE = 300;
const LIVE = ["PENDING", "WAITING", "HELD", "CONFIRMED", "RUNNING"];
const ENDED = ["COMPLETED", "CANCELLED", "EXPIRED", "FAILED", "REJECTED"];
const says = texts.mine;

/**
 * Shows what the account has: until when, how long left, and whether it may still move.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, context) {
  const { api, session, account, zone } = context;
  /** @type {any[]} */
  let all = [];
  let most = PAGE;
  let isMore = false;
  let later = 0;
  let which = "";
  let [turns, shownTurn] = [0, 0];
  let isOver = false;
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
    feeds(context),
  );
  cluster.input.addEventListener("change", () => change({ cluster: cluster.input.value || null }));
  ended.addEventListener("change", () => change({ ended: ended.checked ? "1" : null }));

  function show() {
    ended.checked = params().has("ended");
    cluster.input.value = params().get("cluster") ?? "";
    const found = [...all].sort((a, b) => Number(LIVE.includes(b.state)) - Number(LIVE.includes(a.state)) || begin(a) - begin(b));
    const open = all.filter((each) => each.proposal && each.owner === account.name && LIVE.includes(each.state));
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
            h("span", null, link(each), each.project && h("span", { class: "muted" }, " ", bdi(each.project))),
            h("span", { class: `state state-${each.state}` }, texts.states[each.state]),
            each.placement ? `${each.cluster}, ${formatRange(each.placement.start, each.placement.end, zone())}` : each.cluster ?? "",
            left(each),
            String(each.placement?.pes ?? each.terms.pes ?? ""),
            formatMoney(each.price),
            ...(isAdministrator ? [each.owner] : []),
          ])),
      isMore && h("p", { class: "row" }, h("span", { class: "muted" }, says.truncated(most)), h("button", { type: "button", onclick: more }, says.showMore)),
    );
  }

  /** @param {any} each */
  function begin(each) {
    return each.placement ? Date.parse(each.placement.start) : Infinity;
  }

  /** @param {any} each */
  function link(each) {
    return h("a", { href: address("reservation", { id: each.id }) }, each.name ? bdi(each.name) : `${says.unnamed} (${each.id.slice(-6)})`);
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

  /** Reads what is asked for, state by state: what ended long ago must not hide what is still to come. */
  async function read() {
    const [wanted, turn] = [asked(), ++turns];
    const states = params().has("ended") ? [...LIVE, ...ENDED] : LIVE;
    const lists = await Promise.all(states.map((state) => api.all("/reservations", { state, cluster: params().get("cluster") }, most)));
    if (!isOver && wanted === asked() && turn > shownTurn) {
      [which, shownTurn] = [wanted, turn];
      all = lists.flat();
      isMore = lists.some((each) => each.length === most);
      show();
    }
  }

  function asked() {
    return `${params().get("cluster")} ${params().has("ended")} ${most}`;
  }

  function more() {
    most += PAGE;
    readNow();
  }

  function readNow() {
    read().catch((problem) => replace(list, h("p", { class: "problem" }, problem.message)));
  }

  function readSoon() {
    later ||= setTimeout(() => {
      later = 0;
      read().catch(() => {});
    }, PAUSE);
  }

  const stop = follow(session, "/events/stream", { onEvent: readSoon });
  const timer = setInterval(show, 30_000);
  api.all("/clusters", {}, 500).then((clusters) => {
    cluster.input.append(...clusters.map((each) => h("option", { value: each.id, selected: each.id === params().get("cluster") }, each.id)));
  }, () => {});
  readNow();
  return {
    update() {
      show();
      if (which !== asked()) {
        readNow();
      }
    },
    unmount() {
      isOver = true;
      stop();
      clearInterval(timer);
      clearTimeout(later);
    },
  };
}
