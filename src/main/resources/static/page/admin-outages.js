import { clustersBy, NoCluster } from "./admin-clusters.js";
import { Effects, effectsText } from "./effects.js";
import { pesOf } from "./hostlist.js";
import { Planner } from "./planner.js";
import { Recurrence, recurrenceText, useRecurrence } from "./recurrence.js";
import { DURATION_WRONG, durationSeconds, formatDuration, formatInstant, formatRange, isoDuration } from "./time.js";
import { Choice, Confirmed, Empty, Failed, Field, html, Icon, Own, Read, Refused, Table, Tick, useChange, useDryRun, useForm, useRead } from "./ui.js";
import { counted } from "./units.js";
import { address, change, params, zone } from "./url.js";

/** The outages and maintenances of a cluster. @param {{context: import("./main.js").Context}} its */
export function Outages({ context }) {
  const read = useRead(context.api, async (api) => (await clustersBy(api)).filter((each) => !each.peer), []);
  const cluster = read.data?.find(({ id }) => id === params().get("cluster")) ?? read.data?.[0];
  return html`<${Read} read=${read}>${(/** @type {any[]} */ clusters) => !cluster
    ? html`<${NoCluster} />`
    : html`
      <div class="toolbar">
        <${Field} label="Cluster"><${Choice} name="cluster" options=${clusters.map(({ id }) => [id, id])} value=${cluster.id} onchange=${(/** @type {any} */ { target }) => change({ cluster: target.value })} /><//>
      </div>
      <${OutagesOf} key=${cluster.id} context=${context} clusters=${clusters} cluster=${cluster} />`}<//>`;
}

/** @param {{context: import("./main.js").Context, clusters: any[], cluster: any}} its */
function OutagesOf({ context, clusters, cluster }) {
  const { api } = context;
  const path = `/clusters/${cluster.id}`;
  const isAll = params().has("ended");
  const read = useRead(api, async (api) => {
    const [outages, maintenances] = await Promise.all([api.all(`${path}/outages`, {}, 500), api.get(`${path}/maintenances`)]);
    return { outages, maintenances: maintenances.body.items };
  }, []);
  const ending = useChange();
  const end = (/** @type {string} */ what) => ending.run(async () => {
    await api.del(`${path}/${what}`);
    read.again();
  });
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "From", by: (row) => row.from, cell: (row) => html`<span class="nowrap">${formatInstant(row.from, zone())}</span>` },
    { head: "To", by: (row) => row.endedAt ?? row.to ?? "9999", cell: (row) => html`<span class="nowrap">${row.endedAt ?? row.to ? formatInstant(row.endedAt ?? row.to, zone()) : "until it is ended"}</span>` },
    { head: "Out of service", by: (row) => row.pes, cell: (row) => placeText(row, cluster) },
    { head: "Reason", by: (row) => row.reason ?? "", cell: (row) => html`<${Own}>${row.reason}<//>` },
    { head: "Moved", isNumber: true, by: (row) => row.moved.length, cell: (row) => links(row.moved) },
    { head: "Failed", isNumber: true, by: (row) => row.failed.length, cell: (row) => links(row.failed) },
    { head: "Actions", cell: (row) => row.endedAt ? html`<span class="muted">ended</span>`
      : html`<${Confirmed} class="quiet harm" question=${row.begunAt ? "End this outage? What it takes is in service again." : "Call off this outage?"} yes=${row.begunAt ? "End it" : "Call it off"} act=${() => end(`outages/${row.id}`)}>${row.begunAt ? "End" : "Call off"}<//>` },
  ];
  return html`
    <section class="panel">
      <div class="head"><h2>Outages</h2><${Tick} checked=${isAll} onchange=${(/** @type {boolean} */ isOn) => change({ ended: isOn ? "1" : null }, { replace: true })}>Also those that ended<//></div>
      <${Failed} why=${ending.problem} />
      <${Read} read=${read}>${(/** @type {any} */ { outages }) => html`<${Table} caption="Outages" name="outages" rows=${outages.filter((/** @type {any} */ each) => isAll || !each.endedAt)} keyOf=${(/** @type {any} */ row) => row.id} columns=${columns}
        empty=${html`<${Empty} text=${`Nothing of ${cluster.id} is out of service or will be.`} />`} />`}<//>
    </section>
    <${Planner} context=${context} clusters=${clusters} preferred=${[cluster.id]}
      onEffects=${(/** @type {string} */ _, /** @type {any} */ effects, /** @type {any} */ outage) => !effects && outage && read.again()} />
    <${Maintenances} api=${api} path=${path} cluster=${cluster} maintenances=${read.data?.maintenances} changed=${read.again} end=${end} />`;
}

