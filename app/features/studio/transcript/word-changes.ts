import { matchesOf } from '~/server/transcript/common-lines';
import type { Cue } from '~/server/transcript/model';
import { wordsOf } from '~/server/transcript/words';
import type { Passage } from './use-passages';

/** Words that replaced others, at the passage in which they are now. */
export type WordChange = { passage: Passage; before: string; after: string };

/**
 * What differs between two texts, word by word and in order. Passages that begin at the same time are compared with each
 * other, because a talk repeats its words.
 */
export function wordChanges(original: Cue[], passages: Passage[]): WordChange[] {
  const starts = new Set(passages.map(({ cue }) => cue.startMs));
  const common = new Set(original.flatMap(({ startMs }) => (startMs !== null && starts.has(startMs) ? startMs : [])));
  const before = inGroups(original, common, (cue) => cue);
  const after = inGroups(passages, common, ({ cue }) => cue);
  const changes: WordChange[] = [];
  let last: Passage | undefined = passages[0];
  for (const start of [null, ...common]) {
    const [old, next] = [before.get(start) ?? [], after.get(start) ?? []];
    last = next[0] ?? last;
    if (last) changes.push(...changesOf(old, next, last));
  }
  return changes;
}

/** Items by the common time at which they or the ones before them begin; null before the first one. */
function inGroups<Item>(items: Item[], common: Set<number>, cueOf: (item: Item) => Cue): Map<number | null, Item[]> {
  const groups = new Map<number | null, Item[]>();
  let start: number | null = null;
  for (const item of items) {
    const { startMs } = cueOf(item);
    if (startMs !== null && common.has(startMs)) start = startMs;
    const group = groups.get(start);
    if (group) group.push(item);
    else groups.set(start, [item]);
  }
  return groups;
}

function changesOf(original: Cue[], passages: Passage[], place: Passage): WordChange[] {
  const old = original.flatMap(({ text }) => wordsOf(text));
  const places = passages.flatMap((passage) => wordsOf(passage.cue.text).map(() => passage));
  const next = passages.flatMap(({ cue }) => wordsOf(cue.text));
  const changes: WordChange[] = [];
  let [from, to] = [0, 0];
  for (const [oldAt, nextAt] of [...matchesOf(old, next), [old.length, next.length] as const]) {
    const passage = places[Math.min(to, places.length - 1)] ?? place;
    if (oldAt > from || nextAt > to)
      changes.push({ passage, before: old.slice(from, oldAt).join(' '), after: next.slice(to, nextAt).join(' ') });
    [from, to] = [oldAt + 1, nextAt + 1];
  }
  return changes;
}
