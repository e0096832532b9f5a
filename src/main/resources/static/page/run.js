import { accounts } from "./accounts.js";
import { bdi, failed, h, replace, table } from "./dom.js";
import { outages } from "./outages.js";
import { room } from "./room.js";
import { rules } from "./rules.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";
import { address, params } from "./url.js";

const TABS = { rules, accounts, outages, room, instances };
const says = texts.run;

/**
 * Lets an administrator run the service: clusters and their rules, accounts, outages, and whom to ask for room.
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
      h("li", null, h("a", { href: address("run", { tab: each, zone: params().get("zone") }), "aria-current": each === tab ? "page" : null }, says.tabs[each])))));
    if (tab !== current) {
      current = tab;
      replace(body);
      TABS[tab](body, context);
    }
  }

  show();
  return {
    update: show,
    /** What has no times keeps what is written there, and a token that is shown once. */
    rezone() {
      if (current === "outages" || current === "room" || current === "instances") {
        current = "";
      }
      show();
    },
  };
}

/**
 * Shows the instances of Berth on one database, and which of them decides.
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
