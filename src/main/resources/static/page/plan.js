// @ts-check
import { barsTable } from "./bars.js";
import { chart } from "./chart.js";
import { field, h, replace } from "./dom.js";
import { gantt } from "./gantt.js";
import { planner } from "./planner.js";
import { follow } from "./stream.js";
import { texts } from "./texts.js";
import { DAY, formatInstant, formatRange, fromField, HOUR, iso, now, toField } from "./time.js";
import { address, change, params } from "./url.js";

const SOON = 50;
const PATIENT = 250;
const POLL = 30_000;
/** Of a day with more events only so much is read for its moves. */
const MOST_PAGES = 20;
const says = texts.plan;

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {{from: number, to: number}} Range
 */

/** @param {any} placement @returns {Bar} */
function bar({ kind, id, owner, project, state, start, end, pes, peIds }) {
  return { kind, id, owner, project, state, start: Date.parse(start), end: end ? Date.parse(end) : Infinity, pes, peIds };
}

/**
 * Shows the plan of clusters: the past as it was, the future as it is booked, as it changes.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, context) {
  const { api, session, account, zone } = context;
  /** @type {Map<string, ReturnType<typeof show>>} */
  const shown = new Map();
  /** @type {any[]} */
  let clusters = [];
  let range = asked();
  let writing = 0;
  let isOver = false;
  let stop = () => {};
  const isOperator = account.role !== "CLIENT";

  const from = field(says.from, h("input", { type: "datetime-local", name: "from" }));
  const to = field(says.to, h("input", { type: "datetime-local", name: "to" }));
  const search = field(says.search, h("input", { type: "search", name: "search", value: params().get("search") ?? "" }), says.searchHint);
  const choices = h("fieldset", { class: "row" }, h("legend", null, says.clusters));
  const live = h("span", { class: "muted", role: "status" });
  const plans = h("div");
  const hovered = h("p", { class: "muted", "aria-hidden": "true" }, "\u00a0");
  const moves = h("div");
  const tools = h("div");
  const step = (/** @type {number} */ by) => () => {
    const length = (range.to - range.from) * by;
    view(range.from + length, range.to + length);
  };
  const zoom = (/** @type {number} */ by) => () => {
    const [middle, half] = [(range.from + range.to) / 2, ((range.to - range.from) / 2) * by];
    view(middle - half, middle + half);
  };
  const button = (/** @type {string} */ text, /** @type {() => void} */ act) => h("button", { type: "button", onclick: act }, text);
  replace(
    root,
    h("h1", null, says.title),
    h(
      "form",
      { class: "panel", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      h("div", { class: "row" }, from.node, to.node, search.node),
      h("p", { class: "row" },
        button(says.earlier, step(-0.5)), button(says.now, goNow), button(says.later, step(0.5)),
        button(says.zoomIn, zoom(0.5)), button(says.zoomOut, zoom(2)), live),
      choices,
    ),
    legend(),
    plans,
    hovered,
    tools,
    h("section", { class: "panel" }, h("h2", null, says.moves), moves),
  );

  /** @returns {Range} */
  function asked() {
    const [begin, end] = [Number(params().get("from")), Number(params().get("to"))];
    return begin > 0 && end > begin ? { from: begin, to: end } : { from: now() - 6 * HOUR, to: now() + 2 * DAY };
  }

  function goNow() {
    const length = range.to - range.from;
    view(now() - length / 8, now() + (length * 7) / 8);
  }

  /** @param {number} begin @param {number} end */
  function view(begin, end) {
    range = { from: begin, to: end };
    shown.forEach((plan) => plan.view());
    clearTimeout(writing);
    writing = setTimeout(() => {
      change({ from: String(Math.round(begin)), to: String(Math.round(end)) }, { replace: true });
      setFields();
    }, PATIENT);
  }

  function setFields() {
    if (document.activeElement !== from.input && document.activeElement !== to.input) {
      from.input.value = toField(range.from, zone());
      to.input.value = toField(range.to, zone());
    }
  }

  function typed() {
    const [begin, end] = [fromField(from.input.value, zone()), fromField(to.input.value, zone())];
    to.error(end > begin ? "" : says.rangeWrong);
    if (end > begin) {
      view(begin, end);
    }
  }
  from.input.addEventListener("change", typed);
  to.input.addEventListener("change", typed);
  search.input.addEventListener("input", () => {
    change({ search: search.input.value || null }, { replace: true });
    shown.forEach((plan) => plan.search());
  });

  /** Returns whether a bar is searched for; null: nothing is. */
  function wanted() {
    const word = search.input.value.trim().toLowerCase();
    return word
      ? (/** @type {Bar} */ each) =>
          [each.owner, each.project, each.id, each.state, each.state && texts.states[each.state]]
            .some((text) => text?.toLowerCase().includes(word))
      : null;
  }

  /**
   * Shows the plan of one cluster.
   * @param {any} cluster
   */
  function show(cluster) {
    const height = Math.min(420, Math.max(160, cluster.pes * 3));
    const canvas = h("canvas", { class: "wide-only", tabindex: 0, role: "img", "aria-label": says.canvas(cluster.id) });
    canvas.style.height = `${height}px`;
    const graph = h("div", { class: "wide-only", role: "img", "aria-label": says.chart(cluster.id) });
    const mean = h("p", { class: "muted" });
    const list = h("details", { class: "list", open: innerWidth <= 700 }, h("summary", null, says.table(cluster.id)));
    const listed = h("div");
    const said = h("div");
    list.append(listed);
    const node = h("section", { class: "panel", "data-cluster": cluster.id }, h("h2", null, cluster.id), said, canvas, graph, mean, list);
    /** @type {Map<string, Bar[]>} */
    let known = new Map();
    /** @type {Bar[]} */
    let bars = [];
    /** @type {Range | null} */
    let loaded = null;
    let tag = "";
    let isLoading = false;
    let isAskedAgain = false;
    let later = 0;
    /** @type {Awaited<ReturnType<typeof chart>> | null} */
    let graphed = null;
    const drawing = gantt(canvas, { onRange: view, onHover: (each) => tell(each), onPick: (each) => open(each) });
    chart(graph).then((made) => {
      graphed = made;
      summarise();
    });

    /** @param {Bar | null} each */
    function tell(each) {
      hovered.textContent = each
        ? [cluster.id, says.kinds[each.kind], each.project, each.owner, each.state && texts.states[each.state],
            `${each.pes} ${says.pes}`, each.end === Infinity ? formatInstant(each.start, zone()) : formatRange(each.start, each.end, zone())]
            .filter(Boolean).join(" · ")
        : "\u00a0";
    }

    /** @param {Bar} each */
    function open(each) {
      if (each.kind === "RESERVATION" && each.id && account.role !== "VIEWER") {
        location.hash = address("reservation", { id: each.id });
      }
    }

    /** Reads what is not there yet, or only what has changed. */
    async function load() {
      if (isLoading) {
        isAskedAgain = true;
        return;
      }
      isLoading = true;
      const isThere = loaded !== null && loaded.from <= range.from && range.to <= loaded.to;
      const length = range.to - range.from;
      const next = isThere && loaded ? loaded : { from: range.from - length, to: range.to + length };
      try {
        const { body, etag } = await api.get(`/clusters/${cluster.id}/schedule`, {
          from: iso(next.from), to: iso(next.to), since: isThere ? tag : null,
        });
        if (isOver) {
          return;
        }
        if (body.since === null) {
          known = new Map();
        }
        /** @type {Map<string, Bar[]>} */
        const told = new Map();
        body.placements.forEach((/** @type {any} */ placement, /** @type {number} */ i) => {
          const id = placement.id ?? `unnamed ${i}`;
          told.set(id, [...(told.get(id) ?? []), bar(placement)]);
        });
        told.forEach((each, id) => known.set(id, each));
        body.gone.forEach((/** @type {string} */ id) => known.delete(id));
        bars = [...known.values()].flat();
        [loaded, tag] = [next, (etag ?? "").replace(/^W\/|"/g, "")];
        replace(said);
        drawing.show(bars, cluster.pes);
        summarise();
      } catch (problem) {
        const isTooMuch = /** @type {any} */ (problem).errors?.some((/** @type {any} */ each) => each.field === "to");
        replace(said, h("p", { class: "problem" }, isTooMuch ? says.tooMuch : String(/** @type {any} */ (problem).message)));
      } finally {
        isLoading = false;
        if (isAskedAgain && !isOver) {
          isAskedAgain = false;
          setTimeout(load, SOON);
        }
      }
    }

    /** The chart and the table follow once the hand rests. */
    function summarise() {
      clearTimeout(later);
      later = setTimeout(() => {
        const visible = bars.filter((each) => each.start < range.to && each.end > range.from);
        const booked = graphed?.show(visible, cluster.pes, range.from, range.to);
        mean.textContent = booked === undefined ? "" : says.mean(booked);
        replace(listed, barsTable(cluster.id, wanted() ? visible.filter(/** @type {any} */ (wanted())) : visible, zone()));
      }, PATIENT);
    }

    const plan = {
      node,
      load,
      view() {
        drawing.range(range.from, range.to, now(), zone());
        summarise();
        if (!loaded || range.from < loaded.from || range.to > loaded.to) {
          load();
        }
      },
      search() {
        drawing.search(wanted());
        summarise();
      },
      /** @param {any} effects @param {any} outage */
      suppose(effects, outage) {
        const parts = (effects?.moved ?? []).flatMap((/** @type {any} */ moved) =>
          moved.to.map((/** @type {any} */ part) => bar({ kind: "RESERVATION", id: moved.reservation, owner: moved.owner, project: null, state: "CONFIRMED", peIds: null, ...part })));
        const band = effects ? [bar({ ...outage, kind: "OUTAGE", owner: null, project: null, state: null, start: outage.from, end: outage.to })] : [];
        drawing.suppose([...parts, ...band]);
      },
      /** @param {string | null} id */
      light: (id) => drawing.light(id),
      end() {
        clearTimeout(later);
        drawing.end();
        graphed?.end();
        node.remove();
      },
    };
    plan.view();
    plan.search();
    return plan;
  }

  /** Shows the clusters that the address names: at first the first one. */
  function showClusters() {
    const named = params().getAll("cluster").filter((id) => clusters.some((each) => each.id === id));
    const ids = named.length > 0 ? named : clusters.slice(0, 1).map((each) => each.id);
    replace(choices, h("legend", null, says.clusters), clusters.map((each) => h("label", { class: "choice" }, h("input", {
      type: "checkbox", value: each.id, checked: ids.includes(each.id), onchange: chosen,
    }), each.id)));
    for (const [id, plan] of shown) {
      if (!ids.includes(id)) {
        plan.end();
        shown.delete(id);
      }
    }
    for (const id of ids) {
      if (!shown.has(id)) {
        const plan = show(clusters.find((each) => each.id === id));
        shown.set(id, plan);
        plans.append(plan.node);
        plan.view();
      }
    }
  }

  function chosen() {
    const ids = [...choices.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value);
    change({ cluster: ids }, { replace: true });
    showClusters();
  }

  /** Shows who was moved since yesterday, and why. */
  async function readMoves() {
    /** @type {any[]} */
    const found = [];
    const yesterday = now() - DAY;
    /** @type {string | null} */
    let after = null;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const { body } = await api.get("/events", { from: iso(yesterday), after, limit: 500 });
      found.push(...body.items.filter((/** @type {any} */ each) => each.type === "moved"));
      after = body.next;
      if (body.items.length < 500 || isOver) {
        break;
      }
    }
    if (!isOver) {
      found.reverse().forEach((event) => addMove(event, false));
      if (found.length === 0) {
        replace(moves, h("p", { class: "muted" }, says.noMoves));
      }
    }
  }

  /** @param {any} event @param {boolean} isFirst */
  function addMove(event, isFirst) {
    const { move, placement } = event.data;
    const line = h(
      "li",
      { onmouseenter: () => shown.get(event.cluster)?.light(event.reservation), onmouseleave: () => shown.get(event.cluster)?.light(null) },
      `${formatInstant(event.at, zone())}, ${event.cluster}: `,
      account.role === "VIEWER" ? event.reservation : h("a", { href: address("reservation", { id: event.reservation }) }, event.reservation),
      ` ${formatInstant(move.from[0].start, zone())} → ${formatInstant(placement.start, zone())}, ${texts.reasons[move.why]}`,
    );
    let list = moves.querySelector("ul");
    if (!list) {
      list = h("ul");
      replace(moves, list);
    }
    if (isFirst) {
      list.prepend(line);
    } else {
      list.append(line);
    }
    while (list.children.length > 100) {
      list.lastElementChild?.remove();
    }
  }

  function listen() {
    stop = follow(session, "/events/stream", {
      onState(isConnected) {
        live.textContent = isConnected ? says.live : says.away;
        if (isConnected) {
          shown.forEach((plan) => plan.load());
        }
      },
      onEvent(event) {
        shown.get(event.cluster)?.load();
        if (event.type === "moved") {
          addMove(event, true);
        }
      },
    });
  }

  const timers = [
    setInterval(() => shown.forEach((plan) => plan.view()), 10_000),
    isOperator ? 0 : setInterval(() => shown.forEach((plan) => plan.load()), POLL),
  ];
  setFields();
  api.all("/clusters", {}, 500).then((all) => {
    if (isOver) {
      return;
    }
    clusters = all.filter((each) => each.pes && !each.peer && (isOperator || ["BUSY", "NAMES"].includes(each.policy?.visibility)));
    if (clusters.length === 0) {
      replace(plans, h("p", { class: "note" }, says.noClusters));
      return;
    }
    showClusters();
    listen();
    if (account.role === "ADMIN") {
      replace(tools, planner(context, clusters.map((each) => each.id), (id, effects, outage) => shown.get(id)?.suppose(effects, outage)));
    }
    if (isOperator) {
      readMoves().catch(() => replace(moves));
    }
  }, (problem) => replace(plans, h("p", { class: "problem" }, problem.message)));

  return {
    update() {
      const next = asked();
      if (params().has("from") && (Math.round(next.from) !== Math.round(range.from) || Math.round(next.to) !== Math.round(range.to))) {
        range = next;
      }
      setFields();
      showClusters();
      shown.forEach((plan) => plan.view());
    },
    unmount() {
      isOver = true;
      stop();
      clearTimeout(writing);
      timers.forEach(clearInterval);
      shown.forEach((plan) => plan.end());
    },
  };
}

function legend() {
  const looks = /** @type {const} */ (["running", "confirmed", "held", "job", "ended", "outage", "free"]);
  return h("p", { class: "legend" }, looks.map((look) => h("span", null, h("i", { class: `swatch-${look}` }), says[look])));
}
