const grouped = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 20 });

/**
 * Returns an amount with its currency, without rounding, such as "10,251.33 EUR".
 * @param {{amount: string, currency: string} | null | undefined} money
 */
export function formatMoney(money) {
  return money ? `${grouped.format(/** @type {any} */ (money.amount))} ${money.currency}` : "–";
}
