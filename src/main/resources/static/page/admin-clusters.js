import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatMoney } from "./money.js";
import { namesIn } from "./hostlist.js";
import { VISIBILITIES } from "./rules.js";
import { DAY, iso, now } from "./time.js";
import { Choices, Confirmed, Empty, Field, html, Icon, Menu, Pick, Read, Refused, Table, Tick, useChange, useForm, useRead } from "./ui.js";
import { counted } from "./units.js";
import { address, change, params } from "./url.js";

/** @type {[string, string][]} */
const BOOKERS = [["ANY", "every client"], ["KNOWN", "every client; labels must be projects"], ["CLOSED", "nobody yet"]];

/**
 * Returns all clusters, by their names.
 * @param {import("./api.js").Api} api
 * @param {boolean} [withRetired]
 */
export async function clustersBy(api, withRetired = false) {
  return (await api.all("/clusters", { retired: withRetired ? "true" : null }, 500)).sort((one, other) => one.id.localeCompare(other.id));
}

/** What a tab shows while there is no cluster. */
export function NoCluster() {
  return html`<${Empty} text="There is no cluster yet."><a class="button" href=${address("admin", { "new-cluster": "1" })}>New cluster</a><//>`;
}

/** The clusters, with their state, price and load. @param {{context: import("./main.js").Context}} its */
export function Clusters({ context: { api } }) {
  const made = useSignal("");
  const [isNew, isAll] = ["new-cluster", "retired"].map((each) => params().has(each));
  const read = useRead(api, async (api) => {
    const from = now();
    const [all, load] = await Promise.all([
      clustersBy(api, isAll),
      api.get("/utilisation", { from: iso(from), to: iso(from + DAY), step: "P1D" }).then(({ body }) => body, () => null),
    ]);
    const booked = new Map(load?.clusters.map((/** @type {any} */ each) => [each.cluster, each.mean]));
    return all.map((each) => ({ ...each, booked: booked.get(each.id) }));
  }, [isAll]);
  const setting = useChange();
  const admit = (/** @type {any} */ cluster, /** @type {string} */ admission) => setting.run(async () => {
    await api.patch(`/clusters/${cluster.id}`, { admission });
    read.again();
  });
  const remove = (/** @type {string} */ id) => setting.run(async () => {
    await api.del(`/clusters/${id}`);
    read.again();
  });
  const open = () => {
    made.value = "";
    change({ "new-cluster": "1" });
  };
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Cluster", by: (row) => row.id, cell: (row) => html`<a href=${address("admin", { tab: "rules", cluster: row.id })}>${row.id}</a>` },
    { head: "Size", isNumber: true, by: (row) => row.pes ?? 0, cell: (row) => row.pes && counted(row.pes, row.unit) },
    { head: "Nodes", by: (row) => row.peNames ?? "", cell: nodesOf },
    { head: "State", by: stateOf, cell: (row) => html`<span class=${`state state-${row.admission === "CLOSED" ? "HELD" : row.admission === "RETIRED" ? "CANCELLED" : "RUNNING"}`}>${stateOf(row)}</span>` },
    { head: "Price per hour", isNumber: true, by: (row) => Number(row.tariff?.pricePerPeHour ?? 0), cell: (row) => priceOf(row) },
    { head: "Next 24 h", by: (row) => row.booked ?? 0, cell: (row) => row.booked === undefined ? "" : html`
      <div class="unit"><meter class="share" value=${row.booked} aria-label=${`Booked of ${row.id}`}></meter><span class="nowrap">${Math.round(row.booked * 100)} %</span></div>` },
    { head: "Actions", cell: (row) => html`<span class="row">
      ${!row.peer && html`<a href=${address("admin", { tab: "outages", cluster: row.id })}>Outages</a> <a href=${address("timeline", { cluster: row.id })}>Timeline</a>`}
      <${Menu} label=${`More for ${row.id}`}>${row.peer
        ? html`<${Confirmed} class="harm" question=${`Remove ${row.id} from this Berth? The other Berth keeps it.`} yes="Remove" act=${() => remove(row.id)}>Remove<//>`
        : html`
          ${row.admission !== "OPEN" && html`<button type="button" onclick=${() => admit(row, "OPEN")}>Open for bookings</button>`}
          ${row.admission === "OPEN" && html`<${Confirmed} question=${`Close ${row.id} for new bookings? It keeps those that it has.`} yes="Close" act=${() => admit(row, "CLOSED")}>Close for new bookings<//>`}
          ${row.admission !== "RETIRED" && html`<${Confirmed} class="harm" question=${`Retire ${row.id}? No list has it any more; its history stays, and it can be opened again.`} yes="Retire" act=${() => admit(row, "RETIRED")}>Retire<//>`}`}
      <//>
    </span>` },
  ];
  const button = html`<button type="button" class="first" onclick=${open}><${Icon} name="plus" />New cluster</button>`;
  return html`
    ${made.value && html`<p class="note" role="status">${made.value} is made. <a href=${address("admin", { tab: "rules", cluster: made.value })}>Set its other rules</a> or <a href=${address("timeline", { cluster: made.value })}>see its timeline</a>.</p>`}
    ${isNew && html`<${NewCluster} api=${api} others=${read.data ?? []} done=${(/** @type {string} */ id) => {
      change({ "new-cluster": null }, { replace: true });
      made.value = id;
      read.again();
    }} />`}
    <section class="panel">
      <${Refused} why=${setting.problem} beside=${["admission"]} />
      <${Read} read=${read}>${(/** @type {any[]} */ rows) => html`<${Table} caption="Clusters" name="clusters" search="Search" rows=${rows} keyOf=${(/** @type {any} */ row) => row.id} columns=${columns}
        tools=${html`${!isNew && button}<${Tick} checked=${isAll} onchange=${(/** @type {boolean} */ isOn) => change({ retired: isOn ? "1" : null }, { replace: true })}>Also retired ones<//>`}
        empty=${html`<${Empty} text="There is no cluster yet. A cluster is a set of equal nodes whose GPUs or cores people book." />`} />`}<//>
    </section>`;
}

