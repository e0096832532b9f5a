import { announce, failed, field, h, replace, select, table } from "./dom.js";
import { effects } from "./effects.js";
import { patchTo, read as pairsOf, written } from "./pairs.js";
import { texts } from "./texts.js";
import { change, params } from "./url.js";

const says = texts.run;

/** The values of rules that are words. */
/** @type {Record<string, string[]>} */
const WORDS = {
  binding: ["LATE", "EARLY"],
  admission: ["OPEN", "CLOSED"],
  "policy.placement": ["FIRST_FIT", "PE_BEST_FIT", "PE_WORST_FIT", "DURATION_BEST_FIT", "DURATION_WORST_FIT", "PE_DURATION_BEST_FIT", "PE_DURATION_WORST_FIT"],
  "policy.replanOrder": ["FIFO", "SHUFFLE", "BIGGEST_JOB_FIRST", "LEAST_FLEXIBLE_FIRST", "EARLIEST_DEADLINE_FIRST", "MISSING_DEADLINE_FIRST"],
  "policy.juggling": ["NEVER", "ON_CONFLICT", "ALWAYS", "LEAST_MOVES"],
  "policy.reshaping": ["ALWAYS", "WHERE_NEEDED"],
  "policy.pullForward": ["false", "true"],
  "policy.availability": ["WHAT_IF", "LOAD"],
  "policy.jobs": ["OPEN", "CLOSED", "OUTSIDE"],
  "policy.visibility": ["PROBES", "MAP", "BUSY", "NAMES"],
  "policy.projects": ["ANY", "KNOWN"],
  "policy.enforcement": ["NONE", "REPORTED", "REQUIRED"],
  "intake.order": ["ARRIVAL", "DPSAR"],
  "tariff.function": ["BERTH", "NETTO_BUYYA_2007"],
};

/** Every rule, by its name in the API, with its default. */
/** @type {[name: string, standard: string][]} */
const RULES = [
  ["pes", ""], ["rating", "1"], ["labels", ""], ["binding", "LATE"], ["admission", "OPEN"],
  ["policy.placement", "FIRST_FIT"], ["policy.replanOrder", "EARLIEST_DEADLINE_FIRST"], ["policy.juggling", "LEAST_MOVES"],
  ["policy.reshaping", "ALWAYS"], ["policy.pullForward", "false"], ["policy.maxMoves", "64"],
  ["policy.maxMovesPerReservation", "3"], ["policy.maxShift", ""], ["policy.moveRebate", "0"], ["policy.horizon", "P90D"], ["policy.defaultSlack", ""],
  ["policy.notice", "PT15M"], ["policy.claimWithin", ""], ["policy.alternativesMaxPhi", "1000"], ["policy.availability", "WHAT_IF"],
  ["policy.makespanWeight", "0.5"], ["policy.minAvailability", "0.95"], ["policy.maxSlots", "20"], ["policy.minSlotGap", "PT15M"],
  ["policy.jobs", "OPEN"], ["policy.visibility", "MAP"], ["policy.projects", "ANY"], ["policy.enforcement", "NONE"],
  ["policy.limits.leadTime", "PT0S"], ["policy.limits.maxDuration", ""], ["policy.limits.reservableShare", "1"],
  ["policy.limits.advanceShare", "1"], ["policy.limits.maxHold", "PT15M"], ["policy.limits.maxJobDuration", "P1D"],
  ["intake.order", "ARRIVAL"], ["intake.window", "PT0S"], ["intake.levels", "10"], ["intake.jobsPerUser", "3"],
  ["tariff.function", "BERTH"], ["tariff.currency", "USD"], ["tariff.pricePerPeHour", "1.00"], ["tariff.premiumFactor", "3"],
  ["tariff.flexibilityDiscount", "0.2"], ["tariff.latenessDiscount", "0.2"], ["tariff.latenessScale", "5"],
  ["tariff.preemptionIncentive", "0.1"], ["tariff.shapeDiscount", "0.1"], ["tariff.renegotiationSurcharge", "0.1"],
  ["tariff.breachCredit", "1"], ["tariff.cancellation.freeUntil", "PT0S"], ["tariff.cancellation.share", "0"], ["tariff.returnShare", "0"],
  ["tariff.flexibilityScale", ""], ["tariff.loadProfile", ""],
];
/** Rules that are written as pairs. */
const PAIRS = ["labels", "tariff.loadProfile"];
/** Rules that are texts in the API, even if they look like numbers. */
const TEXTS = ["tariff.pricePerPeHour", "tariff.currency"];

/**
 * Shows the rules of a cluster with their defaults. A change can be tried first.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 */
