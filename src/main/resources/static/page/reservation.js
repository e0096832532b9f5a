import { useEffect } from "preact/hooks";
import { Approve } from "./approvals.js";
import { announce } from "./document.js";
import { History } from "./history.js";
import { Actions, Proposal } from "./reservation-actions.js";
import { Known } from "./reservation-facts.js";
import { OtherTerms } from "./reservation-terms.js";
import { texts } from "./texts.js";
import { Empty, Failed, html, Own, Skeleton, useEvents, useRead } from "./ui.js";
import { address, params } from "./url.js";

/** The most reservations among which one to approve is looked for. */
const MOST = 500;

/** A reservation: its terms, its events as they happen, and what its owner can do. @param {{context: import("./main.js").Context}} its */
export function View({ context }) {
  const id = params().get("id") ?? "";
  return html`
    <p><a href=${address("reservations")}>All reservations</a></p>
    <${Reservation} key=${id} id=${id} context=${context} />`;
}

/** @param {{id: string, context: import("./main.js").Context}} its */
function Reservation({ id, context: { api, session, account } }) {
  const path = `/reservations/${encodeURIComponent(id)}`;
  const { data, problem, again } = useRead(api, async (api) => {
    const [present, events] = await Promise.all([api.get(path), api.all(`${path}/events`, {}, 10_000)]);
    return { present, events };
  }, []);
  const cluster = useRead(api, async (api) => data && (await api.get(`/clusters/${data.present.body.cluster}`)).body, [data?.present.body.cluster]).data;
  const toApprove = useRead(api, async (api) => data?.present.body.approval && data.present.body.state === "PENDING"
    && (await api.all("/reservations", { toApprove: "true", cluster: data.present.body.cluster }, MOST)).some((/** @type {any} */ each) => each.id === id), [data?.present.etag]).data;
  const isLive = useEvents(session, data && `${path}/events/stream`, again);
  const last = data?.events.at(-1);
  useEffect(() => last && announce(texts.events[last.type] ?? last.type), [last?.sequence]);
  if (!data) {
    return html`<${Title} />${!problem ? html`<${Skeleton} />`
      : [400, 404].includes(/** @type {any} */ (problem).status) ? html`<${Empty} text="There is no such reservation, or it is not yours." />`
      : html`<${Failed} why=${problem} />`}`;
  }
  const { body } = data.present;
  const isOwner = body.owner === account.name;
  const canChange = isOwner && ["CONFIRMED", "RUNNING"].includes(body.state) && body.terms.duration && body.placement;
  const its = { api, path, present: data.present, unit: cluster?.unit, again };
  return html`
    <${Title} body=${body} />
    ${toApprove && html`<section class="panel"><h2>It waits for your approval</h2><${Approve} id=${id} name=${body.name ?? "the reservation"} api=${api} again=${again} /></section>`}
    ${body.proposal && isOwner && html`<${Proposal} ...${its} />`}
    <div class="halves">
      <div>
        <section class="panel"><${Known} body=${body} unit=${cluster?.unit} /></section>
        <section class="panel">
          <h2>What happened <span class="muted small" role="status">${isLive ? "Live" : "The connection is lost. This page keeps trying."}</span></h2>
          <${History} events=${data.events} unit=${cluster?.unit} />
        </section>
      </div>
      <div>
        <${Actions} ...${its} isOwner=${isOwner} isAdmin=${account.role === "ADMIN"} />
        ${canChange && html`<${OtherTerms} ...${its} />`}
      </div>
    </div>`;
}

/** @param {{body?: any}} its missing until it is read */
function Title({ body }) {
  return html`<div class="row title">
    <h1>${body?.name ? html`<${Own}>${body.name}<//>` : "Reservation"}</h1>
    ${body && html`<span class=${`state state-${body.state}`}>${texts.states[body.state]}</span>`}
  </div>`;
}
