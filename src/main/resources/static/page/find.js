import { newKey, Problem } from "./api.js";
import { announce, bdi, facts, failed, field, h, momentField, replace, select, table } from "./dom.js";
import { mapLegend, mapOf } from "./map.js";
import { othersText } from "./effects.js";
import { formatMoney } from "./money.js";
import { texts } from "./texts.js";
import { DAY, durationSeconds, formatDuration, formatInstant, formatRange, fromField, HOUR, iso, isoDuration, now, toField } from "./time.js";
import { address, change, params } from "./url.js";

/** The least time between two probes, in milliseconds. */
const PAUSE = 100;
const OFFERS = 6;
const HOLD = "PT5M";
const MINUTE = 60_000;
const AT_ONCE = MINUTE;
/** Session storage key of the held reservation, so that it is shown again after a reload. */
const HELD = "berth.hold";
/** Local storage key of the project that an account chose last; the name of the account follows. */
const PROJECT = "berth.project.";
/** The value of the choice of a label that is no project. */
const OTHER = "=";
const ORDERS = { EARLIEST_START: "soonest", LOWEST_PRICE: "cheapest", BEST_AVAILABILITY: "bestFit" };
const says = texts.find;

/**
 * Shows where a run would fit, and books it there.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, { api, account, zone }) {
  /** @type {any[]} */
  let clusters = [];
  /** @type {ReturnType<typeof mapOf>[]} */
  let maps = [];
  /** @type {any[]} */
  let offers = [];
  /** @type {Change[]} */
  let instead = [];
  /** @type {AbortController | null} */
  let asking = null;
  let asked = 0;
  let waiting = 0;
  let mapFor = "";
  let ticking = 0;
  let isDragged = false;
  let isOver = false;
  let isSending = false;
  /** @type {string[]} */
  let projects = [];
  let order = "EARLIEST_START";
  /** The last request and its idempotency key, for a repetition. */
  let sent = { text: "", key: "" };

  const pes = field(says.pes, h("input", { type: "number", min: 1, step: 1, required: true, name: "pes" }));
  const duration = field(says.duration, h("input", { name: "duration", autocomplete: "off" }), says.durationHint);
  const ready = momentField(says.ready, zone, { name: "ready" });
  const deadline = momentField(says.deadline, zone, { name: "deadline" });
  const cluster = field(says.cluster, select([["", says.anywhere]], "", { name: "cluster" }));
  const budget = field(says.budget, h("input", { inputmode: "decimal", name: "budget", autocomplete: "off" }), says.anyPrice);
  const moldable = h("input", { type: "checkbox", name: "moldable" });
  const minPes = field(says.minPes, h("input", { type: "number", min: 1, name: "minPes" }));
  const preemptible = h("input", { type: "checkbox", name: "preemptible" });
  const maxParts = field(says.maxParts, h("input", { type: "number", min: 2, max: 100, name: "maxParts" }));
  const name = field(says.name, h("input", { name: "name", maxlength: 200 }));
  const project = field(says.project, select([["", says.noProject], [OTHER, says.otherLabel]], "", { name: "project" }));
  const label = field(says.label, h("input", { name: "label", maxlength: 200, autocomplete: "off" }), says.labelHint);
  const maxMoves = field(says.maxMoves, h("input", { type: "number", min: 1, max: 1_000_000, name: "maxMoves" }), says.maxMovesHint);
  const maxShift = field(says.maxShift, h("input", { name: "maxShift", autocomplete: "off" }), says.maxShiftHint);
  const notice = field(says.notice, h("input", { name: "notice", autocomplete: "off" }), says.noticeHint);
  const users = field(says.users, h("input", { name: "users", autocomplete: "off" }), says.usersHint);
  const fields = { "terms.pes": pes, "terms.maxPes": pes, "terms.minPes": minPes, "terms.duration": duration,
    "terms.readyTime": ready, "terms.deadline": deadline, "terms.budget": budget, "terms.preemption.maxParts": maxParts,
    "terms.mobility.maxMoves": maxMoves, "terms.mobility.maxShift": maxShift, "terms.mobility.notice": notice, "terms.fixBefore": notice, name, project: label, users };
  const offered = h("div", { "aria-live": "polite" });
  const savings = h("details", { hidden: true }, h("summary", null, says.savings));
  let savingsFor = "";
  const bounds = h("details", null, h("summary", null, says.bounds), h("p", { class: "muted" }, says.boundsHint),
    maxMoves.node, maxShift.node, notice.node);
  const orders = h("div", { class: "row", role: "group", "aria-label": says.order }, Object.entries(ORDERS).map(([value, word]) =>
    h("button", { type: "button", value, "aria-pressed": value === order, onclick: () => {
      order = value;
      ask();
    } }, says.orders[word])));
  const mapBox = h("div");
  const said = h("div", { "aria-live": "assertive" });
  const heldBox = h("div");
  const form = h(
    "form",
    { class: "panel", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    h("h2", null, says.run),
    pes.node, duration.node, ready.node, deadline.node, bounds, savings, cluster.node, budget.node, name.node, project.node, label.node,
    h(
      "details",
      null,
      h("summary", null, says.more),
      h("label", { class: "choice" }, moldable, says.moldable), minPes.node,
      h("label", { class: "choice" }, preemptible, says.preemptible), maxParts.node,
      users.node,
    ),
  );
  replace(
    root,
    h("h1", null, says.title),
    h(
      "div",
      { class: "columns" },
      form,
      h(
        "div",
        { class: "stack" },
        heldBox,
        said,
        h("section", { class: "panel" }, h("h2", null, says.offers), orders, offered),
        h("section", { class: "panel" }, h("h2", null, says.map), h("p", { class: "muted wide-only" }, says.mapHint), mapBox),
      ),
    ),
  );

  /** Returns the smallest number of PEs that a cluster to choose from lets. */
  function smallest() {
    const allowed = clusters.filter((each) => each.id === (params().get("cluster") ?? each.id));
    return allowed.length ? Math.min(...allowed.map((each) => each.granule ?? 1)) : 1;
  }

  /** Fills the form from the address. */
  function read() {
    const all = params();
    const start = Number(all.get("from")) || now();
    const run = durationSeconds(all.get("duration") ?? "2h") || 7200;
    set(pes.input, all.get("pes") ?? String(smallest()));
    set(duration.input, all.get("duration") ?? "2h");
    set(ready.input, toField(start, zone()));
    set(deadline.input, toField(Number(all.get("to")) || start + Math.max(2 * DAY, 3000 * run), zone()));
    set(cluster.input, all.get("cluster") ?? "");
    set(budget.input, all.get("budget") ?? "");
    moldable.checked = all.has("min");
    set(minPes.input, all.get("min") ?? "1");
    preemptible.checked = all.has("parts");
    set(maxParts.input, all.get("parts") ?? "4");
    set(maxMoves.input, all.get("moves") ?? "");
    set(maxShift.input, all.get("shift") ?? "");
    set(notice.input, all.get("notice") ?? "");
    bounds.open ||= ["moves", "shift", "notice"].some((each) => all.has(each));
    showHints();
  }

  /** Shows the fields, and the hints, that depend on others. */
  function showHints() {
    minPes.node.hidden = !moldable.checked;
    maxParts.node.hidden = !preemptible.checked;
    bounds.hidden = !hasSlack();
    label.node.hidden = project.input.value !== OTHER;
    const written = label.input.value.trim();
    const isRefused = clusters.find((each) => each.id === cluster.input.value)?.policy?.projects === "KNOWN";
    label.hint(isRefused ? says.onlyProjects : written && !projects.includes(written) ? says.noSuchProject(written) : says.labelHint);
    const money = currency();
    budget.hint(money ? says.budgetHint(money) : clusters.length > 0 ? says.budgetNeedsCluster : says.anyPrice);
  }

  /** Whether the window is longer than the run, so that it may be moved. */
  function hasSlack() {
    const begins = Math.max(now(), fromField(ready.input.value, zone()));
    return fromField(deadline.input.value, zone(), true) - begins > durationSeconds(duration.input.value) * 1000;
  }

  /** Returns the label in the form. */
  function chosenProject() {
    return project.input.value === OTHER ? label.input.value.trim() : project.input.value;
  }

  /** @param {HTMLInputElement | HTMLSelectElement} input @param {string} value */
  function set(input, value) {
    if (document.activeElement !== input) {
      input.value = value;
    }
  }

  /** Returns the request in the form, or null if a field shows an error. */
  function wanted() {
    const all = Object.values(fields);
    all.forEach((each) => each.error(""));
    const run = durationSeconds(duration.input.value);
    const [start, end] = [fromField(ready.input.value, zone()), fromField(deadline.input.value, zone(), true)];
    const number = Number(pes.input.value);
    const money = budget.input.value.trim().replace(",", ".");
    const least = Number(minPes.input.value);
    const most = Number(maxParts.input.value);
    const [moves, shift, fixed] = [maxMoves, maxShift, notice].map((each) => hasSlack() ? each.input.value.trim() : "");
    const wrong = [
      /** @type {const} */ ([!(Number.isInteger(number) && number >= 1), pes, says.pesWrong]),
      /** @type {const} */ ([!(run >= 1), duration, says.durationWrong]),
      /** @type {const} */ ([Number.isNaN(start), ready, says.momentWrong]),
      /** @type {const} */ ([Number.isNaN(end), deadline, says.momentWrong]),
      /** @type {const} */ ([start + run * 1000 > end + 59_000, deadline, says.deadlineWrong]),
      /** @type {const} */ ([money !== "" && !currency(), budget, says.budgetNeedsCluster]),
      /** @type {const} */ ([money !== "" && !/^\d+(\.\d{1,6})?$/.test(money), budget, says.budgetWrong]),
      /** @type {const} */ ([moldable.checked && !(Number.isInteger(least) && least >= 1 && least <= number), minPes, says.minWrong]),
      /** @type {const} */ ([preemptible.checked && !(Number.isInteger(most) && most >= 2 && most <= 100), maxParts, says.partsWrong]),
      /** @type {const} */ ([moves !== "" && !(Number.isInteger(Number(moves)) && Number(moves) >= 1), maxMoves, says.maxMovesWrong]),
      /** @type {const} */ ([shift !== "" && !(durationSeconds(shift) >= 0), maxShift, says.durationWrong]),
      /** @type {const} */ ([fixed !== "" && !(durationSeconds(fixed) >= 0), notice, says.durationWrong]),
    ].find(([isWrong]) => isWrong);
    if (wrong) {
      wrong[1].error(wrong[2]);
      return null;
    }
    /** @type {Record<string, unknown>} */
    const terms = { duration: isoDuration(run), deadline: iso(end) };
    if (start > now()) {
      terms.readyTime = iso(start);
    }
    if (moldable.checked) {
      Object.assign(terms, { minPes: least, maxPes: number, moldability: { speedup: "LINEAR" } });
    } else {
      terms.pes = number;
    }
    if (preemptible.checked) {
      terms.preemption = { steps: most, maxParts: most };
    }
    if (money) {
      terms.budget = { amount: money, currency: currency() };
    }
    if (moves || shift || fixed) {
      terms.mobility = {
        ...(moves && { maxMoves: Number(moves) }),
        ...(shift && { maxShift: isoDuration(durationSeconds(shift)) }),
        ...(fixed && { notice: isoDuration(durationSeconds(fixed)) }),
      };
    }
    return { terms, run, start, end, pes: number };
  }

  /** Returns the currency of the chosen cluster or, if none is chosen, the one of all clusters; null if they have several. */
  function currency() {
    const chosen = clusters.filter((each) => each.id === cluster.input.value || !cluster.input.value);
    const all = new Set(chosen.map((each) => each.tariff?.currency).filter(Boolean));
    return all.size === 1 ? [...all][0] : null;
  }

  /** Writes the form into the address, and asks for offers. */
  function written() {
    const [start, end] = [fromField(ready.input.value, zone()), fromField(deadline.input.value, zone(), true)];
    change({
      pes: pes.input.value,
      duration: duration.input.value,
      from: start > now() + MINUTE ? String(start) : null,
      to: Number.isNaN(end) ? null : String(end),
      cluster: cluster.input.value || null,
      budget: budget.input.value || null,
      min: moldable.checked ? minPes.input.value : null,
      parts: preemptible.checked ? maxParts.input.value : null,
      moves: maxMoves.input.value || null,
      shift: maxShift.input.value || null,
      notice: notice.input.value || null,
    }, { replace: true });
    budget.error("");
    showHints();
    ask();
  }

  /** Asks for offers, but not too often. Only the newest response counts. */
  function ask() {
    clearTimeout(waiting);
    waiting = setTimeout(probe, Math.max(0, asked + PAUSE - Date.now()));
  }

  async function probe() {
    const want = wanted();
    asking?.abort();
    orders.querySelectorAll("button").forEach((each) => each.setAttribute("aria-pressed", String(each.value === order)));
    if (!want) {
      // they belong to an earlier request
      offered.querySelectorAll("button").forEach((each) => {
        each.disabled = true;
      });
      return;
    }
    asked = Date.now();
    const own = new AbortController();
    asking = own;
    const where = cluster.input.value ? { clusters: [cluster.input.value] } : {};
    mark(want);
    showSavings(want);
    try {
      const { body } = await api.post(
        "/probes",
        { terms: want.terms, orderBy: order, hold: HOLD, limit: OFFERS, alternatives: true, ...where },
        { signal: own.signal },
      );
      const asAsked = body.slots.some((/** @type {any} */ each) => each.kind !== "ALTERNATIVE");
      const changed = asAsked ? [] : await changes(want, where, own.signal);
      offers = body.slots;
      instead = changed;
      // without batch jobs every place has the same availability
      const best = /** @type {HTMLElement} */ (orders.lastElementChild);
      best.hidden = order !== "BEST_AVAILABILITY" && offers.every((offer) => offer.availability === 1);
      showOffers(want, body.reason);
      mark(want);
      draw(want);
    } catch (problem) {
      if (!own.signal.aborted) {
        offers = instead = [];
        showProblem(problem, offered);
        mark(want);
        draw(want);
      }
    }
  }

  /** Shows what slack saves, for the only cluster or the chosen one. @param {any} want */
  async function showSavings(want) {
    const id = cluster.input.value || (clusters.length === 1 ? clusters[0].id : "");
    const path = `/clusters/${encodeURIComponent(id)}/prices?duration=${isoDuration(want.run)}&pes=${want.pes}`;
    savings.hidden = !id;
    if (!id || path === savingsFor) {
      return;
    }
    savingsFor = path;
    try {
      const { points } = (await api.get(path)).body;
      if (path === savingsFor) {
        const lines = points.map((/** @type {any} */ each) =>
          [formatDuration(each.slack), formatMoney(each.price), formatMoney(each.saved)]);
        replace(savings, h("summary", null, says.savings), table(says.savings, [says.slack, says.price, says.saved], lines),
          h("p", { class: "muted" }, says.savingsHint));
      }
    } catch {
      // such as a cluster of another Berth, or more PEs than it has
      savings.hidden = true;
    }
  }

  /** @param {{start: number, end: number}} want */
  function mark({ start, end }) {
    for (const map of maps) {
      map.mark({ start: Math.max(start, now()), end }, offers.filter((offer) => offer.cluster === map.cluster));
    }
  }

  /**
   * Shows the offers or, if none is as asked, those outside the window together with the changes that would fit, the nearest first.
   * @param {any} want
   * @param {any} [reason] why there are no offers
   */
  function showOffers(want, reason) {
    const asAsked = offers.some((offer) => offer.kind !== "ALTERNATIVE");
    const cards = [
      ...offers.map((offer) => ({ distance: Math.abs(offer.phi ?? 0), node: card(offer, want) })),
      ...instead.map((change) => ({ distance: change.distance, node: changeCard(change) })),
    ];
    if (!asAsked) {
      cards.sort((one, other) => one.distance - other.distance);
    }
    replace(
      offered,
      !asAsked && h("p", null, says.nothing, " ", cards.length > 0 ? says.nearest : reason?.code === "never-fits" ? new Problem(0, reason).message : ""),
      h("div", { class: "offers" }, cards.map(({ node }) => node)),
      offers.some((offer) => offer.chosenByPolicy) && offers.length > 1 && h("p", { class: "muted" }, says.chosen),
    );
  }

  /**
   * @typedef {{text: string, distance: number, act: () => void, offer?: any, price?: any, effects?: any}} Change a change of the form that
   *   would fit; the distance is in run times, or as large a part of the PEs
   */

  /** Returns the changes that would fit. @param {any} fit the figures @param {any} want @returns {(Change & {patch: any})[]} */
  function changesFor(fit, want) {
    const end = fit.deadline && fromField(toField(Date.parse(fit.deadline) + MINUTE, zone()), zone());
    const length = fit.duration && formatDuration(fit.duration);
    return [
      fit.deadline && {
        text: says.laterDeadline(formatInstant(fit.deadline, zone())), distance: (Date.parse(fit.deadline) - want.end) / 1000 / want.run,
        patch: { deadline: iso(end) }, effects: fit.effects.deadline, act: () => {
          deadline.input.value = toField(end, zone());
        },
      },
      fit.pes && {
        text: says.fewerPes(fit.pes), distance: 1 - fit.pes / want.pes, patch: { pes: fit.pes }, effects: fit.effects.pes, act: () => {
          pes.input.value = String(fit.pes);
        },
      },
      fit.duration && {
        text: says.shorter(length), distance: 1 - durationSeconds(fit.duration) / want.run, patch: { duration: isoDuration(durationSeconds(length)) },
        effects: fit.effects.duration, act: () => {
          duration.input.value = length;
        },
      },
    ].filter(Boolean);
  }

  /**
   * Returns the changes with which a refused request would be granted, each with the offer that it would get first.
   * @param {any} want
   * @param {any} where
   * @param {AbortSignal} signal
   * @returns {Promise<Change[]>}
   */
  async function changes(want, where, signal) {
    const refusal = await api.post("/reservations", { terms: want.terms, dryRun: true, ...(cluster.input.value ? { cluster: cluster.input.value } : {}) }, { signal }).then(() => null, (problem) => problem);
    return Promise.all(changesFor(refusal?.document?.wouldFit ?? {}, want).map(async (change) => {
      const terms = { ...want.terms, ...change.patch };
      const probed = await api.post("/probes", { terms, orderBy: order, hold: HOLD, limit: 1, ...where }, { signal }).catch(() => null);
      const offer = probed?.body.slots[0];
      const end = change.patch.deadline ? Date.parse(change.patch.deadline) : want.end;
      return { ...change, offer, price: offer && (byMoving(offer, { ...want, terms, end }) ?? byStaying(offer, { ...want, terms, end })).price };
    }));
  }

  /** Shows a change with the offer that it would get. @param {Change} change */
  function changeCard({ text, act, offer, price, effects }) {
    return h(
      "div",
      { class: "offer" },
      offer && h("p", null, h("strong", null, offer.cluster), h("br"), formatRange(offer.start, offer.end, zone()), h("br"),
        [says.size(offer.pes), othersText(offer.effects)].filter(Boolean).join(" · ")),
      h("p", { class: "row" }, h("button", { type: "button", onclick: () => {
        act();
        written();
      } }, price && [h("span", { class: "big" }, formatMoney(price)), h("br")], [text, !offer && othersText(effects)].filter(Boolean).join(": "),
      h("br"), h("strong", null, says.change))),
    );
  }

  /** Makes an offer: a button for each price. @param {any} offer @param {any} want */
  function card(offer, want) {
    const [moving, staying] = [byMoving(offer, want), byStaying(offer, want)];
    const isOne = !moving || moving.price.amount === staying.price.amount;
    return h(
      "div",
      { class: `offer${offer.chosenByPolicy && offers.length > 1 ? " chosen" : ""}` },
      h("p", null, h("strong", null, offer.cluster), h("br"), formatRange(offer.start, offer.end, zone()), h("br"),
        [
          says.size(offer.pes),
          offer.parts.length > 1 && says.parts(offer.parts.length),
          offer.availability < 1 && says.availability(offer.availability),
          offer.kind === "ALTERNATIVE" && says.alternative,
          othersText(offer.effects),
        ].filter(Boolean).join(" · ")),
      h("p", { class: "row" }, !isOne && choice(offer, moving), choice(offer, staying)),
    );
  }

  /** @param {any} offer @param {Choice} way */
  function choice(offer, way) {
    const isTooDear = way.terms.budget && Number(way.price.amount) > Number(way.terms.budget.amount);
    return h(
      "button",
      { type: "button", disabled: isTooDear, onclick: () => hold(offer, way) },
      h("span", { class: "big" }, formatMoney(way.price)), h("br"),
      placeOf(way.until), h("br"),
      h("strong", null, isTooDear ? says.overBudget : isAtOnce(offer) ? says.takeNow : says.take),
    );
  }

  /** @param {number | null} until the deadline of a run that may move; null: it stays */
  function placeOf(until) {
    return until ? says.mayMove(formatInstant(until, zone())) : says.stays;
  }

  /** A hold must end before its start, so a run that begins at once is booked without one. @param {any} offer */
  function isAtOnce(offer) {
    return Date.parse(offer.start) < now() + AT_ONCE;
  }

  /**
   * @typedef {{price: any, until: number | null, terms: any, start?: string}} Choice a way to book an offer, for its price
   */

  /** Returns when a run ends at the latest, however it is moved. @param {any} placed @param {number} end @param {any} terms */
  function latestEnd(placed, end, terms) {
    const policy = clusters.find((each) => each.id === placed.cluster)?.policy;
    const shifts = [terms.mobility?.maxShift, policy?.maxShift].filter(Boolean).map((each) => Date.parse(placed.end) + durationSeconds(each) * 1000);
    return Math.min(end, ...shifts);
  }

  /** Returns the way to book an offer that leaves the run its window; null if it has none. @param {any} offer @param {any} want @returns {Choice | null} */
  function byMoving(offer, want) {
    const { until, terms } = windowOf(offer, want);
    const hasNoSlack = offer.kind === "ALTERNATIVE" && until <= Date.parse(offer.end);
    return isAtOnce(offer) || hasNoSlack ? null
      : { price: offer.price, until: latestEnd(offer, until, terms), terms: { ...terms, fixAfter: 1 }, start: offer.start };
  }

  /** Returns the window that goes along with an offer: a later or an earlier one than asked for, if it lies outside. @param {any} offer @param {any} want */
  function windowOf(offer, want) {
    return offer.kind === "ALTERNATIVE"
      ? { until: Date.parse(offer.deadline), terms: { ...want.terms, readyTime: offer.start, deadline: offer.deadline } }
      : { until: want.end, terms: want.terms };
  }

  /** Returns the way to book an offer that keeps it in its place. @param {any} offer @param {any} want @returns {Choice} */
  function byStaying(offer, want) {
    const price = offer.fixedPrice ?? offer.price;
    const { deadline: _, readyTime: __, mobility: ___, ...terms } = want.terms;
    if (clusters.find((each) => each.id === offer.cluster)?.tariff?.function === "NETTO_BUYYA_2007") {
      // this price depends on the deadline even if the place is final
      return { price, until: null, terms: { ...windowOf(offer, want).terms, fixAfter: 0 }, start: isAtOnce(offer) ? undefined : offer.start };
    }
    // the start of a run that begins at once is past when the request arrives
    return isAtOnce(offer) ? { price, until: null, terms: { ...terms, deadline: iso(Date.parse(offer.end) + AT_ONCE), fixAfter: 0 } }
      : { price, until: null, terms, start: offer.start };
  }

  /**
   * Shows why a request was rejected, and what would fit.
   * @param {any} problem
   * @param {HTMLElement} place
   */
  function showProblem(problem, place) {
    for (const error of problem.errors ?? []) {
      /** @type {Record<string, typeof pes>} */ (fields)[error.field]?.error(error.message);
    }
    const want = wanted();
    const would = want ? changesFor(problem.document?.wouldFit ?? {}, want) : [];
    replace(
      place,
      failed(problem),
      would.length > 0 && h("p", null, says.instead),
      h("p", { class: "row" }, would.map(give)),
    );
  }

  /** @param {Change} change */
  function give({ text, act, effects }) {
    return h("button", { type: "button", onclick: () => {
      act();
      replace(said);
      written();
    } }, [text, othersText(effects)].filter(Boolean).join(": "));
  }

  /** @param {any} offer @param {Choice} way */
  async function hold(offer, way) {
    const labels = {
      ...(name.input.value.trim() ? { name: name.input.value.trim() } : {}),
      ...(chosenProject() ? { project: chosenProject() } : {}),
      ...(users.input.value.trim() ? { users: users.input.value.trim().split(/[\s,]+/) } : {}),
    };
    const body = { cluster: offer.cluster, terms: way.terms, ...(way.start ? { start: way.start } : {}), ...labels };
    localStorage.setItem(PROJECT + account.name, project.input.value === OTHER ? "" : project.input.value);
    if (!way.start) {
      showAtOnce({ ...labels, cluster: offer.cluster, placement: offer, price: way.price }, body);
      return;
    }
    await sending(async () => {
      const held = await send({ ...body, hold: HOLD });
      const earlier = sessionStorage.getItem(HELD);
      showHeld(held, way.price);
      replace(said);
      if (earlier && earlier !== held.id) {
        // the previous hold, which may be over by now
        await api.post(`/reservations/${earlier}/cancel`, undefined, { key: newKey() }).catch(() => {});
      }
      probe();
    });
  }

  /** Returns everything that the user confirms. @param {any} run a reservation, or what will become one @param {number | null} until */
  function confirmed(run, until) {
    return facts([
      [says.cluster, run.cluster],
      [says.pes, String(run.placement.pes)],
      [says.when, formatRange(run.placement.start, run.placement.end, zone())],
      [says.place, placeOf(until)],
      [says.price, h("strong", null, formatMoney(run.price))],
      [says.name, run.name && bdi(run.name)],
      [says.project, run.project && [bdi(run.project), !projects.includes(run.project) && ` ${says.isNoProject}`]],
    ]);
  }

  /** Reserves. A repetition without a response has the same key. @param {Record<string, unknown>} body */
  async function send(body) {
    const text = JSON.stringify(body);
    if (text !== sent.text) {
      sent = { text, key: newKey() };
    }
    const answer = await api.post("/reservations", body, { key: sent.key });
    sent = { text: "", key: "" };
    return answer.body;
  }

  /** Runs an action that reserves, one at a time. @param {() => Promise<void>} act */
  async function sending(act) {
    if (isSending) {
      return;
    }
    isSending = true;
    const buttons = () => /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll(".offer button, button.first"));
    buttons().forEach((each) => each.setAttribute("aria-disabled", "true"));
    try {
      await act();
    } catch (problem) {
      showProblem(problem, said);
      said.scrollIntoView({ block: "nearest" });
    } finally {
      isSending = false;
      buttons().forEach((each) => each.removeAttribute("aria-disabled"));
    }
  }

  /** @param {any} run @param {any} body the request that books it */
  function showAtOnce(run, body) {
    const confirm = h("button", { type: "button", class: "first", onclick: () => sending(async () => showBooked(await send(body))) }, says.confirm);
    replace(
      said,
      h(
        "section",
        { class: "panel" },
        h("h2", null, says.atOnce),
        confirmed(run, null),
        h("p", { class: "row" }, confirm, h("button", { type: "button", onclick: () => replace(said) }, says.letGo)),
      ),
    );
    confirm.focus();
  }

  /** @param {any} reservation */
  function showBooked(reservation) {
    replace(said, h("p", { class: "note" }, says.confirmed(formatMoney(reservation.price)), " ", h("a", { class: "button", href: address("reservation", { id: reservation.id }) }, says.show)));
    announce(says.confirmed(formatMoney(reservation.price)));
    probe();
  }

  /** @param {any} held @param {any} [offeredFor] the price on the button */
  function showHeld(held, offeredFor = held.price) {
    clearInterval(ticking);
    sessionStorage.setItem(HELD, held.id);
    const left = h("p");
    const confirm = h("button", { type: "button", class: "first", onclick: () => act("confirm") }, says.confirm);
    const letGo = h("button", { type: "button", onclick: () => act("cancel") }, says.letGo);
    replace(
      heldBox,
      h(
        "section",
        { class: "panel" },
        h("h2", null, says.held),
        confirmed(held, held.scenario === "STRICT" || held.fixedAt <= held.createdAt ? null
          : latestEnd({ ...held.placement, cluster: held.cluster }, Date.parse(held.terms.deadline), held.terms)),
        offeredFor.amount !== held.price.amount && h("p", { class: "note" }, says.priceChanged(formatMoney(offeredFor))),
        left,
        h("p", { class: "row" }, confirm, letGo),
      ),
    );
    confirm.focus();
    const tick = () => {
      const seconds = (Date.parse(held.holdExpiresAt) - now()) / 1000;
      left.textContent = seconds > 0 ? says.heldUntil(formatDuration(seconds)) : says.heldOver;
      if (seconds <= 0) {
        clearInterval(ticking);
        sessionStorage.removeItem(HELD);
        confirm.disabled = letGo.disabled = true;
      }
    };
    tick();
    ticking = setInterval(tick, 1000);

    /** @param {string} what */
    function act(what) {
      return sending(async () => {
        const { body } = await api.post(`/reservations/${held.id}/${what}`, undefined, { key: newKey() });
        clearInterval(ticking);
        sessionStorage.removeItem(HELD);
        replace(heldBox);
        if (what === "confirm") {
          showBooked(body);
        } else {
          replace(said);
          probe();
        }
      });
    }
  }

  /** Shows the reservation that this tab held before a reload. */
  async function showKept() {
    const id = sessionStorage.getItem(HELD);
    const kept = id ? (await api.get(`/reservations/${id}`).catch(() => null))?.body : null;
    if (kept?.state === "HELD" && kept.owner === account.name && !isOver) {
      showHeld(kept);
    } else if (!isOver) {
      sessionStorage.removeItem(HELD);
    }
  }

  /** Draws the map again if it has changed, but not while the user drags its window. */
  async function draw(/** @type {{run: number, start: number, end: number}} */ { run, start, end }) {
    const from = Math.max(now(), start - 6 * HOUR);
    const to = Math.max(end + 6 * HOUR, from + 2 * DAY);
    const step = Math.max(HOUR, Math.ceil((to - from) / 200 / HOUR) * HOUR) / 1000;
    const which = `${run} ${Math.round(from / (6 * HOUR))} ${Math.round(to / (6 * HOUR))} ${cluster.input.value}`;
    if (which === mapFor || isDragged) {
      return;
    }
    mapFor = which;
    const where = cluster.input.value ? { clusters: [cluster.input.value] } : {};
    try {
      const { body } = await api.post("/probes/map", {
        duration: isoDuration(run), from: iso(from), to: iso(to), step: isoDuration(step), ...where,
      });
      if (which !== mapFor || isOver) {
        return;
      }
      if (isDragged) {
        mapFor = "";
        return;
      }
      maps.forEach((map) => map.end());
      maps = body.clusters.map((/** @type {any} */ each) => mapOf(each, { onWindow, onCell }, zone));
      const hidden = body.hidden.length > 0 && h("p", { class: "muted" }, says.hidden(body.hidden.join(", ")));
      replace(mapBox, mapLegend(), maps.map((map) => map.node), hidden);
      maps.forEach((map) => map.show(body));
      const want = wanted();
      if (want) {
        mark(want);
      }
    } catch (problem) {
      mapFor = "";
      replace(mapBox, failed(problem));
    }
  }

  /** @param {{start: number, end: number}} window @param {boolean} isDone */
  function onWindow({ start, end }, isDone) {
    isDragged = !isDone;
    ready.input.value = toField(start, zone());
    deadline.input.value = toField(end, zone());
    if (isDone) {
      written();
    } else {
      ask();
    }
  }

  /** @param {number} size @param {number} start */
  function onCell(size, start) {
    const length = fromField(deadline.input.value, zone(), true) - Math.max(now(), fromField(ready.input.value, zone()));
    const run = durationSeconds(duration.input.value) * 1000;
    pes.input.value = String(size);
    ready.input.value = toField(start, zone());
    // keep the width of the window: a movable run costs less
    deadline.input.value = toField(Math.ceil((start + Math.max(length || 0, run + MINUTE)) / MINUTE) * MINUTE, zone());
    written();
  }

  form.addEventListener("input", () => {
    showHints();
    ask();
  });
  form.addEventListener("change", written);
  replace(offered, h("p", { class: "muted" }, says.searching));
  showKept();
  // prices change with the time that is left until the start
  const fresh = setInterval(() => {
    if (!document.hidden && !isDragged && !isSending && offers.length > 0) {
      ask();
    }
  }, MINUTE);
  api.all("/projects", {}, 500).then((all) => {
    const mine = all.filter((each) => account.role !== "CLIENT"
      || each.members.some((/** @type {any} */ member) => member.account === account.name && member.role !== "VIEWER"));
    projects = mine.map((each) => each.id);
    const last = localStorage.getItem(PROJECT + account.name);
    project.input.firstElementChild?.after(...mine.map((each) =>
      h("option", { value: each.id, selected: each.id === last && !project.input.value }, each.name === each.id ? each.id : `${each.name} (${each.id})`)));
    showHints();
  }).catch(() => {});
  api.all("/clusters", {}, 500).then((all) => {
    if (isOver) {
      return;
    }
    clusters = all;
    const chosen = params().get("cluster") ?? "";
    const options = all.map((each) => h("option", { value: each.id, selected: each.id === chosen }, each.pes ? `${each.id} (${says.size(each.pes)})` : each.id));
    cluster.input.append(...options);
    read();
    ask();
  }, (problem) => showProblem(problem, offered));
  read();

  return {
    update() {
      read();
      mapFor = "";
      ask();
    },
    unmount() {
      isOver = true;
      asking?.abort();
      clearTimeout(waiting);
      clearInterval(ticking);
      clearInterval(fresh);
      maps.forEach((map) => map.end());
    },
  };
}
