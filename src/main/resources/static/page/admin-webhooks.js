import { useSignal } from "@preact/signals";
import { texts } from "./texts.js";
import { durationSeconds, formatDuration, formatInstant, isoDuration, LEAD_WRONG } from "./time.js";
import { Choices, Confirmed, Empty, Failed, Field, html, Icon, Menu, Own, Pick, Read, Refused, Table, Tick, useChange, useForm, useRead } from "./ui.js";
import { change, params, zone } from "./url.js";

/** @type {Record<string, string>} */
const DISABLED = { OWNER: "disabled", GONE: "disabled: the receiver is gone", FAILED: "disabled: ten attempts failed" };
/** @type {[string, string][]} */
const FORMATS = [["FULL", "the event"], ["THIN", "only its type and ids"], ["CLOUDEVENTS", "a CloudEvent"]];
const FIELDS = ["url", "types", "format", "project", "leads"];

/**
 * The webhooks of all accounts.
 * @param {{context: import("./main.js").Context, showSecret: (secret: {label: string, hint: string, value: string}) => void}} its
 */
export function Webhooks({ context: { api }, showSecret }) {
  const read = useRead(api, async (api) => {
    const [webhooks, projects] = await Promise.all([api.all("/webhooks", {}, 500), api.all("/projects", {}, 500)]);
    return { webhooks, projects };
  }, []);
  const acting = useChange();
  const said = useSignal(/** @type {any} */ (null));
  const opened = params().get("webhook");
  const isNew = params().has("new-webhook");
  const tell = (/** @type {any} */ { url, secret }) =>
    showSecret({ label: `Secret of ${url}`, hint: `The secret with which the messages to ${url} are signed. It is shown only once: copy it before you close it or leave Admin.`, value: secret });
  const act = (/** @type {() => Promise<any>} */ call) => () => {
    said.value = null;
    return acting.run(async () => {
      await call();
      read.again();
    });
  };
  const test = (/** @type {any} */ hook) => act(async () => {
    const { body } = await api.post(`/webhooks/${hook.id}/test`);
    said.value = { ...body, url: hook.url };
  });
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Address", by: (row) => row.url, cell: (row) => html`<${Own}>${row.url}<//>` },
    { head: "Owner", by: (row) => row.owner, cell: (row) => html`<${Own}>${row.owner}<//>` },
    { head: "Events", by: (row) => typesText(row.types), cell: (row) => html`<span>${typesText(row.types)}${row.project && html` of the project <${Own}>${row.project}<//>`}${row.leads.length > 0 && `; announced ${row.leads.map((/** @type {string} */ each) => formatDuration(each)).join(", ")} ahead`}</span>` },
    { head: "State", by: (row) => String(row.enabled), cell: (row) => html`<span>
      <span class=${row.enabled ? "state state-RUNNING" : "state state-FAILED"}>${row.enabled ? "enabled" : DISABLED[row.disabledFor] ?? "disabled"}</span>
      ${row.disabledAt && html`<span class="muted nowrap"> since ${formatInstant(row.disabledAt, zone())}</span>`}</span>` },
    { head: "Actions", cell: (row) => html`<span class="row">
      ${row.enabled
        ? html`<button type="button" class="quiet" disabled=${acting.isBusy} onclick=${test(row)}>Test</button>`
        : html`<button type="button" class="quiet" onclick=${act(() => api.patch(`/webhooks/${row.id}`, { enabled: true }))}>Enable again</button>`}
      <button type="button" class="quiet" onclick=${() => change({ webhook: opened === row.id ? null : row.id })}>Attempts</button>
      <${Menu} label=${`More for ${row.url}`}>
        ${row.enabled && html`<button type="button" onclick=${act(() => api.patch(`/webhooks/${row.id}`, { enabled: false }))}>Disable</button>`}
        <${Confirmed} question=${`Make a new secret for ${row.url}? Messages are signed with it from now on.`} yes="New secret" act=${act(async () => tell((await api.post(`/webhooks/${row.id}/secret`, undefined, {})).body))}>New secret<//>
        <${Confirmed} class="harm" question=${`Delete the webhook to ${row.url}? Events that it has not received are lost for it.`} yes="Delete" act=${act(() => api.del(`/webhooks/${row.id}`))}>Delete<//>
      <//></span>` },
  ];
  const shown = read.data?.webhooks.find((each) => each.id === opened);
  const button = html`<button type="button" class="first" onclick=${() => change({ "new-webhook": "1" })}><${Icon} name="plus" />New webhook</button>`;
  return html`<${Read} read=${read}>${(/** @type {any} */ { webhooks, projects }) => html`
    ${isNew && html`<${WebhookForm} api=${api} projects=${projects} made=${(/** @type {any} */ body) => {
      change({ "new-webhook": null }, { replace: true });
      tell(body);
      read.again();
    }} />`}
    <section class="panel">
      <div aria-live="polite">
        <${Failed} why=${acting.problem} />
        ${said.value && (said.value.delivered
          ? html`<p class="note">${said.value.url} accepted the message in ${said.value.milliseconds} ms.</p>`
          : html`<p class="problem">${said.value.url} did not accept the message: ${said.value.error ?? `it returned ${said.value.answered}`}</p>`)}
      </div>
      <${Table} caption="Webhooks" name="webhooks" search=${webhooks.length > 5 ? "Search" : undefined} rows=${webhooks} keyOf=${(/** @type {any} */ row) => row.id} columns=${columns} tools=${!isNew && button}
        empty=${html`<${Empty} text="There are no webhooks. With a webhook, Berth calls an address of yours whenever something happens." />`} />
    </section>
    ${shown && html`<${Attempts} key=${shown.id} api=${api} webhook=${shown} />`}`}<//>`;
}