/** Returns what is out of service, by its nodes if they have names. @param {any} outage @param {any} cluster */
function placeText({ pes, peIds, nodes }, { unit }) {
  return html`<span><span class="nowrap">${counted(pes, unit)}</span>${(nodes || peIds) && html` <code>${nodes ?? peIds}</code>`}</span>`;
}

/** @param {string[]} ids */
function links(ids) {
  return ids.length === 0 ? "–" : html`<span>${ids.slice(0, 5).map((id, i) => html`${i > 0 && ", "}<a key=${id} href=${address("reservation", { id })}>${id.slice(-6)}</a>`)}${ids.length > 5 && ` and ${ids.length - 5} more`}</span>`;
}

/** @param {{api: import("./api.js").Api, path: string, cluster: any, maintenances: any[] | undefined, changed: () => void, end: (what: string) => void}} its */
function Maintenances({ api, path, cluster, maintenances, changed, end }) {
  const isNew = params().has("new-maintenance");
  const next = (/** @type {any} */ { windows }) => windows.find((/** @type {any} */ each) => each.state !== "OVER");
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "When", cell: (row) => recurrenceText(row.recurrence) },
    { head: "For", cell: (row) => html`<span class="nowrap">${formatDuration(row.duration)}</span>` },
    { head: "Out of service", cell: (row) => placeText(row, cluster) },
    { head: "Reason", cell: (row) => html`<${Own}>${row.reason}<//>` },
    { head: "Next", cell: (row) => next(row) && html`<span class="nowrap">${formatRange(next(row).from, next(row).to, zone())}</span>` },
    { head: "Left", isNumber: true, cell: (row) => row.windows.length },
    { head: "Actions", cell: (row) => html`<${Confirmed} class="quiet harm" question="Call off this maintenance? Its windows that have not begun do not take place." yes="Call it off" act=${() => end(`maintenances/${row.id}`)}>Call off<//>` },
  ];
  return html`
    <section class="panel">
      <div class="head"><h2>Maintenance</h2>
        ${!isNew && html`<button type="button" onclick=${() => change({ "new-maintenance": "1" })}><${Icon} name="repeat" />New maintenance</button>`}</div>
      ${maintenances && html`<${Table} caption="Maintenances" rows=${maintenances} keyOf=${(/** @type {any} */ row) => row.id} columns=${columns}
        empty=${!isNew && html`<${Empty} text="No maintenance recurs, such as on the first Tuesday of each month." />`} />`}
      ${isNew && html`<${NewMaintenance} api=${api} path=${path} cluster=${cluster} made=${() => {
        change({ "new-maintenance": null }, { replace: true });
        changed();
      }} />`}
    </section>`;
}

const FIELDS = ["pes", "peIds", "duration", "reason", "recurrence", "recurrence.rrule", "recurrence.dtstart", "count", "until"];

