import type { HeardPassage } from './heard';

/**
 * Names the voices that an engine has told apart. It numbers them in each piece, so a number says nothing about another
 * piece: every piece continues the count, and the creator gives two numbers the same name. No names if no piece has two
 * voices.
 * @param nameOf the name for the number of a voice, from 1
 */
export function withSpeakerNames<T extends { passages: readonly HeardPassage[] }>(
  pieces: readonly T[],
  nameOf: (voice: number) => string,
): T[] {
  const voices = pieces.map(({ passages }) => [...new Set(passages.flatMap(({ speaker }) => speaker ?? []))]);
  const areNamed = voices.some((of) => of.length > 1);
  let before = 0;
  return pieces.map((piece, at) => {
    const own = voices[at]!;
    const first = before + 1;
    before += own.length;
    const name = (speaker: string) => (areNamed ? nameOf(first + own.indexOf(speaker)) : null);
    const passages = piece.passages.map(({ speaker, ...passage }) =>
      speaker == null ? passage : { ...passage, speaker: name(speaker) },
    );
    return { ...piece, passages };
  });
}
