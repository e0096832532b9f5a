import { formatMoney } from "./money.js";
import { Recurrence, useRecurrence } from "./recurrence.js";
import { texts } from "./texts.js";
import { DURATION_WRONG, durationSeconds, formatDate, formatRange, isoDuration } from "./time.js";
import { Empty, Failed, Field, html, Pick, Refused, Skeleton, Table, useDryRun, useForm, useRead } from "./ui.js";
import { address, change, params, zone } from "./url.js";

/** @type {[string, string][]} */
const CONFLICTS = [["ANY", "those that fit"], ["ALL", "all of them, or none"]];
const FIELDS = ["terms.pes", "terms.duration", "window.slack", "name", "project", "cluster", "recurrence", "recurrence.rrule", "recurrence.dtstart", "count", "until"];

/** Books the same run on many days, after a look at each of them. @param {{context: import("./main.js").Context}} its */
export function View({ context: { api } }) {
  const { data, problem } = useRead(api, async (api) => {
    const [clusters, projects] = await Promise.all([api.all("/clusters", {}, 500), api.all("/projects", {}, 500)]);
    return { clusters: clusters.filter((each) => !each.peer && each.admission !== "CLOSED").sort((one, other) => one.id.localeCompare(other.id)), projects };
  }, []);
  return html`
    <p><a href=${address("reservations")}>All my reservations</a></p>
    <h1>New series</h1>
    <${Failed} why=${problem} />
    ${!data ? html`<${Skeleton} />` : data.clusters.length === 0 ? html`<${Empty} text="No cluster is open for bookings." />`
      : html`<${SeriesForm} api=${api} clusters=${data.clusters} projects=${data.projects} />`}`;
}

/** @param {{api: import("./api.js").Api, clusters: any[], projects: any[]}} its */
function SeriesForm({ api, clusters, projects }) {
  const asked = params();
  const form = useForm({
    cluster: asked.get("cluster") ?? clusters[0].id, pes: asked.get("pes") ?? "", duration: asked.get("duration") ?? "2 h", slack: "",
    name: "", project: asked.get("project") ?? "", onConflict: "ANY",
  });
  const recurrence = useRecurrence({ every: "week", at: "22:00", count: "10" });
  const acting = useDryRun(() => [form.peek(), recurrence.form.peek(), zone()]);
  const { tried } = acting;
  const is = form.values;
  const cluster = clusters.find((each) => each.id === is.cluster) ?? clusters[0];
  const error = (/** @type {string} */ name, /** @type {string} */ field) => form.errors[name] || acting.error(field);

  const tryOut = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const [length, slack] = [durationSeconds(is.duration), is.slack.trim() === "" ? 0 : durationSeconds(is.slack)];
    const pes = Number(is.pes.trim() || cluster.granule || 1);
    const isRight = form.check({
      pes: !(Number.isInteger(pes) && pes >= 1) ? "A whole number, at least 1."
        : pes % (cluster.granule ?? 1) !== 0 && `A multiple of ${cluster.granule}, which is one node.`,
      duration: !(length > 0) && DURATION_WRONG,
      slack: !(slack >= 0) && DURATION_WRONG,
    });
    const days = recurrence.read();
    if (isRight && days) {
      const body = {
        cluster: cluster.id, terms: { pes, duration: isoDuration(length) }, ...days, onConflict: is.onConflict,
        ...(slack > 0 && { window: { slack: isoDuration(slack) } }),
        ...(is.name.trim() && { name: is.name.trim() }),
        ...(is.project && { project: is.project }),
      };
      await acting.tryOut(async () => ({ body, series: (await api.post("/series", { ...body, dryRun: true })).body }));
    }
  };
  const book = () => acting.run(async () => {
    const { body } = await api.post("/series", tried.body, { isOnce: true });
    change({ new: null, id: body.id, cluster: null, pes: null, duration: null, project: null }, { replace: true });
  });
  const isBookable = tried?.series.occurrences.some((/** @type {any} */ each) => each.state !== "REFUSED");
  return html`
    <form class="panel" onsubmit=${tryOut}>
      <div class="fields">
        <${Field} label="Cluster" error=${error("cluster", "cluster")}><${Pick} options=${clusters.map((each) => [each.id, each.id])} form=${form} name="cluster" value=${cluster.id} /><//>
        <${Field} label=${`${cluster.unit ?? "PE"}s`} hint=${cluster.granule > 1 ? `Whole nodes of ${cluster.granule}.` : ""} error=${error("pes", "terms.pes")}>
          <input inputmode="numeric" placeholder=${String(cluster.granule ?? 1)} ...${form.of("pes")} /><//>
        <${Field} label="Duration" hint="Such as 2 h, 90 min or 1h30." error=${error("duration", "terms.duration")}><input autocomplete="off" ...${form.of("duration")} /><//>
        <${Field} label="May begin later by" hint="Leave empty for exactly then." error=${error("slack", "window.slack")}><input autocomplete="off" ...${form.of("slack")} /><//>
        <${Field} label="Name" error=${error("name", "name")}><input autocomplete="off" maxlength="200" ...${form.of("name")} /><//>
        <${Field} label="Project" error=${error("project", "project")}><${Pick} options=${[["", "none"], ...projects.map(({ id, name }) => [id, name])]} form=${form} name="project" /><//>
        <${Field} label="Book"><${Pick} options=${CONFLICTS} form=${form} name="onConflict" /><//>
      </div>
      <${Recurrence} of=${recurrence} error=${acting.error} />
      <${Refused} why=${acting.problem} beside=${FIELDS} />
      <p class="row">
        <button class=${isBookable ? "" : "first"} disabled=${acting.isBusy}>Try it</button>
        ${isBookable && html`<button type="button" class="first" disabled=${acting.isBusy} onclick=${book}>Book the series</button>`}
      </p>
    </form>
    <div aria-live="polite">${tried && html`<${Days} series=${tried.series} />`}</div>`;
}

