import { barsTable, isOpenTo } from "./bars.js";
import { bdi, failed, field, h, momentField, replace } from "./dom.js";
import { gantt, swatch } from "./gantt.js";
import { planner } from "./planner.js";
import { follow } from "./stream.js";
import { texts } from "./texts.js";
import { DAY, formatDuration, formatInstant, formatRange, fromField, HOUR, iso, isoDuration, now, toField } from "./time.js";
import { address, change, params } from "./url.js";
import { usageChart } from "./usage.js";

const SOON = 50;
const PATIENT = 250;
const POLL = 30_000;
const MINUTE = 60_000;
/** The number of steps to draw if there are too many placements. */
const SHARES = 240;
const SHARES_AGAIN = 3000;
/** The most pages of events to read. If a day has more, the moves are of a shorter time. */
const MOST_PAGES = 10;
const MOST_MOVES = 50;
const says = texts.plan;

/**
 * @typedef {import("./layout.js").Bar} Bar
 * @typedef {{from: number, to: number}} Range
 */

/** @param {any} placement @returns {Bar} */
function bar({ kind, id, owner, project, state, start, end, pes, peIds, nodes }) {
  return { kind, id, owner, project, state, start: Date.parse(start), end: end ? Date.parse(end) : Infinity, pes, peIds, nodes };
}

