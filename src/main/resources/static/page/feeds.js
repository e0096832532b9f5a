import { useSignal } from "@preact/signals";
import { formatInstant } from "./time.js";
import { Confirmed, Failed, html, Own, Secret, useChange, useRead } from "./ui.js";

/**
 * The account's calendar feeds. An address appears once, when it is made.
 * @param {{context: import("./main.js").Context, project?: string}} its project: only feeds of this project, for all its reservations
 */
export function Feeds({ context: { api, account, zone }, project }) {
  const path = `/accounts/${encodeURIComponent(account.name)}/feeds`;
  const known = useRead(api, async (api) => (await api.get(path)).body.items, [path]);
  const change = useChange();
  const made = useSignal(/** @type {string[]} */ ([]));
  const shown = (known.data ?? []).filter((/** @type {any} */ each) => !project || each.project === project);

  async function make() {
    const { body } = await api.post(path, { project });
    made.value = [new URL(body.path, location.origin).href, ...made.value];
    known.again();
  }

  /** @param {string} id */
  async function revoke(id) {
    await api.del(`${path}/${id}`);
    known.again();
  }

  return html`
    <section class="panel">
      <h2>Calendar</h2>
      <p>A calendar program that subscribes to your address shows these reservations. It may be some hours late.</p>
      ${made.value.map((each) => html`
        <${Secret} key=${each} label="Address to subscribe to" value=${each}
          hint="Subscribe to this address. It is shown only once. Anyone who has it can see these reservations."
          close=${() => { made.value = made.value.filter((other) => other !== each); }} />`)}
      <${Failed} why=${known.problem ?? change.problem} />
      ${shown.length > 0 && html`<ul>${shown.map((/** @type {any} */ each) => html`
        <${Feed} key=${each.id} each=${each} name=${formatInstant(each.createdAt, zone())} revoke=${() => change.run(() => revoke(each.id))} />`)}</ul>`}
      <p class="row"><button type="button" disabled=${change.isBusy} onclick=${() => change.run(make)}>Make an address</button></p>
    </section>`;
}

/** @param {{each: any, name: string, revoke: () => void}} its */
function Feed({ each, name, revoke }) {
  return html`
    <li class="row">
      <span>Made ${name}</span>
      ${[each.cluster, each.project].filter(Boolean).map((of) => html`<span key=${of}><${Own}>${of}<//></span>`)}
      <${Confirmed} class="harm" aria-label=${`Revoke: ${name}`} yes="Revoke" no="Keep it" act=${revoke}
        question=${`Revoke the address made ${name}? Programs that subscribed to it will see nothing.`}>Revoke<//>
    </li>`;
}
