/** The position of a line or a word in the former text, and in the later one. */
export type Match = [old: number, next: number];

/** How often all lines together are read at most: texts whose parts become unique one after the other would take minutes. */
const READINGS = 20;

/**
 * The lines that both texts have, in order (patience diff): equal ends first, then lines that are unique in both. Parts
 * that are left after a number of readings count as changed.
 */
export function matchesOf(old: string[], next: string[]): Match[] {
  const matches: Match[] = [];
  let left = READINGS * (old.length + next.length);
  const open: [old: number, oldEnd: number, next: number, nextEnd: number][] = [[0, old.length, 0, next.length]];
  for (let range = open.pop(); range; range = open.pop()) {
    let [a, aEnd, b, bEnd] = range;
    while (a < aEnd && b < bEnd && old[a] === next[b]) matches.push([a++, b++]);
    while (a < aEnd && b < bEnd && old[aEnd - 1] === next[bEnd - 1]) matches.push([--aEnd, --bEnd]);
    left -= aEnd - a + (bEnd - b);
    const anchors = left < 0 ? [] : longestRise(uniqueMatches(old, next, [a, aEnd, b, bEnd]));
    if (anchors.length === 0) continue;
    for (const [oldAt, nextAt] of anchors) {
      open.push([a, oldAt, b, nextAt]);
      matches.push([oldAt, nextAt]);
      [a, b] = [oldAt + 1, nextAt + 1];
    }
    open.push([a, aEnd, b, bEnd]);
  }
  return matches.sort(([one], [other]) => one - other);
}

function uniqueMatches(old: string[], next: string[], [a, aEnd, b, bEnd]: [number, number, number, number]): Match[] {
  const places = new Map<string, { old: number[]; next: number[] }>();
  const placesOf = (line: string) => {
    const found = places.get(line) ?? { old: [], next: [] };
    places.set(line, found);
    return found;
  };
  for (let i = a; i < aEnd; i++) placesOf(old[i]!).old.push(i);
  for (let i = b; i < bEnd; i++) placesOf(next[i]!).next.push(i);
  return [...places.values()]
    .flatMap((at): Match[] => (at.old.length === 1 && at.next.length === 1 ? [[at.old[0]!, at.next[0]!]] : []))
    .sort(([one], [other]) => one - other);
}

/** The longest part of the matches that keeps the order of the edited text, too. */
function longestRise(matches: Match[]): Match[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [i, [, next]] of matches.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (matches[ends[middle]!]![1] < next) low = middle + 1;
      else high = middle;
    }
    before[i] = ends[low - 1] ?? -1;
    ends[low] = i;
  }
  const rise: Match[] = [];
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i]!) rise.push(matches[i]!);
  return rise.reverse();
}
