/** Shorter names resemble too many others. */
const SHORTEST = 6;
const MOST_EDITS = 2;

export type Misspelt = { name: string; meant: string };

/**
 * Variables that are not settings but are nearly named like one, such as DATABSE_URL. If the correct name is set as
 * well, only a single typo counts: other programs have variables of their own.
 */
export function misspeltSettings(source: Record<string, string | undefined>, known: readonly string[]): Misspelt[] {
  const isKnown = new Set(known);
  const names = known.filter((name) => name.length >= SHORTEST);
  const missing = names.filter((name) => !source[name]?.trim());
  return Object.keys(source).flatMap((name) => {
    if (isKnown.has(name) || name.length < SHORTEST || !/^[A-Z][A-Z0-9_-]*$/.test(name)) return [];
    const meant =
      missing.find((other) => countEdits(name, other) <= MOST_EDITS) ??
      names.find((other) => countEdits(name, other) <= 1);
    return meant ? [{ name, meant }] : [];
  });
}

export const describeMisspelt = ({ name, meant }: Misspelt): string => `${name} is no setting: did you mean ${meant}?`;

/**
 * Insertions, deletions, replacements and swaps of neighbours. A start compares thousands of pairs, of which nearly all
 * differ in more letters than two edits could change.
 */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return MOST_EDITS + 1;
  if (countBits(lettersOf(a) ^ lettersOf(b)) > 2 * MOST_EDITS) return MOST_EDITS + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (isSame ? 0 : 1),
        isSwap ? before[j - 2]! + 1 : 99,
      );
    }
    if (Math.min(...row, ...next) > MOST_EDITS) return MOST_EDITS + 1;
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

const known = new Map<string, number>();

/** The letters of a name as the bits of a number. A replacement changes two of them, other edits at most one. */
function lettersOf(name: string): number {
  let letters = known.get(name) ?? 0;
  if (letters === 0) for (let i = 0; i < name.length; i += 1) letters |= 1 << (name.charCodeAt(i) % 32);
  known.set(name, letters);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
