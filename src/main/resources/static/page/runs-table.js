import { formatMoney } from "./money.js";
import { endOf, endText, Left, Link, nameOf, pesOf, ProjectName, sizeOf, startOf, State } from "./runs.js";
import { texts } from "./texts.js";
import { formatInstant } from "./time.js";
import { html, Named, Own, Table } from "./ui.js";
import { zone } from "./url.js";

/** The columns that would be the same or empty in each line of a table. @type {Record<string, string[]>} */
const HIDDEN = { running: ["State"], next: ["State"], ended: ["Time"], filed: ["Project"] };

/**
 * A table of reservations.
 * @param {{
 *   caption: string, rows: any[], clusters: Map<string, any>, isAdministrator: boolean, name?: string, tools?: any, empty?: any,
 *   act?: any, context?: import("./main.js").Context, people?: Map<string, string | undefined> | null,
 * }} its people: the names of people by account; isAdministrator: adds a column of owners; act: a component for the last column
 */
export function Runs({ caption, rows, clusters, isAdministrator, name, tools, empty, act, context, people }) {
  const time = (/** @type {number} */ moment) => (moment === Infinity ? 0 : moment);
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Reservation", cell: (each) => html`<${Link} each=${each} />`, by: (each) => `${nameOf(each)} ${each.id}` },
    { head: "Project", cell: (each) => html`<${ProjectName} id=${each.project} />`, by: (each) => each.project ?? "" },
    { head: "Owner", cell: (each) => html`<${Own}>${each.owner}<//> <${Named} name=${people?.get(each.owner)} />`, by: (each) => `${each.owner} ${people?.get(each.owner) ?? ""}` },
    { head: "State", cell: (each) => html`<${State} state=${each.state} />`, by: (each) => texts.states[each.state] },
    { head: "Cluster", cell: (each) => html`<span class="nowrap">${each.cluster}</span>`, by: (each) => each.cluster ?? "" },
    { head: "Start", cell: (each) => each.placement && html`<span class="nowrap">${formatInstant(each.placement.start, zone())}</span>`, by: (each) => time(startOf(each)) },
    { head: "End", cell: (each) => each.placement && html`<span class="nowrap">${endText(each)}</span>`, by: (each) => time(endOf(each)) },
    { head: "Time", cell: (each) => html`<${Left} each=${each} />` },
    { head: "Size", cell: (each) => html`<span class="nowrap">${sizeOf(each, clusters)}</span>`, by: pesOf, isNumber: true },
    { head: "Price", cell: (each) => html`<span class="nowrap">${formatMoney(each.price)}</span>`, by: (each) => Number(each.price?.amount ?? 0), isNumber: true },
    { head: "Actions", cell: (each) => html`<${act} each=${each} context=${context} />` },
  ];
  return html`
    <${Table} caption=${caption} rows=${rows} keyOf=${(/** @type {any} */ each) => each.id} name=${name} search=${name && "Search"} tools=${tools} empty=${empty}
      columns=${columns.filter(({ head }) => (head !== "Owner" || isAdministrator) && (head !== "Actions" || act) && !(HIDDEN[name ?? ""] ?? []).includes(head))} />`;
}
