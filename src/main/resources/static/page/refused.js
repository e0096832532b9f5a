import { useSignal } from "@preact/signals";
import { bookAddress, pesOf, ProjectName } from "./runs.js";
import { texts } from "./texts.js";
import { formatDuration, formatInstant } from "./time.js";
import { Empty, Failed, html, Own, Skeleton, Table, useRead } from "./ui.js";
import { counted } from "./units.js";
import { address, zone } from "./url.js";

const MOST = 500;

/**
 * Requests that were refused, with what would have fitted then.
 * @param {{
 *   context: import("./main.js").Context, cluster: string, project: string, owner: string, heard: number, clusters: Map<string, any>,
 *   isAdministrator: boolean, tools: any,
 * }} its
 */
export function Refused({ context: { api }, cluster, project, owner, heard, clusters, isAdministrator, tools }) {
  const most = useSignal(MOST);
  const query = isAdministrator ? { cluster, project, account: owner } : { cluster };
  const { data, problem } = useRead(api, (api) => api.all("/refusals", query, most.value + 1), [cluster, isAdministrator && project, owner, most.value], heard);
  const rows = (data ?? []).slice(0, most.value).filter((each) => !project || each.project === project);
  const unit = (/** @type {any} */ each) => clusters.get(each.cluster)?.unit;
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "When", cell: (each) => html`<span class="nowrap">${formatInstant(each.at, zone())}</span>`, by: (each) => Date.parse(each.at) },
    { head: "Owner", cell: (each) => html`<${Own}>${each.account}<//>`, by: (each) => each.account },
    { head: "Request", cell: (each) => (each.reservation ? html`<a href=${address("reservation", { id: each.reservation })}>${texts.requests[each.kind]}</a>` : texts.requests[each.kind]), by: (each) => texts.requests[each.kind] },
    { head: "Project", cell: (each) => html`<${ProjectName} id=${each.project} />`, by: (each) => each.project ?? "" },
    { head: "Cluster", cell: (each) => each.cluster ?? each.clusters?.join(", ") ?? "any", by: (each) => each.cluster ?? "" },
    { head: "Size", cell: (each) => html`<span class="nowrap">${counted(pesOf(each), unit(each))}</span>`, by: pesOf, isNumber: true },
    { head: "Duration", cell: (each) => html`<span class="nowrap">${each.terms.duration && formatDuration(each.terms.duration)}</span>` },
    { head: "Why", cell: (each) => html`${texts.refusals[each.code]} <span class="muted">${each.detail}</span>`, by: (each) => `${texts.refusals[each.code]} ${each.detail}` },
    { head: "What would have fitted", cell: (each) => html`<${Instead} each=${each} unit=${unit(each)} />` },
  ];
  return html`
    <${Failed} why=${problem} />
    ${!data ? !problem && html`<${Skeleton} />` : html`
      <${Table} caption="Refused requests" rows=${rows} columns=${columns.filter(({ head }) => head !== "Owner" || isAdministrator)} name="refused" search="Search" tools=${tools}
        keyOf=${(/** @type {any} */ each) => `${each.at} ${each.requestId} ${rows.indexOf(each)}`} empty=${html`<${Empty} text="No request of the last weeks was refused."><//>`} />
      ${data.length > most.value && html`<p class="row"><span class="muted">Only the newest ${most.value} are listed.</span>
        <button type="button" onclick=${() => { most.value += MOST; }}>Read more</button></p>`}`}`;
}

/** Links that open Book with what would have fitted, and with the same terms. @param {{each: any, unit: string | undefined}} its */
function Instead({ each, unit }) {
  if (each.kind === "RENEGOTIATION" || each.kind === "EXTENSION") {
    return null;
  }
  const { pes, duration, deadline } = each.wouldFit ?? {};
  const link = (/** @type {Record<string, any>} */ changed, /** @type {string} */ text) =>
    html`<li key=${text}><a href=${bookAddress({ ...each, terms: { ...each.terms, ...changed } })}>${text}</a></li>`;
  return html`<ul class="plain">
    ${deadline && link({ deadline }, `Finished by ${formatInstant(deadline, zone())}`)}
    ${pes && link({ pes, minPes: null, maxPes: null }, counted(pes, unit))}
    ${duration && link({ duration }, `For ${formatDuration(duration)}`)}
    ${link({}, "Try the same again")}
  </ul>`;
}
