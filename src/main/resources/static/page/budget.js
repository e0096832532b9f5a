import { formatMoney } from "./money.js";
import { html } from "./ui.js";

/** The share of a budget from which on it is low. */
const LOW = 0.8;

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** Returns an amount of a budget: money or PE-hours. @param {any} each */
export function formatAmount(each) {
  return each.peHours === undefined || each.peHours === null ? formatMoney(each) : `${number.format(each.peHours)} PE-hours`;
}

/** Returns an amount of a budget as a number. @param {any} each */
export function amountOf(each) {
  return Number(each?.peHours ?? each?.amount ?? 0);
}

/**
 * How a budget stands: a bar of what is charged and held, in amber from 80 % on, and red if that is more than the project has.
 * @param {{balance: any}} its
 */
export function Budget({ balance: { granted, charged, held, available, creditLimit, mode } }) {
  if (!granted) {
    return html`<p class="muted">No budget is granted.</p>`;
  }
  const most = amountOf(granted) + amountOf(creditLimit);
  const [spent, promised] = [amountOf(charged), amountOf(held)];
  const whole = Math.max(most, spent + promised) || 1;
  const isOver = amountOf(available) < 0;
  const isLow = !isOver && spent + promised > 0 && spent + promised >= LOW * amountOf(granted);
  const share = most > 0 ? Math.round(((spent + promised) / most) * 100) : 0;
  return html`
    <div class=${`budget ${isOver ? "over" : isLow ? "low" : ""}`}>
      <div class="bar" role="img" aria-label=${`${share} % is charged or held`}>
        <i style=${{ width: `${(spent / whole) * 100}%` }}></i><i class="held" style=${{ width: `${(promised / whole) * 100}%` }}></i>
      </div>
      <p><strong class="nowrap">${formatAmount(available)}</strong> available of <span class="nowrap">${formatAmount(granted)}</span>${
        isOver ? ", more is held and charged than granted" : isLow ? ", most of the budget is held or charged" : ""}</p>
      <p class="muted"><span class="nowrap">${formatAmount(charged)}</span> charged, <span class="nowrap">${formatAmount(held)}</span> held. ${mode === "ENFORCE"
        ? "Enforced: Berth refuses what the project cannot pay." : "Tracked only."}</p>
    </div>`;
}
