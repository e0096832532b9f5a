import { announce, ask, bdi, facts, failed, field, h, replace, roleOf, select, table } from "./dom.js";
import { feeds, link, listed, PAGE, reservations } from "./mine.js";
import { formatMoney } from "./money.js";
import { follow, together } from "./stream.js";
import { texts } from "./texts.js";
import { address, params } from "./url.js";

const PAUSE = 1000;
const says = texts.projects;
const { mine, run } = texts;
const ROLES = /** @type {[string, string][]} */ (Object.entries(says.roles));

/**
 * Shows the account's projects, with members and reservations.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, context) {
  const { api, session, account, zone } = context;
  let id = "";
  let turns = 0;
  const later = together(read, PAUSE);
  let stop = () => {};
  const list = h("nav", { class: "panel", "aria-label": texts.views.projects });
  const chosen = h("div");
  const title = h("h2");
  const said = h("div", { "aria-live": "polite" });
  const members = h("div");
  const name = field(says.account, h("input", { name: "member", autocomplete: "off", required: true }));
  const role = field(run.role, select(ROLES, "MEMBER", { name: "role" }));
  const form = h("form", { onsubmit: add }, h("h3", null, says.add), h("div", { class: "row" }, name.node, role.node), h("button", null, run.save));
  const balance = h("div");
  const filed = h("div");
  replace(root, h("h1", null, texts.views.projects), h("div", { class: "columns" }, list, chosen));

  function begin() {
    stop();
    id = params().get("id") ?? "";
    turns++;
    replace(said);
    replace(chosen);
    api.all("/projects", {}, 2000).then((all) => {
      replace(list, all.length === 0
        ? h("p", null, says.none)
        : h("ul", { class: "stack" }, all.map((each) => h("li", null, h("a", { href: address("projects", { id: each.id }), "aria-current": each.id === id ? "page" : null }, bdi(each.name))))));
    }, (problem) => replace(list, failed(problem)));
    if (id) {
      // the stream ends when the account is no longer a member
      let states = 0;
      stop = follow(session, `/events/stream?project=${encodeURIComponent(id)}`, { onEvent: later.soon, onState: () => states++ > 0 && later.soon() });
      read();
    }
  }

  function path(member = "") {
    return `/projects/${encodeURIComponent(id)}${member && `/members/${encodeURIComponent(member)}`}`;
  }

  async function read() {
    const turn = ++turns;
    try {
      const [{ body }, stands, found, series] = await Promise.all([
        api.get(path()), api.get(`${path()}/balance`), reservations(api, { project: id }, false, PAGE), api.all("/series", { project: id }, PAGE),
      ]);
      if (turn === turns) {
        show(body);
        showBalance(stands.body);
        replace(filed,
          listed(says.filed, says.nothing, found.all, zone(), true),
          found.isMore && h("p", { class: "muted" }, mine.truncated(PAGE)),
          series.length > 0 && [h("h3", null, says.series), table(says.series, [texts.views.series, mine.owner, texts.series.rule, mine.state], series.map((each) =>
            [link(each, "series"), each.owner, each.recurrence.rrule, texts.series.seriesStates[each.state]]))]);
      }
    } catch (problem) {
      if (turn === turns) {
        replace(chosen, failed(/** @type {any} */ (problem).status === 404 ? says.unknown : problem));
      }
    }
  }

  /** @param {any} project */
  function show(project) {
    const own = project.members.find((/** @type {any} */ each) => each.account === account.name)?.role;
    const mayChange = account.role === "ADMIN" || own === "OWNER";
    form.hidden = !mayChange;
    replace(title, bdi(project.name), h("span", { class: "muted" }, " ", project.id));
    replace(members, project.members.length === 0 ? h("p", null, says.noMembers) : table(says.members, [says.account, run.role, ...(mayChange ? [run.actions] : [])], project.members.map((/** @type {any} */ each) => [
      bdi(each.account),
      ...(mayChange
        ? [
            roleOf(each.account, ROLES, each.role, (wanted) => after(api.put(path(each.account), { role: wanted }))),
            h("button", { type: "button", class: "harm", "aria-label": `${says.remove}: ${each.account}`, onclick: async () => {
              if (await ask(says.removeAsk(each.account), says.remove, run.no)) {
                after(api.del(path(each.account)));
              }
            } }, says.remove),
          ]
        : [says.roles[each.role]]),
    ])));
    if (!filed.isConnected) {
      replace(chosen,
        h("section", { class: "panel" }, title, balance, members, form, said),
        h("section", { class: "panel" }, h("h2", null, says.filed), filed),
        feeds(context, id));
    }
  }

  /** @param {any} stands */
  function showBalance(stands) {
    const { granted, available } = stands;
    const number = (/** @type {any} */ each) => Number(each.peHours ?? each.amount);
    const shown = (/** @type {any} */ each) => each && (each.peHours === undefined ? formatMoney(each) : says.hours(each.peHours));
    const taken = granted && number(granted) + number(stands.creditLimit) - number(available);
    const low = granted && (number(available) < 0 ? ["REJECTED", says.overdrawn] : taken > 0 && taken >= 0.8 * number(granted) && ["HELD", texts.events["budget-low"]]);
    replace(balance,
      h("h3", null, says.balance),
      h("p", { class: "muted" }, says.modes[stands.mode]),
      facts([
        [says.granted, shown(granted)],
        [says.held, shown(stands.held)],
        [says.charged, shown(stands.charged)],
        [says.available, granted && (low ? h("span", { class: `state-${low[0]}` }, `${shown(available)}, ${low[1]}`) : shown(available))],
      ]),
      h("p", null, h("button", { type: "button", onclick: save }, says.month)));
  }

  async function save() {
    try {
      const { body } = await api.get(`${path()}/charges.csv`);
      const url = URL.createObjectURL(new Blob([body], { type: "text/csv" }));
      h("a", { href: url, download: `${id}-charges.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(url), PAUSE);
      replace(said);
    } catch (problem) {
      replace(said, failed(problem));
    }
  }

  /** @param {Event} event */
  function add(event) {
    event.preventDefault();
    after(api.put(path(name.input.value.trim()), { role: role.input.value }));
  }

  /** @param {Promise<any>} done */
  async function after(done) {
    try {
      await done;
      replace(said);
      name.input.value = "";
      announce(run.saved);
    } catch (problem) {
      replace(said, failed(problem));
    }
    read();
  }

  begin();
  return {
    update: begin,
    unmount() {
      turns++;
      stop();
      later.end();
    },
  };
}