/** @param {any} cluster */
function nodesOf({ pes, granule = 1, peNames, peer }) {
  return peer ? "" : html`<span>${granule > 1 && `${pes / granule} × ${granule} `}${peNames && html`<code>${peNames.length > 60 ? `${peNames.slice(0, 60)}…` : peNames}</code>`}</span>`;
}

/** @param {any} cluster */
function stateOf({ admission, peer }) {
  return peer ? "at another Berth" : admission === "CLOSED" ? "closed" : admission === "RETIRED" ? "retired" : "open";
}

/** @param {any} cluster */
function priceOf({ tariff, unit = "PE" }) {
  return tariff && html`<span class="nowrap">${formatMoney({ amount: tariff.pricePerPeHour, currency: tariff.currency })} <span class="muted">per ${unit}</span></span>`;
}

const FIELDS = ["id", "unit", "pes", "granule", "peNames", "tariff.pricePerPeHour", "tariff.currency"];

/**
 * The form for a new cluster, which says in words what will be made.
 * @param {{api: import("./api.js").Api, others: any[], done: (id: string) => void}} its
 */
function NewCluster({ api, others, done }) {
  const form = useForm({
    id: "", unit: "GPU", nodes: "16", each: "8", takes: "nodes", names: /** @type {string | null} */ (null),
    price: "1.00", currency: others.find((each) => each.tariff)?.tariff.currency ?? "EUR", visibility: "BUSY", bookers: "ANY",
  });
  const making = useChange();
  const box = useRef(/** @type {any} */ (null));
  const wanted = form.values;
  const [nodes, each] = [Number(wanted.nodes), Number(wanted.each)];
  const unit = wanted.unit.trim() || "PE";
  const id = wanted.id.trim();
  const isWhole = wanted.takes === "nodes" || each === 1;
  const names = wanted.names ?? suggested(id, nodes);
  const error = (/** @type {string} */ name, /** @type {string} */ field) => form.errors[name] || making.error(field);

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    making.refuse(null);
    const isCount = (/** @type {number} */ number) => Number.isInteger(number) && number >= 1;
    const listed = namesIn(names);
    const isRight = form.check({
      id: !/^[a-z0-9][a-z0-9-]{0,62}$/.test(id) && "Small letters, digits and hyphens, such as hopper or gpu-2.",
      unit: !/^[A-Za-z]{1,16}$/.test(unit) && "One word of letters, such as GPU or core.",
      nodes: !isCount(nodes) && "A whole number, at least 1.",
      each: !isCount(each) && "A whole number, at least 1.",
      names: isWhole && Boolean(names) && (!listed ? "Write a list such as hop[01-16] or a,b,c."
        : isCount(nodes) && listed.length !== nodes && `These are ${listed.length} names, but there are ${nodes} nodes.`),
      price: !/^\d{1,7}([.,]\d{1,6})?$/.test(wanted.price.trim()) && "An amount such as 1.76.",
      currency: !/^[A-Z]{3}$/.test(wanted.currency.trim().toUpperCase()) && "Three letters, such as EUR or USD.",
    });
    if (isRight && await making.run(() => api.post("/clusters", {
      id, pes: nodes * each,
      ...(unit !== "PE" && { unit }),
      ...(isWhole && each > 1 && { granule: each }),
      ...(isWhole && names && { peNames: names.replace(/\s/g, "") }),
      ...(wanted.bookers === "CLOSED" && { admission: "CLOSED" }),
      policy: { visibility: wanted.visibility, ...(wanted.bookers === "KNOWN" && { projects: "KNOWN" }) },
      tariff: { pricePerPeHour: wanted.price.trim().replace(",", "."), currency: wanted.currency.trim().toUpperCase() },
    }, { isOnce: true }))) {
      done(id);
    }
  };

  useEffect(() => box.current.querySelector("input").focus(), []);
  return html`
    <form class="panel" onsubmit=${submit} ref=${box}>
      <h2>New cluster</h2>
      <div class="fields">
        <${Field} label="Name" hint="Never changes. It is part of addresses." error=${error("id", "id")}><input autocomplete="off" ...${form.of("id")} /><//>
        <${Field} label="People book" hint="The word for one, such as GPU, core or node." error=${error("unit", "unit")}><input autocomplete="off" list="units" ...${form.of("unit")} /><//>
        <${Field} label="Nodes" error=${error("nodes", "pes")}><input type="number" min="1" ...${form.of("nodes")} /><//>
        <${Field} label=${`${unit}s per node`} error=${error("each", "granule")}><input type="number" min="1" ...${form.of("each")} /><//>
        ${each > 1 && html`<div class="field"><span class="label">A run takes</span>
          <${Choices} label="A run takes" options=${[["nodes", "whole nodes"], ["single", `single ${unit}s`]]} value=${wanted.takes} choose=${(/** @type {string} */ value) => form.set("takes", value)} /></div>`}
        ${isWhole && html`<${Field} label="Names of the nodes" hint="In Slurm's form, in order. Leave empty for none." error=${error("names", "peNames")}>
          <input autocomplete="off" ...${{ ...form.of("names"), value: names }} /><//>`}
        <${Field} label=${`Price of a ${unit} per hour`} hint="Before discounts." error=${error("price", "tariff.pricePerPeHour")}><input inputmode="decimal" ...${form.of("price")} /><//>
        <${Field} label="Currency" error=${error("currency", "tariff.currency")}><input maxlength="3" list="currencies" ...${form.of("currency")} /><//>
        <${Field} label="Clients see of others"><${Pick} options=${VISIBILITIES} form=${form} name="visibility" /><//>
        <${Field} label="May book"><${Pick} options=${BOOKERS} form=${form} name="bookers" /><//>
      </div>
      <datalist id="units"><option value="GPU" /><option value="core" /><option value="node" /><option value="PE" /></datalist>
      <datalist id="currencies"><option value="EUR" /><option value="USD" /><option value="GBP" /><option value="CHF" /></datalist>
      <p class="note" aria-live="polite">${summary({ ...wanted, id, unit, nodes, each, isWhole, names })}</p>
      <${Refused} why=${making.problem} beside=${FIELDS} />
      <p class="row">
        <button class="first" disabled=${making.isBusy}>Make the cluster</button>
        <button type="button" onclick=${() => change({ "new-cluster": null })}>Cancel</button>
      </p>
    </form>`;
}

/** Returns names for nodes, such as "hopper[01-16]". @param {string} id @param {number} nodes */
function suggested(id, nodes) {
  const last = String(nodes);
  return !id || !(nodes >= 1) ? "" : nodes === 1 ? id : `${id}[${"1".padStart(last.length, "0")}-${last}]`;
}

/** Says what will be made. @param {any} its */
function summary({ id, unit, nodes, each, isWhole, names, price, currency, visibility, bookers }) {
  if (!(nodes >= 1) || !(each >= 1)) {
    return "Enter how many nodes there are, and how large they are.";
  }
  const listed = isWhole ? namesIn(names) ?? [] : [];
  const whole = each > 1 ? `${counted(nodes, "node")}${listed.length > 1 ? `, ${listed[0]} to ${listed.at(-1)},` : ""} of ${counted(each, unit)}: ${counted(nodes * each, unit)} in all` : counted(nodes, unit);
  const takes = each === 1 ? "" : isWhole ? ` Runs take whole nodes: ${each}, ${2 * each}, ${3 * each} … ${unit}s.` : ` A run takes any number of ${unit}s, whatever nodes they are in.`;
  const sees = VISIBILITIES.find(([value]) => value === visibility)?.[1];
  const who = bookers === "CLOSED" ? "Nobody can book it until you open it." : `Every client can book it at once${bookers === "KNOWN" ? ", and file runs only under projects that exist" : ""}.`;
  return `${id || "The cluster"} will have ${whole}.${takes} A ${unit} costs ${price} ${currency} an hour. ${who} Of others, clients see ${sees}. The name and the size of a node never change; all else can.`;
}
