import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { probe } from "./book-probe.js";
import { formatMoney } from "./money.js";
import { DAY, formatDuration, formatInstant, iso, now } from "./time.js";
import { Failed, html, Skeleton, useRead } from "./ui.js";
import { zone } from "./url.js";

/** The slacks to ask for, as multiples of the present one. */
const MULTIPLES = [0, 0.25, 0.5, 1, 2, 4, 8];
const MINUTE = 60_000;
/** How long the request must stay the same, in milliseconds. */
const PAUSE = 500;

/**
 * What a run costs by its deadline. It asks once it is opened.
 * @param {{api: import("./api.js").Api, question: import("./book-probe.js").Question, choose: (deadline: number) => void}} its
 */
export function Prices({ api, question, choose }) {
  const isOpen = useSignal(false);
  return html`
    <section class="panel">
      <details ontoggle=${(/** @type {any} */ { target }) => { isOpen.value = target.open; }}>
        <summary><strong>Price by deadline</strong></summary>
        ${isOpen.value && html`<${Curve} api=${api} question=${question} choose=${choose} />`}
      </details>
    </section>`;
}

/** @param {{api: import("./api.js").Api, question: import("./book-probe.js").Question, choose: (deadline: number) => void}} its */
function Curve({ api, question, choose }) {
  const { want } = question;
  const key = JSON.stringify([want.terms, question.cluster]);
  const settled = useSignal(key);
  useEffect(() => {
    const waiting = setTimeout(() => {
      settled.value = key;
    }, PAUSE);
    return () => clearTimeout(waiting);
  }, [key]);
  const { data, problem } = useRead(api, async (api) => {
    const own = settled.peek();
    const soonest = Math.max(now(), want.start) + want.run * 1000;
    const slack = want.end - soonest > 10 * MINUTE ? want.end - soonest : DAY;
    const points = [];
    for (const each of MULTIPLES) {
      const deadline = Math.abs(soonest + each * slack - want.end) < MINUTE ? want.end : Math.ceil((soonest + each * slack) / MINUTE) * MINUTE;
      const terms = { ...want.terms, deadline: iso(deadline) };
      // one after the other: a client may have few searches at a time
      const slots = own !== settled.peek() ? null
        : await probe(api, { ...question, want: { ...want, terms }, order: "LOWEST_PRICE" }, { limit: 1 }).then(({ body }) => body.slots, () => null);
      if (slots) {
        points.push({ deadline, price: slots[0]?.price, isHere: deadline === want.end });
      }
    }
    if (points.length === 0 && own === settled.peek()) {
      throw new Error("The prices could not be read.");
    }
    return points;
  }, [settled.value]);
  if (!data) {
    return problem ? html`<${Failed} why=${problem} />` : html`<${Skeleton} />`;
  }
  return html`
    <p class="muted">If the run may still move, and may end by …, its cheapest place costs …</p>
    <${PriceList} points=${data} here=${want.end} choose=${choose} />`;
}

/**
 * Deadlines to choose from, with the price of each.
 * @param {{points: {deadline: number, price: any, isHere: boolean}[], here: number, choose: (deadline: number) => void}} its
 *   price: missing if nothing fits
 */
export function PriceList({ points, here, choose }) {
  const highest = Math.max(...points.map(({ price }) => Number(price?.amount ?? 0)));
  return html`
    <ol class="prices">${points.map(({ deadline, price, isHere }) => html`
      <li key=${deadline}><button type="button" class="quiet" aria-current=${isHere ? "true" : null} onclick=${() => choose(deadline)}>
        <span class="nowrap">${formatInstant(deadline, zone())}</span>
        <span class="bar"><i style=${{ width: `${price ? (100 * Number(price.amount)) / (highest || 1) : 0}%` }}></i></span>
        <span class="nowrap">${price ? formatMoney(price) : "nothing fits"}</span>
        <span class="muted nowrap">${isHere ? "you are here" : `${deadline < here ? "−" : "+"}${formatDuration(Math.abs(deadline - here) / 1000)}`}</span>
      </button></li>`)}</ol>`;
}
