import type { Cue } from './model';

/** A paragraph becomes a passage without times. */
export function parsePlainText(text: string): Cue[] {
  const paragraphs: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trim() === '') paragraphs.push([]);
    else paragraphs.at(-1)!.push(line);
  }
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => ({ startMs: null, endMs: null, speaker: null, text: lines.join('\n') }));
}
