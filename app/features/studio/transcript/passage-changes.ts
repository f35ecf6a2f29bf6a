import { TRANSCRIPT_EDITING_LIMITS } from '~/server/limits/transcripts';
import type { CueChange } from '~/server/transcript/edit-cues';
import type { Cue } from '~/server/transcript/model';
import { withoutEmptyLines } from '~/server/transcript/words';

/** A change with the passages that it replaces, by which its place is found again in another version. */
export type PassageChange = CueChange & {
  was: Cue[];
  /** The passage before it, for a change that only adds. */
  after: Cue | null;
};

/** What has changed since the last save. Passages that did not change are the same objects, in the same order. */
export function changesBetween(saved: Cue[], current: Cue[]): PassageChange[] {
  const [start, end] = commonEnds(saved, current);
  const changes: PassageChange[] = [];
  const places = new Map(saved.slice(start, saved.length - end).map((cue, index) => [cue, start + index]));
  let from = start;
  let cues: Cue[] = [];
  const close = (to: number) => {
    if (to > from || cues.length > 0)
      changes.push({ at: from, remove: to - from, cues, was: saved.slice(from, to), after: saved[from - 1] ?? null });
  };
  for (const cue of current.slice(start, current.length - end)) {
    const at = places.get(cue);
    if (at === undefined) cues.push(cue);
    else {
      close(at);
      [from, cues] = [at + 1, []];
    }
  }
  close(saved.length - end);
  return changes;
}

/** How many passages are the same at both ends: this runs on every key, in lists of thousands. */
function commonEnds(saved: Cue[], current: Cue[]): [start: number, end: number] {
  const shorter = Math.min(saved.length, current.length);
  let [start, end] = [0, 0];
  while (start < shorter && saved[start] === current[start]) start++;
  while (end < shorter - start && saved.at(-1 - end) === current.at(-1 - end)) end++;
  return [start, end];
}

/** Bytes of changes in one request: a call takes 200,000. */
const REQUEST_BYTES = 120_000;
const PIECE = 100;

/** The first changes, as many as one request takes; at least one of them. */
export function firstPart(changes: PassageChange[]): CueChange[] {
  const part: CueChange[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const piece of changes.flatMap(piecesOf)) {
    bytes += encoder.encode(JSON.stringify(piece)).length;
    const isFull = bytes > REQUEST_BYTES || part.length === TRANSCRIPT_EDITING_LIMITS.changes;
    if (isFull && part.length > 0) break;
    part.push(piece);
  }
  return part;
}

/** A change of many passages in pieces, where each passage replaces one: in between, the times stay in order. */
function piecesOf({ at, remove, cues }: PassageChange): CueChange[] {
  if (remove !== cues.length || remove <= PIECE) return [{ at, remove, cues }];
  return Array.from({ length: Math.ceil(remove / PIECE) }, (_, index) => {
    const piece = cues.slice(index * PIECE, (index + 1) * PIECE);
    return { at: at + index * PIECE, remove: piece.length, cues: piece };
  });
}

/**
 * The changes in another version of the transcript. `lost`: changes of passages that the other version has changed as
 * well. Changes that it already has count as made, because the answer to a save may not have arrived.
 */
export function rebase(
  changes: Omit<PassageChange, 'at' | 'remove'>[],
  theirs: Cue[],
): { changes: CueChange[]; lost: Cue[] } {
  const made: CueChange[] = [];
  const lost: Cue[] = [];
  let from = 0;
  for (const { was, after, cues } of changes) {
    const added = after ? find(theirs, [after], from) : -1;
    const at = was.length > 0 ? find(theirs, was, from) : after ? (added < 0 ? -1 : added + 1) : 0;
    const done = cues.length > 0 ? find(theirs, cues, from) : -1;
    if (at >= 0 && !(was.length === 0 && done === at)) {
      made.push({ at, remove: was.length, cues });
      from = at + was.length;
    } else if (done >= 0) from = done + cues.length;
    else lost.push(...cues);
  }
  return { changes: made, lost };
}

function find(list: Cue[], wanted: Cue[], from: number): number {
  for (let at = from; at + wanted.length <= list.length; at++) {
    if (wanted.every((cue, index) => isSame(cue, list[at + index]!))) return at;
  }
  return -1;
}

/** The server removes empty lines, and the space around each line. */
const isSame = (one: Cue, other: Cue) =>
  one.startMs === other.startMs &&
  one.speaker === other.speaker &&
  withoutEmptyLines(one.text) === withoutEmptyLines(other.text);
