import { Chart } from "./chart.js";
import { formatMoney } from "./money.js";
import { DAY, formatInstant, now } from "./time.js";
import { html, useRead } from "./ui.js";
import { zone } from "./url.js";

const SHOWN = 14 * DAY;

/**
 * What an hour on one PE costs in the next two weeks, if a program sends the cluster's prices by the hour; otherwise nothing.
 * @param {{api: import("./api.js").Api, cluster: any}} its
 */
export function Hours({ api, cluster }) {
  const { data } = useRead(api, async (api) => (await api.get(`/clusters/${encodeURIComponent(cluster.id)}/signal`)).body, [cluster.id]);
  if (!data?.to || Date.parse(data.to) <= now()) {
    return null;
  }
  const { tariff, unit = "PE" } = cluster;
  const [from, until] = [now(), Date.parse(data.to)];
  const to = Math.min(from + SHOWN, until);
  const changes = data.factors.map((/** @type {any} */ step) => ({ at: Date.parse(step.from), factor: Number(step.factor) }));
  const first = changes.filter((/** @type {{at: number}} */ { at }) => at <= from).at(-1)?.factor ?? 1;
  const steps = [{ at: from, factor: first }, ...changes.filter((/** @type {{at: number}} */ { at }) => at > from && at < to)];
  const money = (/** @type {number} */ amount) => formatMoney({ amount: String(Math.round(amount * 1e4) / 1e4), currency: tariff.currency });
  const price = (/** @type {number} */ factor) => factor * Number(tariff.pricePerPeHour);
  const lowest = steps.reduce((one, other) => other.factor < one.factor ? other : one);
  const says = `An hour on one ${unit} costs ${money(price(first))} now${lowest.factor < first ? `, and ${money(price(lowest.factor))} from ${formatInstant(lowest.at, zone())}, when it costs least` : ", which is the lowest price"}.`;
  return html`
    <section class="panel">
      <h2>Prices by the hour <span class="muted">${cluster.id}</span></h2>
      <p>${says}</p>
      <${Chart} isPlain label=${`Prices of ${cluster.id} by the hour. ${says}`} height=${110} times=${steps.map(({ at }) => at)} to=${to} format=${money}
        series=${[{ name: `an hour on one ${unit}`, colour: "--held", values: steps.map(({ factor }) => price(factor)), isStepped: true }]} />
      <p class="muted small">From <bdi>${data.source}</bdi>, until ${formatInstant(until, zone())}. What is booked keeps its price.</p>
    </section>`;
}
