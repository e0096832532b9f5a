import { durationSeconds, formatDuration, isoDuration, LEAD_WRONG } from "./time.js";
import { Failed, Field, html, Pick, Read, Refused, Tick, useChange, useForm, useRead } from "./ui.js";

/** The kinds of news, in the order of the form. @type {[kind: string, text: string][]} */
const KINDS = [
  ["MOVED", "A reservation moves, or the provider proposes other terms"],
  ["STARTS_SOON", "A reservation starts soon"],
  ["ENDS_SOON", "A run ends soon"],
  ["FAILED", "A reservation is cancelled, fails or loses PEs"],
  ["NOT_IN_PLACE", "The machine does not have a reservation as promised"],
  ["CONFIRMED", "A reservation is confirmed or changed, with an entry for the calendar"],
  ["APPROVAL", "A reservation waits for my approval, or mine is approved"],
  ["SERIES_REFUSED", "An occurrence of a series is refused"],
  ["BUDGET_LOW", "The budget of a project runs low (for its owners)"],
];

/** @type {[string, string][]} */
const WHEN = [["", "at once"], ...Array.from({ length: 24 }, (_, hour) => /** @type {[string, string]} */ ([String(hour), `once a day, at ${String(hour).padStart(2, "0")}:00`]))];

const FIELDS = ["address", "kinds", "lead", "dailyAt", "zone"];

/** The mail of one's own account. @param {{context: import("./main.js").Context}} its */
export function View({ context: { api, account } }) {
  return html`<h1>E-mail</h1><${Mail} api=${api} name=${account.name} mayProve=${account.role === "ADMIN"} />`;
}

/**
 * The mail of an account.
 * @param {{api: import("./api.js").Api, name: string, mayProve: boolean, title?: string}} its mayProve: whether an address that is entered here counts at once; title: above the form, if it is a part of a view
 */
export function Mail({ api, name, mayProve, title = "" }) {
  const path = `/accounts/${encodeURIComponent(name)}/mail`;
  const mail = useRead(api, (api) => api.get(path), [path]);
  return html`
    <section class="panel">
      ${title && html`<h2>${title}</h2>`}
      <${Read} read=${mail}>${(/** @type {any} */ { body, etag }) => !body.enabled && !mayProve
        ? html`<p>This service sends no mail. Ask its administrator to switch mail on.</p>`
        : html`<${Form} key=${etag} api=${api} path=${path} is=${body} etag=${etag} mayProve=${mayProve} heading=${title ? "h3" : "h2"} saved=${mail.again} />`}<//>
    </section>`;
}

/** @param {{api: import("./api.js").Api, path: string, is: any, etag: string, mayProve: boolean, heading: string, saved: () => void}} its */
function Form({ api, path, is, etag, mayProve, heading, saved }) {
  const form = useForm(/** @type {any} */ ({
    address: is.address ?? "",
    kinds: is.kinds,
    lead: formatDuration(is.lead),
    dailyAt: String(is.dailyAt ?? ""),
    zone: is.address ? is.zone : Intl.DateTimeFormat().resolvedOptions().timeZone,
  }));
  const change = useChange();
  const values = form.values;
  const error = (/** @type {string} */ field) => form.errors[field] || change.error(field);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const now = form.peek();
    const lead = durationSeconds(now.lead);
    if (form.check({ lead: !(lead >= 60) && LEAD_WRONG })) {
      const isDone = await change.run(() => api.patch(path, {
        address: now.address.trim() || null,
        kinds: now.kinds,
        lead: isoDuration(lead),
        dailyAt: now.dailyAt === "" ? null : Number(now.dailyAt),
        zone: now.zone.trim() || null,
      }, { ifMatch: etag }));
      if (isDone) {
        saved();
      }
    }
  };
  const tick = (/** @type {string} */ kind) => (/** @type {boolean} */ isOn) => form.set("kinds", values.kinds.filter((/** @type {string} */ each) => each !== kind).concat(isOn ? [kind] : []));
  return html`
    ${!is.enabled && html`<p class="note">This service has no mail server yet, so it sends nothing.</p>`}
    ${is.address && !is.proved && html`<${Unproved} api=${api} path=${path} address=${is.address} mayProve=${mayProve} />`}
    <form onsubmit=${submit}>
      <div class="fields">
        <${Field} label="Address" hint=${mayProve ? "Mail goes there at once. Leave empty for no mail." : "A new address first gets a link to open. Leave empty for no mail."} error=${error("address")}>
          <input type="text" inputmode="email" autocomplete="email" spellcheck="false" ...${form.of("address")} /><//>
        <${Field} label="Send" error=${error("dailyAt")}><${Pick} options=${WHEN} form=${form} name="dailyAt" /><//>
        <${Field} label="Tell me of starts and ends" hint="How long before, such as 1 h. They always come at once." error=${error("lead")}><input autocomplete="off" ...${form.of("lead")} /><//>
        <${Field} label="Time zone" hint="Of the times in mail, such as Europe/Berlin." error=${error("zone")}><input autocomplete="off" spellcheck="false" ...${form.of("zone")} /><//>
      </div>
      <${heading}>Write when<//>
      ${KINDS.map(([kind, text]) => html`<p key=${kind}><${Tick} name=${kind} checked=${values.kinds.includes(kind)} onchange=${tick(kind)}>${text}<//></p>`)}
      <${Refused} why=${change.problem} beside=${FIELDS} />
      <p class="row"><button class="first" disabled=${change.isBusy}>Save</button></p>
    </form>`;
}

/** @param {{api: import("./api.js").Api, path: string, address: string, mayProve: boolean}} its */
function Unproved({ api, path, address, mayProve }) {
  const change = useChange();
  return html`
    <p class="note" role="status">A link was sent to ${address}. Open it there and press the button; nothing else is sent until then${mayProve && ", or until you save the address here"}.</p>
    <p class="row"><button type="button" disabled=${change.isBusy} onclick=${() => change.run(() => api.post(`${path}/proof`))}>Send the link again</button></p>
    <${Failed} why=${change.problem} />`;
}
