/**
 * Returns an amount with its currency, exactly as the service has reckoned it.
 * @param {{amount: string, currency: string} | null | undefined} money
 */
export function formatMoney(money) {
  return money ? `${money.amount} ${money.currency}` : "–";
}
