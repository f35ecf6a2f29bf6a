/** The value of the button that shows the price of a choice and buys nothing. */
export const CHOOSE = 'choose';

const CHOSEN = ['product', 'interval', 'amount', 'coupon'];

/** The query of the page for the choice in its form. */
export function choiceOf(fields: Record<string, unknown>): URLSearchParams {
  const chosen = CHOSEN.map((name) => [name, String(fields[name] ?? '').trim()] as const);
  return new URLSearchParams(chosen.filter(([, value]) => value !== '').map(([name, value]) => [name, value]));
}

/** What the form fills in: an amount, and the interval that it belongs to. */
export const prefilled = (interval: string, amount: string): string => `${interval} ${amount}`;

/**
 * Without the amount that the page has filled in for another interval: without JavaScript, it stays in its field when
 * the buyer chooses between a month and a year.
 */
export function withoutOtherAmount({ prefilled: filled, ...fields }: Record<string, string>): Record<string, string> {
  const { amount = '', interval = '', ...others } = fields;
  const isOther = filled?.endsWith(` ${amount.trim()}`) && filled !== prefilled(interval, amount.trim());
  return isOther ? { ...others, interval } : fields;
}
