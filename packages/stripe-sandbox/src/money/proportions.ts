/** Rounds half away from zero, as usual for money: 0.5 becomes 1, and -0.5 becomes -1. */
export function roundCents(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value)) + 0;
}

/** `amount × part ÷ whole`, rounded half away from zero. */
export function prorate(amount: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  // 10^9 cents times 10^8 seconds exceeds the safe integers, so compute with BigInt
  const product = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  const negative = product < 0n !== divisor < 0n;
  const doubled = (product < 0n ? -product : product) * 2n + divisor;
  const rounded = Number(doubled / (2n * divisor));
  return negative ? -rounded + 0 : rounded;
}

/** A percentage of an amount, in cents. Percentages have at most two decimals. */
export function percentOf(amount: number, percent: number): number {
  return prorate(amount, Math.round(percent * 100), 10_000);
}

/** Splits a total by weights, to the cent. The first parts get the cents left over by rounding. */
export function splitByWeight(total: number, weights: number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const floors = weights.map((weight) => Number((BigInt(total) * BigInt(weight)) / BigInt(sum)));
  let left = total - floors.reduce((all, part) => all + part, 0);
  return floors.map((part, i) => {
    if (left <= 0 || weights[i] === 0) return part;
    left -= 1;
    return part + 1;
  });
}

export type ChangedPeriod = {
  start: number;
  end: number;
  /** When the price changes. */
  at: number;
  /** The length of a whole period, for which the new price is charged; the present period may be shorter. */
  whole?: number;
};

/** The credit for the unused time of a period, and the charge for it at the new price. */
export function proration(paid: number, price: number, { start, end, at, whole = end - start }: ChangedPeriod) {
  const rest = Math.max(0, Math.min(end, end - at));
  return { credit: 0 - prorate(paid, rest, end - start), charge: prorate(price, rest, whole) };
}
