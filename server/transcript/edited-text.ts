import { type Match, matchesOf } from './common-lines';
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
