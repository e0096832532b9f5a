/**
 * Returns an amount with its currency, without rounding.
 * @param {{amount: string, currency: string} | null | undefined} money
 */
export function formatMoney(money) {
  return money ? `${money.amount} ${money.currency}` : "–";
}
