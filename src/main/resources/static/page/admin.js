import { useSignal } from "@preact/signals";
import { Accounts } from "./admin-accounts.js";
import { Clusters } from "./admin-clusters.js";
import { Instances } from "./admin-instances.js";
import { Outages } from "./admin-outages.js";
import { Projects } from "./admin-projects.js";
import { Room } from "./admin-room.js";
import { Rules } from "./admin-rules.js";
import { Webhooks } from "./admin-webhooks.js";
import { html, Secret, Tabs } from "./ui.js";
import { params } from "./url.js";

/** @type {Record<string, [title: string, tab: any]>} */
const TABS = {
  clusters: ["Clusters", Clusters],
  rules: ["Rules", Rules],
  accounts: ["Accounts", Accounts],
  projects: ["Projects", Projects],
  outages: ["Outages", Outages],
  webhooks: ["Webhooks", Webhooks],
  room: ["Make room", Room],
  instances: ["Instances", Instances],
};

/**
 * What administrators set up. A secret stays, whatever tab is opened, until it is closed.
 * @param {{context: import("./main.js").Context}} its
 */
export function View({ context }) {
  const asked = params().get("tab") ?? "";
  const tab = Object.hasOwn(TABS, asked) ? asked : "clusters";
  const secrets = useSignal(/** @type {{label: string, hint: string, value: string}[]} */ ([]));
  const show = (/** @type {{label: string, hint: string, value: string}} */ secret) => {
    secrets.value = [secret, ...secrets.peek().filter((each) => each.label !== secret.label)];
  };
  const close = (/** @type {any} */ secret) => () => {
    secrets.value = secrets.peek().filter((each) => each !== secret);
  };
  return html`
    <h1>Admin</h1>
    <${Tabs} name="tab" label="Administration" tabs=${Object.entries(TABS).map(([name, [title]]) => [name, title])} value=${tab} />
    <div aria-live="polite">${secrets.value.map((each) => html`<${Secret} key=${each.value} ...${each} close=${close(each)} />`)}</div>
    <${TABS[tab][1]} key=${tab} context=${context} showSecret=${show} />`;
}
