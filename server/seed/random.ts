/** A pseudo-random generator with a fixed seed: demo data must not change between two starts. */
export type Random = {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number; both bounds are included. */
  integer(from: number, to: number): number;
  pick<T>(choices: readonly T[]): T;
};

export function seededRandom(seed: string): Random {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return { next, integer, pick: (choices) => choices[integer(0, choices.length - 1)]! };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ char.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}