/** The days of a series that was tried. @param {{series: any}} its */
function Days({ series: { occurrences, bookedUntil } }) {
  const booked = occurrences.filter((/** @type {any} */ each) => each.state === "BOOKED");
  const [refused, later] = ["REFUSED", "AHEAD"].map((state) => occurrences.filter((/** @type {any} */ each) => each.state === state).length);
  const price = sumOf(booked.map((/** @type {any} */ each) => each.price));
  /** @type {import("./ui.js").Column<any>[]} */
  const columns = [
    { head: "Day", cell: (row) => html`<span class="nowrap">${formatDate(row.date)}</span>` },
    { head: "State", cell: (row) => html`<span class=${`state state-${row.state === "REFUSED" ? "REJECTED" : row.state === "AHEAD" ? "PENDING" : "RUNNING"}`}>${row.state === "REFUSED" ? "refused" : row.state === "AHEAD" ? "later" : "would be booked"}</span>` },
    { head: "When", cell: (row) => row.start ? html`<span class="nowrap">${formatRange(row.start, row.end, zone())}</span>` : html`<span class="muted">${row.state === "REFUSED" ? texts.refusals[row.reason] ?? row.reason : "decided when the cluster's horizon reaches it"}</span>` },
    { head: "Price", isNumber: true, cell: (row) => formatMoney(row.price) },
  ];
  return html`
    <section class="panel">
      <p class="note">${booked.length} would be booked${price ? ` for ${price}` : ""}${refused > 0 ? `, ${refused} refused` : ""}${later > 0 ? `, ${later} decided later${bookedUntil ? ` than ${formatDate(bookedUntil)}` : ""}` : ""}. Nothing is booked yet.</p>
      <${Table} caption="Days of the series" name="days" rows=${occurrences} keyOf=${(/** @type {any} */ row) => row.date} columns=${columns} />
    </section>`;
}

/** Returns the sum of amounts of one currency, or "". @param {any[]} amounts */
function sumOf(amounts) {
  const { currency } = amounts.find(Boolean) ?? {};
  const scale = 1_000_000;
  const total = amounts.reduce((sum, each) => sum + Math.round(Number(each?.amount ?? 0) * scale), 0);
  return currency && amounts.every((each) => !each || each.currency === currency) ? formatMoney({ amount: (total / scale).toFixed(2), currency }) : "";
}
