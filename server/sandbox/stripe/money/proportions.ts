/** Rounds half away from zero, as money is: 0.5 is 1, and -0.5 is -1. */
export function roundCents(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value)) + 0;
}

/** The part of an amount that falls on `part` of `whole` seconds. */
export function share(amount: number, part: number, whole: number): number {
  if (whole <= 0) return 0;
  // amounts below 10^9 times seconds below 10^8 would leave the exact integers; BigInt does not
  const product = BigInt(amount) * BigInt(part);
  const divisor = BigInt(whole);
  const negative = product < 0n !== divisor < 0n;
  const doubled = (product < 0n ? -product : product) * 2n + divisor;
  const rounded = Number(doubled / (2n * divisor));
  return negative ? -rounded + 0 : rounded;
}

/** What a percentage takes off an amount, in cents. Percentages have at most two decimals. */
export function percentOf(amount: number, percent: number): number {
  return share(amount, Math.round(percent * 100), 10_000);
}

/** Splits a whole by weights, to the cent: the first parts take what rounding leaves. */
export function split(total: number, weights: number[]): number[] {
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

/** Credit for the unused rest of a period and the price of that rest at the new price. */
export function proration(paid: number, price: number, { start, end, at }: { start: number; end: number; at: number }) {
  const rest = Math.max(0, Math.min(end, end - at));
  return { credit: 0 - share(paid, rest, end - start), charge: share(price, rest, end - start) };
}