/** @param {string[]} types */
function typesText(types) {
  return types.length === 0 ? "all" : types.map((each) => texts.events[each] ?? each).join(", ");
}

/** The latest attempts to deliver messages. @param {{api: import("./api.js").Api, webhook: any}} its */
function Attempts({ api, webhook }) {
  const read = useRead(api, async (api) => (await api.get(`/webhooks/${webhook.id}/attempts`)).body.items, []);
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "When", cell: (row) => html`<span class="nowrap">${formatInstant(row.at, zone())}</span>` },
    { head: "Message", cell: (row) => html`<code>${row.message}</code>` },
    { head: "Result", cell: (row) => html`<span><span class=${row.delivered ? "state state-COMPLETED" : "state state-FAILED"}>${row.delivered ? "accepted" : "failed"}</span> ${row.answered ?? ""} ${row.error ?? ""}</span>` },
    { head: "Took", isNumber: true, cell: (row) => `${row.milliseconds} ms` },
  ];
  return html`
    <section class="panel">
      <div class="head"><h2>Attempts: ${webhook.url}</h2><button type="button" disabled=${read.isReading} onclick=${read.again}>Refresh</button></div>
      <${Read} read=${read}>${(/** @type {any[]} */ rows) => html`<${Table} caption="Attempts" rows=${rows} keyOf=${(/** @type {any} */ row) => `${row.message} ${row.at}`} columns=${columns}
        empty=${html`<${Empty} text="Nothing was sent since the active instance started." />`} />`}<//>
    </section>`;
}

/** @param {{api: import("./api.js").Api, projects: any[], made: (body: any) => void}} its */
function WebhookForm({ api, projects, made }) {
  const form = useForm({ url: "https://", format: "FULL", project: "", leads: "", which: "all", types: /** @type {string[]} */ ([]) });
  const making = useChange();
  const is = form.values;
  const error = (/** @type {string} */ name) => form.errors[name] || making.error(name);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    making.refuse(null);
    const leads = is.leads.split(",").map((each) => each.trim()).filter(Boolean);
    const isRight = form.check({
      url: !/^https?:\/\/[^\s/]+/i.test(is.url.trim()) && "An address such as https://hooks.example.org/berth.",
      leads: leads.some((each) => !(durationSeconds(each) >= 60)) && LEAD_WRONG,
      types: is.which === "some" && is.types.length === 0 && "Choose at least one.",
    });
    if (isRight) {
      await making.run(async () => made((await api.post("/webhooks", {
        url: is.url.trim(), format: is.format,
        ...(is.project && { project: is.project }),
        ...(leads.length > 0 && { leads: leads.map((each) => isoDuration(durationSeconds(each))) }),
        ...(is.which === "some" && { types: is.types }),
      })).body));
    }
  };
  return html`
    <form class="panel" onsubmit=${submit}>
      <h2>New webhook</h2>
      <div class="fields">
        <${Field} label="Address" hint="With https, unless the operator allows the network of the receiver." error=${error("url")}><input autocomplete="off" ...${form.of("url")} /><//>
        <${Field} label="A message has" error=${error("format")}><${Pick} options=${FORMATS} form=${form} name="format" /><//>
        <${Field} label="Only of the project" error=${error("project")}><${Pick} options=${[["", "all events"], ...projects.map(({ id, name }) => [id, name])]} form=${form} name="project" /><//>
        <${Field} label="Announce starts and ends" hint="How long before, such as 1 h, 15 min. Leave empty for never." error=${error("leads")}><input autocomplete="off" ...${form.of("leads")} /><//>
        <div class="field"><span class="label">Events</span>
          <${Choices} label="Events" options=${[["all", "all"], ["some", "some"]]} value=${is.which} choose=${(/** @type {string} */ value) => form.set("which", value)} />
          ${error("types") && html`<p class="problem">${error("types")}</p>`}</div>
      </div>
      ${is.which === "some" && html`<fieldset class="fields"><legend>Events</legend>${Object.entries(texts.events).map(([type, word]) => html`
        <${Tick} key=${type} checked=${is.types.includes(type)} onchange=${(/** @type {boolean} */ isOn) => form.set("types", isOn ? [...is.types, type] : is.types.filter((each) => each !== type))}>${word}<//>`)}</fieldset>`}
      <${Refused} why=${making.problem} beside=${FIELDS} />
      <p class="row">
        <button class="first" disabled=${making.isBusy}>Create</button>
        <button type="button" onclick=${() => change({ "new-webhook": null })}>Cancel</button>
      </p>
    </form>`;
}
