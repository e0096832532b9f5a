import { formatInstant } from "./time.js";
import { html, Own, Read, Table, useRead, useTicks } from "./ui.js";
import { zone } from "./url.js";

/** @type {Record<string, [word: string, state: string]>} */
const STATES = { ACTIVE: ["active", "RUNNING"], STANDBY: ["standby", "QUEUED"], LEAVING: ["leaving", "FAILED"] };

/** The instances of Berth on one database. @param {{context: import("./main.js").Context}} its */
export function Instances({ context: { api } }) {
  const ticks = useTicks();
  const read = useRead(api, async (api) => (await api.get("/instances")).body.items, [ticks]);
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Process", cell: (row) => html`<${Own}>${row.name}<//>` },
    { head: "State", cell: (row) => html`<span class=${`state state-${STATES[row.state]?.[1]}`}>${STATES[row.state]?.[0] ?? row.state}</span>` },
    { head: "Reached at", cell: (row) => html`<${Own}>${row.url}<//>` },
    { head: "Release", cell: (row) => html`<${Own}>${row.berth}<//>` },
    { head: "Started", cell: (row) => html`<span class="nowrap">${formatInstant(row.startedAt, zone())}</span>` },
    { head: "Last heartbeat", cell: (row) => html`<span class="nowrap">${formatInstant(row.heardAt, zone())}</span>` },
  ];
  return html`
    <section class="panel">
      <h2>Instances</h2>
      <p class="muted">The Berth processes on this database. The active one decides. The others forward calls to it, and one of them takes over when it ends.</p>
      <${Read} read=${read}>${(/** @type {any[]} */ rows) => html`<${Table} caption="Instances" rows=${rows} keyOf=${(/** @type {any} */ row) => row.name} columns=${columns} />`}<//>
    </section>`;
}
