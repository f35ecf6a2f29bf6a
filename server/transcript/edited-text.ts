import { type Cue, isTimed } from './model';
import { parsePlainText } from './parse-plain-text';
import { withText } from './words';

/** The words of a transcript for a text area: a paragraph for each passage, after its speaker. */
export const editableText = (cues: Cue[]): string => cues.map(lineOf).join('\n\n');

const lineOf = ({ speaker, text }: Cue) => (speaker ? `${speaker}: ${text}` : text);

/**
 * The passages of an edited text. Unchanged ones keep their times, and as many changed ones as before take those of the
 * passages that they replace. Others share the time of the passages around which they were added, removed or joined, in
 * proportion to their length.
 */
export function withEditedText(former: Cue[], text: string): Cue[] {
  const lines = former.map(lineOf);
  const edited = parsePlainText(text).map((cue) => cue.text.trim());
  const kept = withNeighbours(matchesOf(lines, edited), former.length, edited.length);
  const speakers = new Set(former.flatMap(({ speaker }) => speaker ?? []));
  const cues: Cue[] = [];
  let [old, next] = [0, 0];
  for (const [oldAt, nextAt] of [...kept, [former.length, edited.length] as Match]) {
    cues.push(...timed(former.slice(old, oldAt), edited.slice(next, nextAt), speakers));
    const same = former[oldAt];
    if (same) cues.push(same);
    [old, next] = [oldAt + 1, nextAt + 1];
  }
  return cues;
}

/** The position of a line in the former text, and in the edited one. */
type Match = [old: number, next: number];

/** Leaves out each match beside which passages were added, because they need a part of its time. */
function withNeighbours(matches: Match[], oldLength: number, nextLength: number): Match[] {
  return matches.filter(([old, next], i) => {
    const [oldAfter, nextAfter] = matches[i + 1] ?? [oldLength, nextLength];
    const isFirstAndLate = i === 0 && old === 0 && next > 0;
    return !isFirstAndLate && !(oldAfter === old + 1 && nextAfter > next + 1);
  });
}

function timed(old: Cue[], next: string[], speakers: Set<string>): Cue[] {
  const said = next.map((line) => spoken(line, speakers));
  if (old.length === next.length) return said.map(({ speaker, text }, i) => ({ ...withText(old[i]!, text), speaker }));
  const within = old.filter(isTimed);
  if (within.length === 0) return said.map((cue) => ({ ...cue, startMs: null, endMs: null }));
  const startMs = within[0]!.startMs;
  const lengthMs = Math.max(...within.map(({ endMs }) => endMs)) - startMs;
  const characters = said.reduce((sum, cue) => sum + cue.text.length, 0);
  let before = 0;
  return said.map((cue) => {
    const at = (count: number) => startMs + Math.round((lengthMs * count) / characters);
    const from = before;
    before += cue.text.length;
    return { ...cue, startMs: at(from), endMs: at(before) };
  });
}

function spoken(line: string, speakers: Set<string>): Pick<Cue, 'speaker' | 'text'> {
  const [, name = '', text = ''] = /^([^:\n]{1,60}):\s+(\S[\s\S]*)$/.exec(line) ?? [];
  return speakers.has(name) ? { speaker: name, text } : { speaker: null, text: line };
}

/** How often all lines together are read at most: texts whose parts become unique one after the other would take minutes. */
const READINGS = 20;

/**
 * The lines that both texts have, in order (patience diff): equal ends first, then lines that are unique in both. Parts
 * that are left after a number of readings count as changed.
 */
function matchesOf(old: string[], next: string[]): Match[] {
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
