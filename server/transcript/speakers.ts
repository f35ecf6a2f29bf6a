import { TRANSCRIPT_LIMITS } from '../limits/transcripts';
import type { Cue } from './model';

/** `Ana Ruiz: Hello`, `>> SPEAKER 1: Hello`: up to four words, each with a capital letter or a number. */
const NAMED =
  /^(?:>>\s?|-\s?)?((?:\p{Lu}[\p{L}\p{M}\d.'’_-]{0,30}|\d{1,3})(?: (?:\p{Lu}[\p{L}\p{M}\d.'’_-]{0,30}|\d{1,3})){0,3}):\s+(?=\S)/u;

/**
 * Finds speakers at the beginning of passages, unless the format names them. A name counts if it occurs at least twice,
 * because "Note: …" is not a speaker.
 */
export function findSpeakers(cues: Cue[]): Cue[] {
  if (cues.some(({ speaker }) => speaker !== null)) return cues;
  const names = cues.map(({ text }) => nameIn(text));
  const counts = new Map<string, number>();
  for (const name of names) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  return cues.map((cue, index) => {
    const name = names[index];
    if (!name || (counts.get(name) ?? 0) < 2) return cue;
    return { ...cue, speaker: name, text: cue.text.trimStart().replace(NAMED, '') };
  });
}

function nameIn(text: string): string | null {
  const name = NAMED.exec(text.trimStart().slice(0, 3 * TRANSCRIPT_LIMITS.speakerLength))?.[1];
  return name && name.length <= TRANSCRIPT_LIMITS.speakerLength ? name : null;
}