export function rules(root, { api, zone }) {
  /** @type {{body: any, etag: string | null} | null} */
  let present = null;
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  const inputs = new Map();
  const choice = field(says.cluster, h("select", { name: "cluster" }));
  const box = h("div");
  const said = h("div", { "aria-live": "polite" });
  const id = field(says.id, h("input", { name: "new-id", autocomplete: "off" }));
  const pes = field(says.pes, h("input", { name: "new-pes", type: "number", min: 1, value: "64" }));
  const created = h("div", { "aria-live": "polite" });
  replace(
    root,
    h("section", { class: "panel" }, choice.node, box),
    h("form", { class: "panel", onsubmit: create }, h("h2", null, says.add), h("div", { class: "row" }, id.node, pes.node), h("button", null, says.create), created),
  );
  choice.input.addEventListener("change", () => {
    change({ cluster: choice.input.value });
    read();
  });

  /** @param {any} cluster @param {string} name */
  function at(cluster, name) {
    return name.split(".").reduce((each, key) => each?.[key], cluster);
  }

  /** @param {any} cluster @param {string} name */
  function value(cluster, name) {
    const found = at(cluster, name);
    if (PAIRS.includes(name)) {
      return written(Array.isArray(found) ? found.map(({ above, factor }) => [above, factor]) : Object.entries(found ?? {}));
    }
    return found === null || found === undefined ? "" : String(found);
  }

  async function list() {
    const all = await api.all("/clusters", {}, 500);
    const wanted = params().get("cluster") ?? all[0]?.id;
    replace(choice.input, all.map((each) => h("option", { value: each.id, selected: each.id === wanted }, each.id)));
    await read();
  }

  async function read() {
    present = await api.get(`/clusters/${choice.input.value}`);
    show();
  }

  function show() {
    const cluster = present?.body;
    inputs.clear();
    replace(said);
    if (cluster.peer) {
      replace(box, h("p", { class: "note" }, says.elsewhere));
      return;
    }
    replace(
      box,
      table(says.tabs.rules, [says.rule, says.value, says.standard], RULES.map(([name, standard]) => {
        const now = value(cluster, name);
        const input = WORDS[name]
          ? select(WORDS[name].map((each) => [each, each]), now, { "aria-label": name })
          : h("input", { value: now, "aria-label": name, autocomplete: "off" });
        inputs.set(name, input);
        return [h("code", null, name), input, h("span", { class: now === standard || standard === "" ? "muted" : "" }, standard || "–")];
      })),
      h("p", { class: "row" },
        h("button", { type: "button", onclick: () => send(true) }, says.preview),
        h("button", { type: "button", class: "first", onclick: () => send(false) }, says.save)),
      said,
    );
  }

  /** Returns the edited values. */
  function edited() {
    return [...inputs].map(([name, input]) => /** @type {const} */ ([name, input.value.trim()]))
      .filter(([name, text]) => text !== value(present?.body, name));
  }

  /** Returns the edited values as a merge patch, or null if there are none. */
  function patch() {
    /** @type {Record<string, any>} */
    const all = {};
    for (const [name, text] of edited()) {
      const keys = name.split(".");
      const last = /** @type {string} */ (keys.pop());
      const place = keys.reduce((each, key) => (each[key] ??= {}), all);
      const pairs = pairsOf(text) ?? [];
      if (name === "labels") {
        place[last] = patchTo(present?.body.labels, pairs);
        continue;
      }
      if (name === "tariff.loadProfile") {
        place[last] = text === "" ? null : pairs.map(([above, factor]) => ({ above: Number(above), factor: Number(factor) }));
        continue;
      }
      const isPlain = TEXTS.includes(name) || Number.isNaN(Number(text));
      place[last] = text === "" ? null : text === "true" || text === "false" ? text === "true" : isPlain ? text : Number(text);
    }
    return Object.keys(all).length > 0 ? all : null;
  }

  /** @param {boolean} isTried */
  async function send(isTried) {
    inputs.forEach((input) => input.removeAttribute("aria-invalid"));
    const wrong = edited().find(([name, text]) => PAIRS.includes(name) && !pairsOf(text));
    if (wrong) {
      inputs.get(wrong[0])?.setAttribute("aria-invalid", "true");
      replace(said, failed(says.pairsWrong(wrong[0])));
      return;
    }
    const wanted = patch();
    if (!wanted || !present) {
      replace(said, h("p", { class: "muted" }, says.unchanged));
      return;
    }
    try {
      const answer = await api.patch(`/clusters/${present.body.id}${isTried ? "?dryRun=true" : ""}`, wanted, { ifMatch: present.etag });
      if (isTried) {
        replace(said, effects(answer.body.effects, zone()));
        return;
      }
      present = answer;
      show();
      replace(said, h("p", { class: "note" }, says.saved));
      announce(says.saved);
    } catch (problem) {
      const refused = /** @type {any} */ (problem);
      if (refused.code === "stale-version") {
        const own = edited();
        await read();
        own.forEach(([name, text]) => {
          const input = inputs.get(name);
          if (input) {
            input.value = text;
          }
        });
        replace(said, failed(says.stale));
        return;
      }
      refused.errors?.forEach((/** @type {any} */ error) => inputs.get(error.field)?.setAttribute("aria-invalid", "true"));
      replace(said, failed(refused));
    }
  }

  /** @param {Event} event */
  async function create(event) {
    event.preventDefault();
    [id, pes].forEach((each) => each.error(""));
    try {
      const { body } = await api.post("/clusters", { id: id.input.value.trim(), pes: Number(pes.input.value) });
      replace(created, h("p", { class: "note" }, says.created(body.id)));
      id.input.value = "";
      await list();
    } catch (problem) {
      const refused = /** @type {any} */ (problem);
      refused.errors?.forEach((/** @type {any} */ error) => (error.field === "pes" ? pes : id).error(error.message));
      replace(created, failed(refused));
    }
  }

  list().catch((problem) => replace(box, failed(problem)));
}
