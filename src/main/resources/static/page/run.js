// @ts-check
import { accounts } from "./accounts.js";
import { h, replace } from "./dom.js";
import { instances } from "./instances.js";
import { outages } from "./outages.js";
import { room } from "./room.js";
import { rules } from "./rules.js";
import { texts } from "./texts.js";
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
