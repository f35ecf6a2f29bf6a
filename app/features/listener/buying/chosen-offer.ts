/** The value of the button that shows the price of a choice and buys nothing. */
export const CHOOSE = 'choose';

const CHOSEN = ['product', 'interval', 'amount', 'coupon'];

/** The query of the page for the choice in its form. */
export function choiceOf(fields: Record<string, unknown>): URLSearchParams {
  const chosen = CHOSEN.map((name) => [name, String(fields[name] ?? '').trim()] as const);
  return new URLSearchParams(chosen.filter(([, value]) => value !== '').map(([name, value]) => [name, value]));
}
