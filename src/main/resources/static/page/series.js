import { announce, ask, bdi, facts, failed, h, replace, table } from "./dom.js";
import { formatMoney } from "./money.js";
import { follow, together } from "./stream.js";
import { texts } from "./texts.js";
import { durationSeconds, formatDate, formatDuration, formatInstant, formatRange } from "./time.js";
import { address, params } from "./url.js";

const PAUSE = 1000;
const says = texts.series;
const { mine } = texts;

/**
 * Shows a series: the state of each of its days, and a button to end it.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, { api, session, zone }) {
  let id = "";
  let stop = () => {};
  /** @type {any} */
  let present = null;
  let [turns, shownTurn] = [0, 0];
  let isOver = false;
  const title = h("h1");
  const known = h("section", { class: "panel" });
  const actions = h("section", { class: "panel" });
  const said = h("div", { "aria-live": "polite" });
  const list = h("div");
  const back = h("a", { href: address("reservations") }, texts.reservation.back);

  function begin() {
    stop();
    id = params().get("id") ?? "";
    present = null;
    replace(said);
    replace(list);
    replace(known);
    actions.hidden = true;
    replace(title, texts.views.series);
    replace(
      root, h("p", null, back), title,
      h("div", { class: "columns" },
        h("div", null, known, actions),
        h("section", { class: "panel" }, h("h2", null, says.occurrences), list)),
    );
    const own = id;
    read().then(() => isShown(own) && listen()).catch((problem) => {
      if (isShown(own)) {
        replace(root, h("h1", null, texts.views.series), failed(problem.status === 404 || problem.status === 400 ? says.none : problem), back);
      }
    });
  }

  /** Returns whether this series is still shown. @param {string} which */
  function isShown(which) {
    return !isOver && which === id;
  }

  /** Follows the events of the series, through its project if it has one. */
  function listen() {
    const of = present.project ? `?project=${encodeURIComponent(present.project)}` : "";
    stop = follow(session, `/events/stream${of}`, { onEvent: later.soon, onState: later.soon });
  }

  async function read() {
    const [own, turn] = [id, ++turns];
    take(own, turn, (await api.get(`/series/${encodeURIComponent(own)}`)).body);
  }

  /** Shows a response, unless that of a later call is shown. @param {string} own @param {number} turn @param {any} body */
  function take(own, turn, body) {
    if (isShown(own) && turn > shownTurn) {
      shownTurn = turn;
      present = body;
      show();
    }
  }

  function show() {
    const { name, recurrence, window, terms, occurrences } = present;
    replace(title, name ? bdi(name) : texts.views.series);
    const leeway = [
      durationSeconds(window.earliest) > 0 && says.earlier(formatDuration(window.earliest)),
      durationSeconds(window.slack) > 0 && says.later(formatDuration(window.slack)),
    ].filter(Boolean).join(", ");
    /** @type {[string, any][]} */
    const all = [
      [mine.state, h("span", { class: "state" }, says.seriesStates[present.state])],
      [texts.reservation.cluster, present.cluster],
      [says.rule, h("code", null, recurrence.rrule.split(";").map((/** @type {string} */ part, /** @type {number} */ i) => [i > 0 && [";", h("wbr")], part]))],
      [says.begins, `${formatDate(recurrence.dtstart.slice(0, 10))} ${recurrence.dtstart.slice(11)} ${recurrence.zone}`],
      [says.leeway, leeway],
      [says.without, recurrence.exdates.map(formatDate).join(", ")],
      [texts.reservation.duration, terms.duration && formatDuration(terms.duration)],
      [texts.reservation.pes, terms.pes],
      [says.decided, present.bookedUntil && formatDate(present.bookedUntil)],
      [texts.reservation.project, present.project && bdi(present.project)],
      [texts.reservation.owner, present.owner],
      [texts.reservation.id, present.id],
    ];
    replace(known, facts(all));
    const isAhead = occurrences.some((/** @type {any} */ each) => each.state === "AHEAD" || ["PENDING", "WAITING", "HELD", "CONFIRMED"].includes(each.reservationState));
    actions.hidden = !isAhead && !said.hasChildNodes();
    replace(
      actions,
      h("h2", null, texts.reservation.actions),
      isAhead && h("p", { class: "row" }, h("button", { type: "button", class: "harm", onclick: end }, says.end)),
      said,
    );
    replace(
      list,
      occurrences.length === 0
        ? h("p", null, says.noOccurrences)
        : table(says.occurrences, [says.day, mine.state, mine.when, mine.price], occurrences.map(line)),
    );
  }

  /** @param {any} each */
  function line(each) {
    const day = formatDate(each.date);
    const state = each.reservationState ?? (each.state === "REFUSED" ? "REJECTED" : each.state);
    return [
      each.reservation ? h("a", { href: address("reservation", { id: each.reservation }) }, day) : day,
      h("span", { class: `state state-${state}` }, each.reservationState ? texts.states[each.reservationState] : says.states[each.state]),
      each.start
        ? formatRange(each.start, each.end, zone())
        : h("div", null, each.plannedStart && formatInstant(each.plannedStart, zone()), each.reason && h("div", { class: "muted" }, says.why[each.reason] ?? each.reason)),
      formatMoney(each.price),
    ];
  }

  async function end() {
    if (!(await ask(says.endAsk, says.end, texts.reservation.no))) {
      return;
    }
    const own = id;
    try {
      const { body } = await api.post(`/series/${encodeURIComponent(own)}/end`, {});
      if (isShown(own)) {
        announce(says.ended);
        replace(said, h("p", { class: "note" }, says.ended));
        // responses of calls made meanwhile may be older
        take(own, ++turns, body);
      }
    } catch (problem) {
      replace(said, failed(problem));
    }
  }

  const later = together(() => read().catch(() => {}), PAUSE);
  begin();
  return {
    update() {
      if (params().get("id") !== id) {
        begin();
      } else if (present) {
        show();
      }
    },
    unmount() {
      isOver = true;
      stop();
      later.end();
    },
  };
}
