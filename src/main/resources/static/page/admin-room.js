import { useSignal } from "@preact/signals";
import { clustersBy, NoCluster } from "./admin-clusters.js";
import { DURATION_WRONG, durationSeconds, formatInstant, fromField, HOUR, iso, isoDuration, MOMENT_WRONG, now } from "./time.js";
import { Empty, Field, html, Moment, Pick, Read, Refused, Table, useChange, useDryRun, useForm, useRead } from "./ui.js";
import { address, zone } from "./url.js";

/**
 * Finds reservations whose later deadline would make room for a request, and proposes it to their owners.
 * @param {{context: import("./main.js").Context}} its
 */
export function Room({ context: { api } }) {
  const read = useRead(api, async (api) => (await clustersBy(api)).filter((each) => !each.peer), []);
  const form = useForm({ cluster: "", pes: "8", duration: "2 h", incentive: "1.00" });
  const deadline = useSignal("tomorrow 18:00");
  // the first one until another is chosen
  const cluster = read.data?.find((each) => each.id === form.values.cluster) ?? read.data?.[0];
  const { tried: found, tryOut, ...finding } = useDryRun(() => [form.peek().cluster, form.peek().pes, form.peek().duration, deadline.value, zone()]);
  const error = (/** @type {string} */ name) => form.errors[name] || finding.error(`terms.${name}`);

  const find = async (/** @type {Event} */ event) => {
    event.preventDefault();
    finding.refuse(null);
    const [length, end] = [durationSeconds(form.values.duration), fromField(deadline.value, zone(), true)];
    const isRight = form.check({
      pes: !/^[1-9]\d*$/.test(form.values.pes.trim()) && "A whole number, at least 1.",
      duration: !(length > 0) && DURATION_WRONG,
      deadline: Number.isNaN(end) && MOMENT_WRONG,
      incentive: !/^\d+([.,]\d+)?$/.test(form.values.incentive.trim()) && "An amount such as 12.50.",
    });
    if (isRight) {
      const terms = { pes: Number(form.values.pes), duration: isoDuration(length), deadline: iso(end) };
      await tryOut(async () => (await api.post(`/clusters/${cluster.id}/room`, { terms })).body);
    }
  };
  const incentive = { amount: form.values.incentive.trim().replace(",", "."), currency: cluster?.tariff?.currency ?? "USD" };
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Reservation", cell: (row) => html`<a href=${address("reservation", { id: row.reservation })}>${row.reservation}</a>` },
    { head: "Would have to finish by", cell: (row) => html`<span class="nowrap">${formatInstant(row.deadline, zone())}</span>` },
    { head: "Later by (run times)", isNumber: true, cell: (row) => row.phi },
    { head: "Actions", cell: (row) => html`<${Propose} api=${api} candidate=${row} incentive=${incentive} />` },
  ];
  return html`<${Read} read=${read}>${(/** @type {any[]} */ clusters) => !cluster ? html`<${NoCluster} />` : html`
    <form class="panel" onsubmit=${find}>
      <h2>Whom to ask for room</h2>
      <p class="muted">A request may fit if another owner agrees to finish later, for money off the price.</p>
      <div class="fields">
        <${Field} label="Cluster"><${Pick} options=${clusters.map(({ id }) => [id, id])} form=${form} name="cluster" value=${cluster.id} /><//>
        <${Field} label=${`${cluster.unit ?? "PE"}s`} error=${error("pes")}><input inputmode="numeric" ...${form.of("pes")} /><//>
        <${Field} label="Duration" hint="Such as 2 h, 90 min or 1h30." error=${error("duration")}><input autocomplete="off" ...${form.of("duration")} /><//>
        <${Moment} label="Finished by" value=${deadline} error=${error("deadline")} name="deadline" />
        <${Field} label="Off its price" unit=${incentive.currency} error=${error("incentive")}><input inputmode="decimal" ...${form.of("incentive")} /><//>
      </div>
      <${Refused} why=${finding.problem} beside=${["terms.pes", "terms.duration", "terms.deadline"]} />
      <button class="first" disabled=${finding.isBusy}>Find candidates</button>
    </form>
    <div aria-live="polite">${found && html`
      <section class="panel">
        ${found.fits ? html`<${Empty} text="The request fits. Nobody needs to be asked." />`
          : html`<${Table} caption="Whom to ask" rows=${found.candidates} keyOf=${(/** @type {any} */ row) => row.reservation} columns=${columns}
              empty=${html`<${Empty} text="No single agreement would make enough room." />`} />`}
        ${found.truncated && html`<p class="muted">There may be more.</p>`}
      </section>`}</div>`}<//>`;
}

/** Proposes a later deadline to the owner of a reservation. @param {{api: import("./api.js").Api, candidate: any, incentive: {amount: string, currency: string}}} its */
function Propose({ api, candidate, incentive }) {
  const proposing = useChange();
  const propose = () => proposing.run(() => api.post(`/reservations/${candidate.reservation}/renegotiations`, {
    // the same in a repetition
    terms: { deadline: candidate.deadline }, incentive, expiresAt: iso(Math.ceil((now() + HOUR) / (HOUR / 6)) * (HOUR / 6)),
    }, { isOnce: true }));
  return html`<span class="row" aria-live="polite">
    <button type="button" disabled=${proposing.isDone || proposing.isBusy} onclick=${propose}>Propose for ${incentive.amount} ${incentive.currency}</button>
    ${proposing.isDone && "Proposed."}
    ${proposing.problem && html`<span class="problem">${proposing.problem.message}</span>`}
  </span>`;
}
