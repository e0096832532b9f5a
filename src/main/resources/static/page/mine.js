import { ask, bdi, failed, field, h, replace, secret, select, table } from "./dom.js";
import { formatMoney } from "./money.js";
import { follow, together } from "./stream.js";
import { texts } from "./texts.js";
import { formatDuration, formatInstant, formatRange, now } from "./time.js";
import { address, change, params } from "./url.js";

export const PAGE = innerWidth > 700 ? 500 : 100;
const PAUSE = 300;
const LIVE = ["PENDING", "WAITING", "HELD", "CONFIRMED", "RUNNING"];
const ENDED = ["COMPLETED", "CANCELLED", "EXPIRED", "FAILED", "REJECTED"];
const says = texts.mine;

/**
 * Shows the account's reservations.
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
    const open = all.filter((each) => each.proposal && each.owner === account.name && LIVE.includes(each.state));
    replace(offers, open.length > 0 && h(
      "section",
      { class: "panel" },
      h("h2", null, says.proposals),
      h("ul", null, open.map((each) => h("li", null, link(each), ` – ${texts.reservation.until(formatInstant(each.proposal.expiresAt, zone()))}`))),
    ));
    replace(
      list,
      listed(says.title, says.none, all, zone(), isAdministrator),
      isMore && h("p", { class: "row" }, h("span", { class: "muted" }, says.truncated(most)), h("button", { type: "button", onclick: more }, says.showMore)),
    );
  }

  async function read() {
    const [wanted, turn] = [asked(), ++turns];
    const found = await reservations(api, { cluster: params().get("cluster") }, params().has("ended"), most);
    if (!isOver && wanted === asked() && turn > shownTurn) {
      [which, shownTurn] = [wanted, turn];
      ({ all, isMore } = found);
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
    read().catch((problem) => replace(list, failed(problem)));
  }

  const later = together(() => read().catch(() => {}), PAUSE);
  const stop = follow(session, "/events/stream", { onEvent: later.soon });
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
      later.end();
    },
  };
}

/**
 * Reads reservations state by state, so that old ones do not crowd out the coming ones.
 * @param {import("./api.js").Api} api
 * @param {Record<string, string | null>} query
 * @param {boolean} isAll also those that have ended
 * @param {number} most of each state
 */
export async function reservations(api, query, isAll, most) {
  const states = isAll ? [...LIVE, ...ENDED] : LIVE;
  const lists = await Promise.all(states.map((state) => api.all("/reservations", { state, ...query }, most)));
  return { all: lists.flat(), isMore: lists.some((each) => each.length === most) };
}

/**
 * Makes a table of reservations.
 * @param {string} caption
 * @param {string} none the text if there are none
 * @param {any[]} all
 * @param {import("./time.js").Zone} zone
 * @param {boolean} hasOwners adds a column of owners
 */
export function listed(caption, none, all, zone, hasOwners) {
  const found = [...all].sort((a, b) => Number(LIVE.includes(b.state)) - Number(LIVE.includes(a.state)) || begin(a) - begin(b));
  const heads = [says.name, says.state, says.when, says.left, says.pes, says.price, ...(hasOwners ? [says.owner] : [])];
  return found.length === 0
    ? h("p", null, none)
    : table(caption, heads, found.map((each) => [
        h("span", null, link(each), each.project && h("span", { class: "muted" }, " ", bdi(each.project))),
        h("span", { class: `state state-${each.state}` }, texts.states[each.state]),
        each.placement ? `${each.cluster}, ${formatRange(each.placement.start, each.placement.end, zone)}` : each.cluster ?? "",
        left(each),
        String(each.placement?.pes ?? each.terms.pes ?? ""),
        formatMoney(each.price),
        ...(hasOwners ? [each.owner] : []),
      ]));
}

/** @param {any} each */
function begin(each) {
  return each.placement ? Date.parse(each.placement.start) : Infinity;
}

/** Makes a link to a reservation or a series. @param {any} each @param {string} [view] */
export function link(each, view = "reservation") {
  return h("a", { href: address(view, { id: each.id }) }, each.name ? bdi(each.name) : `${says.unnamed} (${each.id.slice(-6)})`);
}

/** Returns the time to the start or the end. @param {any} each */
function left(each) {
  const until = (/** @type {string} */ when) => formatDuration(Math.max(0, (Date.parse(when) - now()) / 1000));
  const words = [
    each.state === "HELD" && says.holdEnds(until(each.holdExpiresAt)),
    each.state === "CONFIRMED" && each.placement && says.begins(until(each.placement.start)),
    each.state === "RUNNING" && each.placement && says.ends(until(each.placement.end)),
    ["HELD", "CONFIRMED"].includes(each.state) && (each.scenario === "STRICT" ? says.stays : each.movable ? says.movable : says.final),
  ];
  return words.filter(Boolean).join(" · ");
}

/**
 * Shows the account's calendar feeds. An address appears once, when it is made.
 * @param {import("./main.js").Context} context
 * @param {string} [project] only feeds of this project, for all its reservations
 */
export function feeds({ api, account, zone }, project) {
  const path = `/accounts/${encodeURIComponent(account.name)}/feeds`;
  const list = h("div");
  const said = h("div", { "aria-live": "polite" });
  const made = h("div", { "aria-live": "polite" });
  const make = h("button", { type: "button", onclick: () => after(api.post(path, { project })) }, texts.feeds.make);
  const all = h("details", { class: "panel" }, h("summary", null, texts.feeds.title), h("p", null, texts.feeds.what), made, said, list, h("p", null, make));
  all.addEventListener("toggle", () => {
    if (all.open) {
      read();
    }
  });
  return all;

  /** @param {Promise<any>} done */
  async function after(done) {
    try {
      const { body } = await done;
      replace(said);
      if (body) {
        made.prepend(secret(texts.feeds.address, texts.feeds.once, new URL(body.path, location.origin).href));
      }
    } catch (problem) {
      replace(said, failed(problem));
    }
    read();
  }

  function read() {
    api.get(path).then(({ body }) => show(body.items.filter((/** @type {any} */ each) => !project || each.project === project)), (problem) => replace(list, failed(problem)));
  }

  /** @param {any[]} items */
  function show(items) {
    replace(list, items.length > 0 && h("ul", null, items.map((each) => {
      const name = formatInstant(each.createdAt, zone());
      const alone = [each.cluster, each.project].filter(Boolean).map((of) => h("span", null, bdi(of)));
      return h("li", { class: "row" }, h("span", null, texts.feeds.made(name)), alone, h("button", { type: "button", class: "harm", "aria-label": `${texts.feeds.revoke}: ${name}`, onclick: async () => {
        if (await ask(texts.feeds.revokeAsk(name), texts.feeds.revoke, texts.feeds.keep)) {
          after(api.del(`${path}/${each.id}`));
        }
      } }, texts.feeds.revoke));
    })));
  }
}
