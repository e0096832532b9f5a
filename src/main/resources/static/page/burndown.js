import { amountOf, formatAmount } from "./budget.js";
import { Chart } from "./chart.js";
import { endOf, pesOf, startOf } from "./runs.js";
import { DAY, formatDay, HOUR, iso, now } from "./time.js";
import { Failed, html, useRead } from "./ui.js";
import { zone } from "./url.js";

/** The most charges that are read to draw what was charged. */
const MOST = 5000;
const POINTS = 90;
/** How far back, and at least how far ahead, the chart shows. */
const [PAST, FUTURE] = [90 * DAY, 14 * DAY];
/** The days whose charges the forecast continues. */
const RECENT = 14 * DAY;
/** Charges of a shorter time say nothing about the next weeks. */
const LEAST = 3 * DAY;

/**
 * How a budget is spent over time: what was granted and charged, when what is held will be charged, and a forecast.
 * @param {{api: import("./api.js").Api, path: string, balance: any, live: {all: any[], isMore: boolean}}} its live: the project's reservations
 */
export function BurnDown({ api, path, balance, live }) {
  const { data, problem } = useRead(api, async (api) => {
    const grants = (await api.get(`${path}/grants`)).body.items;
    const present = now();
    const active = grants.filter((/** @type {any} */ each) => Date.parse(each.from) <= present && Date.parse(each.until) > present);
    const charges = active.length > 0 ? await api.all(`${path}/charges`, { from: iso(present - PAST), to: iso(present) }, MOST + 1) : [];
    const from = Math.max(present - PAST, Math.min(...active.map((/** @type {any} */ each) => Date.parse(each.from)), ...charges.slice(0, 1).map(({ at }) => Date.parse(at))));
    return { grants, active, from, present, charges };
  }, [path, balance.charged?.amount ?? balance.charged?.peHours, balance.granted?.amount ?? balance.granted?.peHours]);
  if (!data || data.active.length === 0) {
    return html`<${Failed} why=${problem} />`;
  }
  if (data.charges.length > MOST) {
    return html`<p class="muted">There are more than ${MOST} charges since ${formatDay(data.from, zone())}, too many to draw them.</p>`;
  }
  return html`<${Drawn} balance=${balance} live=${live} ...${data} />`;
}

/** @param {{balance: any, live: {all: any[], isMore: boolean}, grants: any[], active: any[], from: number, present: number, charges: any[]}} its */
function Drawn({ balance, live, grants, active, from, present, charges }) {
  const isHours = balance.granted.peHours !== undefined && balance.granted.peHours !== null;
  const write = (/** @type {number} */ value) => formatAmount(isHours ? { peHours: value } : { amount: value.toFixed(2), currency: balance.granted.currency });
  const [granted, spent] = [amountOf(balance.granted), amountOf(balance.charged)];
  const lastEnd = Math.min(...active.map((each) => Date.parse(each.until)));
  const to = Math.min(lastEnd, present + Math.max(FUTURE, present - from));
  const sum = (/** @type {any[]} */ all, /** @type {(each: any) => number} */ amount) => all.reduce((total, each) => total + amount(each), 0);

  const cost = (/** @type {any} */ each) => (isHours ? each.peHours.charged : Number(each.price.amount));
  const chargedAt = (/** @type {number} */ time) => spent - sum(charges.filter(({ at }) => Date.parse(at) > time), cost);
  const grantedAt = (/** @type {number} */ time) => granted
    - sum(grants.filter((each) => Date.parse(each.from) > time && Date.parse(each.from) <= present), (each) => amountOf(each.amount))
    + sum(grants.filter((each) => Date.parse(each.from) <= time && Date.parse(each.from) > present), (each) => amountOf(each.amount));
  const promise = (/** @type {any} */ each) => (isHours ? (pesOf(each) * (endOf(each) - startOf(each))) / HOUR : Number(each.price?.amount ?? 0));
  const heldUntil = (/** @type {number} */ time) => sum(live.all.filter((each) => endOf(each) <= time), promise);
  const since = Math.max(from, present - RECENT);
  const isForeseen = present - since >= LEAST;
  const rate = isForeseen ? Math.max(0, (spent - chargedAt(since)) / (present - since)) : 0;
  const pace = `If it goes on as in the last ${Math.round((present - since) / DAY)} days, the budget`;

  const times = [...new Set([...Array.from({ length: POINTS + 1 }, (_, i) => from + ((to - from) * i) / POINTS), present])].sort((a, b) => a - b);
  const series = [
    { name: "Charged", colour: "--confirmed", as: "area", values: times.map((time) => (time <= present ? chargedAt(time) : spent)) },
    ...(live.isMore ? [] : [{ name: "Held, by the ends of the runs", colour: "--held", as: "area", isHatched: true, values: times.map((time) => (time >= present ? heldUntil(time) : null)) }]),
    { name: "Granted", colour: "--ink", as: "line", isStepped: true, values: times.map(grantedAt) },
    ...(isForeseen ? [{ name: "Forecast", colour: "--outage", as: "line", isDashed: true, values: times.map((time) => (time >= present ? spent + rate * (time - present) : null)) }] : []),
  ];
  const spentAt = rate > 0 ? present + (granted - spent) / rate : Infinity;
  return html`
    <${Chart} label="Budget over time" times=${times} series=${series} from=${from} to=${to} format=${write} marks=${[{ at: present, text: "now" }]} />
    <p class="muted">${spent >= granted ? "The budget is spent."
      : !isForeseen ? "A forecast needs the charges of three days."
      : spentAt < lastEnd ? `${pace} is spent on ${formatDay(spentAt, zone())}.`
      : `${pace} lasts until its grant ends on ${formatDay(lastEnd, zone())}.`}</p>`;
}
