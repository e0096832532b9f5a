import { accounts } from "./accounts.js";
import { newKey } from "./api.js";
import { bdi, failed, field, h, momentField, replace, table } from "./dom.js";
import { outages } from "./outages.js";
import { rules } from "./rules.js";
import { texts } from "./texts.js";
import { DAY, durationSeconds, formatInstant, fromField, iso, isoDuration, now, toField } from "./time.js";
import { address, params } from "./url.js";

const TABS = { rules, accounts, outages, room, instances };
const says = texts.run;

/**
 * Shows the administrator's views: rules, accounts, outages, instances and room for a request.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 * @returns {import("./main.js").View}
 */
export function mount(root, context) {
  const tabs = h("nav", { "aria-label": says.title });
  const body = h("div");
  let current = "";
  replace(root, h("h1", null, says.title), tabs, h("p"), body);

  function show() {
    const asked = params().get("tab") ?? "rules";
    const tab = /** @type {keyof typeof TABS} */ (asked in TABS ? asked : "rules");
    replace(tabs, h("ul", null, Object.keys(TABS).map((each) =>
      h("li", null, h("a", { href: address("admin", { tab: each, zone: params().get("zone") }), "aria-current": each === tab ? "page" : null }, says.tabs[each])))));
    if (tab !== current) {
      current = tab;
      replace(body);
      TABS[tab](body, context);
    }
  }

  show();
  return {
    update: show,
    /** Mounts only tabs with times again; the others keep their input, and a token that appears once. */
    rezone() {
      if (current === "outages" || current === "room" || current === "instances") {
        current = "";
      }
      show();
    },
  };
}

/**
 * Shows the instances of Berth on one database and their states.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 */
function instances(root, { api, zone }) {
  const list = h("div");
  const button = h("button", { type: "button", onclick: read }, says.again);
  replace(root, h("section", { class: "panel" }, h("h2", null, says.instances), h("p", { class: "muted" }, says.instancesHint), list, button));

  async function read() {
    try {
      const { body } = await api.get("/instances");
      replace(list, table(says.instances, [says.instance, says.does, says.reachedAt, says.release, says.startedAt, says.heardAt], body.items.map(line)));
    } catch (problem) {
      replace(list, failed(problem));
    }
  }

  /** @param {any} instance */
  function line(instance) {
    return [
      bdi(instance.name),
      says.states[instance.state] ?? instance.state,
      bdi(instance.url),
      bdi(instance.berth),
      formatInstant(instance.startedAt, zone()),
      formatInstant(instance.heardAt, zone()),
    ];
  }

  read();
}

/**
 * Finds reservations whose later deadline would make room for a request, and proposes it to their owners.
 * @param {HTMLElement} root
 * @param {import("./main.js").Context} context
 */
function room(root, { api, zone }) {
  const choice = field(says.cluster, h("select", { name: "cluster" }));
  const pes = field(says.pes, h("input", { type: "number", min: 1, value: "8", name: "pes" }));
  const duration = field(texts.find.duration, h("input", { value: "2h", name: "duration" }), texts.find.durationHint);
  const deadline = momentField(texts.find.deadline, zone, { value: toField(now() + DAY, zone()), name: "deadline" });
  const incentive = field(says.incentive, h("input", { value: "1.00", inputmode: "decimal", name: "incentive" }));
  const fields = /** @type {Record<string, typeof pes>} */ ({ "terms.pes": pes, "terms.duration": duration, "terms.deadline": deadline });
  const found = h("div", { "aria-live": "polite" });
  /** @type {any[]} */
  let clusters = [];
  replace(
    root,
    h("form", { class: "panel", onsubmit: find }, h("h2", null, says.room), h("p", { class: "muted" }, says.roomHint),
      h("div", { class: "row" }, choice.node, pes.node, duration.node, deadline.node, incentive.node),
      h("button", { class: "first" }, says.find)),
    found,
  );

  /** @param {Event} event */
  async function find(event) {
    event.preventDefault();
    Object.values(fields).forEach((each) => each.error(""));
    const [length, end] = [durationSeconds(duration.input.value), fromField(deadline.input.value, zone(), true)];
    if (!(length > 0) || Number.isNaN(end)) {
      (length > 0 ? deadline : duration).error(length > 0 ? texts.find.momentWrong : texts.find.durationWrong);
      return;
    }
    try {
      const terms = { pes: Number(pes.input.value), duration: isoDuration(length), deadline: iso(end) };
      const { body } = await api.post(`/clusters/${choice.input.value}/room`, { terms });
      replace(found, h("section", { class: "panel" },
        body.fits && h("p", null, says.fits),
        !body.fits && body.candidates.length === 0 && h("p", null, says.nobody),
        body.candidates.length > 0 && table(says.room, [says.reservation, says.newDeadline, says.phi, says.actions], body.candidates.map(line)),
        body.truncated && h("p", { class: "muted" }, says.more)));
    } catch (problem) {
      refused(problem);
    }
  }

  /** @param {any} problem */
  function refused(problem) {
    problem.errors?.forEach((/** @type {any} */ error) => fields[error.field]?.error(error.message));
    replace(found, failed(problem));
  }

  /** @param {any} candidate */
  function line(candidate) {
    const said = h("span", { "aria-live": "polite" });
    const propose = h("button", { type: "button", onclick: async () => {
      const currency = clusters.find((each) => each.id === choice.input.value)?.tariff?.currency ?? "USD";
      try {
        await api.post(`/reservations/${candidate.reservation}/renegotiations`, {
          terms: { deadline: candidate.deadline },
          incentive: { amount: incentive.input.value.trim(), currency },
          expiresAt: iso(now() + DAY / 24),
        }, { key: newKey() });
        replace(said, ` ${says.proposed}`);
        propose.disabled = true;
      } catch (problem) {
        replace(said, h("span", { class: "problem" }, String(/** @type {any} */ (problem).message)));
      }
    } }, says.propose);
    return [
      h("a", { href: address("reservation", { id: candidate.reservation }) }, candidate.reservation),
      formatInstant(candidate.deadline, zone()),
      String(candidate.phi),
      h("span", null, propose, said),
    ];
  }

  api.all("/clusters", {}, 500).then((all) => {
    clusters = all.filter((each) => !each.peer);
    replace(choice.input, clusters.map((each) => h("option", { value: each.id }, each.id)));
  }).catch(refused);
}