/**
 * Shows the plan of clusters, past and future, and follows its changes.
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
  let naming = 0;
  let isOver = false;
  let stop = () => {};
  const isOperator = account.role !== "CLIENT";
  /** @type {ReturnType<typeof planner> | null} */
  let outages = null;

  const from = momentField(says.from, zone, { name: "from" });
  const to = momentField(says.to, zone, { name: "to" });
  const search = field(says.search, h("input", { type: "search", name: "search", value: params().get("search") ?? "" }), says.searchHint);
  const choices = h("fieldset", { class: "row" }, h("legend", null, says.clusters));
  const live = h("span", { class: "muted", role: "status" });
  const plans = h("div");
  const hovered = h("p", { class: "muted", "aria-hidden": "true" }, "\u00a0");
  const moves = h("div");
  const looks = h("div");
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
    looks,
    plans,
    hovered,
    tools,
    isOperator && h("section", { class: "panel" }, h("h2", null, says.moves), moves),
  );
  const scheme = matchMedia("screen and (prefers-color-scheme: dark)");
  const showLegend = () => replace(looks, legend());
  scheme.addEventListener("change", showLegend);
  showLegend();

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

  /** Returns a test whether a bar matches the search, or null without a search. */
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
    const canvas = h("canvas", { class: "wide-only dragged", tabindex: 0, role: "img", "aria-label": says.canvas(cluster.id) });
    canvas.style.height = `${height}px`;
    const graph = h("div", { class: "wide-only", role: "img", "aria-label": says.chart(cluster.id) });
    const mean = h("p", { class: "muted" });
    const list = h("details", { class: "list", open: innerWidth <= 700 }, h("summary", null, says.table(cluster.id)));
    const listed = h("div");
    const said = h("div");
    const dashed = h("p", { class: "muted wide-only" });
    list.append(listed);
    const node = h("section", { class: "panel", "data-cluster": cluster.id }, h("h2", null, cluster.id), said, canvas, dashed, graph, mean, list);
    /** @type {Map<string, Bar[]>} */
    let known = new Map();
    /** @type {Bar[]} */
    let bars = [];
    /** @type {Range | null} */
    let loaded = null;
    let tag = "";
    let isLoading = false;
    let isAskedAgain = false;
    /** The shortest time, in milliseconds, that had too many placements. */
    let tooLong = Infinity;
    /** @type {{effects: any, outage: any} | null} */
    let supposed = null;
    let areShares = false;
    let later = 0;
    /** @type {Awaited<ReturnType<typeof usageChart>> | null} */
    let graphed = null;
    const drawing = gantt(canvas, { onRange: view, onHover: (each) => tell(each), onPick: (each) => open(each) });
    usageChart(graph).then((made) => {
      graphed = made;
      summarise();
    });

    /** @param {Bar | null} each */
    function tell(each) {
      const words = each && [cluster.id, says.kinds[each.kind], bdi(each.project), bdi(each.owner),
        each.kind !== "SHARE" && each.state && texts.states[each.state], texts.find.size(each.pes),
        each.end === Infinity ? formatInstant(each.start, zone()) : formatRange(each.start, each.end, zone())].filter(Boolean);
      replace(hovered, words ? words.map((word, i) => [i > 0 && " · ", word]) : "\u00a0");
    }

    /** @param {Bar} each */
    function open(each) {
      if (isOpenTo(account, each)) {
        location.hash = address("reservation", { id: each.id });
      }
    }

    /** Reads the visible part of the plan, or only its changes. */
    async function load() {
      if (isLoading) {
        isAskedAgain = true;
        return;
      }
      isLoading = true;
      try {
        await read();
      } catch (problem) {
        replace(said, failed(problem));
      } finally {
        isLoading = false;
        if (isAskedAgain && !isOver) {
          isAskedAgain = false;
          setTimeout(load, areShares ? SHARES_AGAIN : SOON);
        }
      }
    }

    /** Reads more than is visible. If the service rejects that, it reads the visible part, or else the utilisation. */
    async function read() {
      const length = range.to - range.from;
      const isThere = loaded !== null && loaded.from <= range.from && range.to <= loaded.to;
      const wide = isThere && loaded ? loaded : { from: range.from - length, to: range.to + length };
      for (const next of length < tooLong || isThere ? [wide, { ...range }] : [{ ...range }]) {
        try {
          await readPlacements(next, isThere && next === loaded ? tag : null);
          return;
        } catch (problem) {
          if (!/** @type {any} */ (problem).errors?.some((/** @type {any} */ each) => each.field === "to")) {
            throw problem;
          }
          tooLong = Math.min(tooLong, length);
        }
      }
      await readShares({ ...range });
    }

    /** @param {Range} next @param {string | null} since */
    async function readPlacements(next, since) {
      const { body, etag } = await api.get(`/clusters/${cluster.id}/schedule`, { from: iso(next.from), to: iso(next.to), since });
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
      [loaded, tag, areShares] = [next, (etag ?? "").replace(/^W\/|"/g, ""), false];
      showBars([...known.values()].flat());
    }

    /** @param {Range} next */
    async function readShares(next) {
      const step = Math.max(MINUTE, Math.ceil((next.to - next.from) / SHARES / MINUTE) * MINUTE);
      const { body } = await api.get(`/clusters/${cluster.id}/utilisation`, { from: iso(next.from), to: iso(next.to), step: isoDuration(step / 1000) });
      known = new Map();
      [loaded, tag, areShares] = [null, "", true];
      showBars(body.points.map((/** @type {any} */ point) => bar({
        kind: "SHARE", id: null, owner: null, project: null, state: null, peIds: null, start: point.start,
        end: iso(Date.parse(point.start) + step), pes: Math.round(point.utilisation * cluster.pes),
      })).filter((/** @type {Bar} */ each) => each.pes > 0));
    }

    /** @param {Bar[]} next */
    function showBars(next) {
      if (isOver) {
        return;
      }
      bars = next;
      replace(said, areShares && h("p", { class: "note" }, says.tooMuch));
      drawing.show(bars, cluster.pes);
      suppose();
      summarise();
    }

    /** Shows the effects of a tried outage in the plan. */
    function suppose() {
      replace(dashed, supposed && says.supposed);
      if (!supposed) {
        drawing.suppose(null);
        return;
      }
      const { moved, failed } = supposed.effects.named;
      const ghosts = moved.flatMap((/** @type {any} */ each) => each.to.map((/** @type {any} */ part) =>
        bar({ kind: "RESERVATION", id: each.reservation, owner: each.owner, project: null, state: "CONFIRMED", peIds: null, ...part })));
      ghosts.push(bar({ ...supposed.outage, kind: "OUTAGE", owner: null, project: null, state: null, start: supposed.outage.from, end: supposed.outage.to }));
      const [gone, lost] = [moved, failed].map((each) => new Set(each.map((/** @type {any} */ one) => one.reservation)));
      const staying = bars.filter((each) => !gone.has(each.id) && !lost.has(each.id));
      drawing.suppose({ bars: [...staying, ...ghosts], ghosts: new Set(ghosts), failed: lost });
    }

    /** Updates the chart and the table after a pause. */
    function summarise() {
      clearTimeout(later);
      later = setTimeout(() => {
        const visible = bars.filter((each) => each.start < range.to && each.end > range.from);
        const booked = graphed?.show(visible, cluster.pes, range.from, range.to);
        mean.textContent = booked === undefined ? "" : says.mean(booked);
        replace(listed, barsTable(cluster.id, wanted() ? visible.filter(/** @type {any} */ (wanted())) : visible, context));
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
        supposed = effects ? { effects, outage } : null;
        suppose();
      },
      /** Returns the bar of a reservation. @param {string} id */
      find: (id) => known.get(id)?.[0],
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

  /** Shows the clusters in the address, by default the first one. */
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
    outages?.choose(ids);
  }

  function chosen() {
    const ids = [...choices.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value);
    change({ cluster: ids }, { replace: true });
    showClusters();
  }

  /** Shows the moves of the last day with their reasons. */
  async function readMoves() {
    /** @type {any[]} */
    let found = [];
    let isAll = false;
    let back = 4 * DAY;
    // events come oldest first: if there are too many, read a shorter time
    do {
      back /= 4;
      found = [];
      /** @type {string | null} */
      let after = null;
      for (let pages = 0; pages < MOST_PAGES && !isAll && !isOver; pages++) {
        const { body } = await api.get("/events", { from: iso(now() - back), after, limit: 500 });
        found.push(...body.items.filter((/** @type {any} */ each) => each.type === "moved"));
        after = body.next;
        // a page may end before its limit; only an empty one is the end of the events
        isAll = body.items.length === 0;
      }
    } while (!isAll && !isOver && back > MINUTE);
    if (!isOver) {
      replace(moves, back < DAY && h("p", { class: "muted shorter" }, says.movesOf(formatDuration(back / 1000))));
      found.slice(-MOST_MOVES).forEach(addMove);
      nameMoved();
      if (found.length === 0) {
        moves.append(h("p", { class: "muted" }, says.noMoves));
      }
    }
  }

  /** @param {any} event */
  function addMove(event) {
    const { move, placement } = event.data;
    const id = event.reservation.slice(-6);
    const line = h(
      "li",
      { onmouseenter: () => shown.get(event.cluster)?.light(event.reservation), onmouseleave: () => shown.get(event.cluster)?.light(null) },
      `${formatInstant(event.at, zone())}, ${event.cluster}: `,
      account.role === "VIEWER" ? id : h("a", { href: address("reservation", { id: event.reservation }) }, id),
      h("span", { class: "who", "data-cluster": event.cluster, "data-id": event.reservation, "data-start": placement.start }),
      `: ${formatInstant(move.from[0].start, zone())} → ${formatInstant(placement.start, zone())}, ${texts.reasons[move.why]}`,
    );
    let list = moves.querySelector("ul");
    if (!list) {
      list = h("ul");
      replace(moves, moves.querySelector("p.shorter"), list);
    }
    list.prepend(line);
    while (list.children.length > MOST_MOVES) {
      list.lastElementChild?.remove();
    }
  }

  /** Adds the owners to the moves. The events do not have them, but the schedule does. */
  async function nameMoved() {
    for (const who of /** @type {NodeListOf<HTMLElement>} */ (moves.querySelectorAll(".who:empty"))) {
      const { cluster, id, start } = who.dataset;
      const asked = { from: start, to: iso(Date.parse(start ?? "") + 1000) };
      const found = shown.get(cluster ?? "")?.find(id ?? "")
        ?? (await api.get(`/clusters/${cluster}/schedule`, asked).catch(() => null))?.body.placements.find((/** @type {any} */ each) => each.id === id);
      if (isOver) {
        return;
      }
      // the reservation may have moved again
      replace(who, found ? [found.owner, found.project].filter(Boolean).map((word) => [", ", bdi(word)]) : " ");
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
        if (event.type === "moved" && isOperator) {
          addMove(event);
          clearTimeout(naming);
          naming = setTimeout(nameMoved, PATIENT);
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
      outages = planner(context, clusters.map((each) => each.id), (id, effects, outage) => {
        if (effects && !shown.has(id)) {
          change({ cluster: [...shown.keys(), id] }, { replace: true });
        }
        shown.get(id)?.suppose(effects, outage);
      });
      outages.choose([...shown.keys()]);
      replace(tools, outages.node);
    }
    if (isOperator) {
      readMoves().catch(() => replace(moves));
    }
  }, (problem) => replace(plans, failed(problem)));

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
      clearTimeout(naming);
      scheme.removeEventListener("change", showLegend);
      timers.forEach(clearInterval);
      shown.forEach((plan) => plan.end());
    },
  };
}

function legend() {
  const looks = /** @type {const} */ (["running", "confirmed", "held", "job", "ended", "outage"]);
  return h("p", { class: "legend" }, looks.map((look) => h("span", null, swatch(look), says[look])));
}