/** The form for a recurring outage, which is tried before it is made. @param {{api: import("./api.js").Api, path: string, cluster: any, made: () => void}} its */
function NewMaintenance({ api, path, cluster, made }) {
  const form = useForm({ what: "", duration: "4 h", reason: "" });
  const recurrence = useRecurrence({ every: "nth", at: "8:00", count: "12" });
  const acting = useDryRun(() => [form.peek(), recurrence.form.peek(), zone()]);
  const { tried } = acting;
  const is = form.values;
  const unit = cluster.unit ?? "PE";
  const isLate = cluster.binding !== "EARLY";
  const error = (/** @type {string} */ name) => form.errors[name] || acting.error(name);
  const tryOut = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const what = is.what.trim();
    const length = durationSeconds(is.duration);
    const number = what === "" ? cluster.pes : /^\d+$/.test(what) ? Number(what) : null;
    const peIds = number === null ? pesOf(cluster, what) ?? (/^\d+([,-]\d+)*$/.test(what) ? what : null) : null;
    const isRight = form.check({
      what: peIds && isLate ? `Write a number of ${unit}s. A maintenance can only name nodes that are chosen when a run is booked, see Rules.` : number === null && !peIds && (isLate ? `A number of ${unit}s.` : cluster.peNames ? `A number of ${unit}s, or nodes of ${cluster.peNames}.` : `A number of ${unit}s, or their numbers such as 0-15.`),
      duration: !(length > 0) && DURATION_WRONG,
    });
    const days = recurrence.read();
    if (isRight && days) {
      const body = { ...(peIds ? { peIds } : { pes: number }), duration: isoDuration(length), ...days, ...(is.reason.trim() && { reason: is.reason.trim() }) };
      await acting.tryOut(async () => ({ body, maintenance: (await api.post(`${path}/maintenances`, { ...body, dryRun: true })).body }));
    }
  };
  const make = () => acting.run(async () => {
    const now = effectsText((await api.post(`${path}/maintenances`, { ...tried.body, dryRun: true })).body.effects, unit);
    if (now !== effectsText(tried.maintenance.effects, unit)) {
      throw `By now: ${now} Ask again what would happen.`;
    }
    await api.post(`${path}/maintenances`, tried.body, { isOnce: true });
    made();
  });
  return html`
    <form onsubmit=${tryOut}>
      <div class="fields">
        <${Field} label="Out of service" hint=${cluster.peNames && !isLate ? `A number of ${unit}s, or nodes such as ${cluster.peNames}. Empty: the whole cluster.` : `A number of ${unit}s. Empty: the whole cluster.`} error=${form.errors.what || acting.error("pes") || acting.error("peIds")}>
          <input autocomplete="off" placeholder=${`all ${counted(cluster.pes, unit)}`} ...${form.of("what")} /><//>
        <${Field} label="For" error=${error("duration")}><input autocomplete="off" ...${form.of("duration")} /><//>
        <${Field} label="Reason" hint="Clients can read it." error=${error("reason")}><input maxlength="200" ...${form.of("reason")} /><//>
      </div>
      <${Recurrence} of=${recurrence} error=${acting.error} />
      <div aria-live="polite">
        <${Refused} why=${acting.problem} beside=${FIELDS} />
        ${tried && html`
          <p>${windowsText(tried.maintenance.windows)}</p>
          <${Effects} effects=${tried.maintenance.effects} api=${api} cluster=${cluster} />`}
      </div>
      <p class="row">
        <button disabled=${acting.isBusy}>What would happen?</button>
        <button type="button" class="first" disabled=${!tried || acting.isBusy} onclick=${make}>Make the maintenance</button>
        <button type="button" class="quiet" onclick=${() => change({ "new-maintenance": null })}>Cancel</button>
      </p>
    </form>`;
}

/** @param {any[]} windows */
function windowsText(windows) {
  const first = windows.slice(0, 4).map((each) => formatRange(each.from, each.to, zone())).join("; ");
  return `${windows.length} ${windows.length === 1 ? "window" : "windows"}: ${first}${windows.length > 4 ? "; …" : "."}`;
}
