import { expect, test } from 'vitest';
import { withSpeakerNames } from '~/server/transcript/speakers-of-pieces';

const passage = (speaker: string | null) => ({ startMs: 0, endMs: 1, text: 'x', words: [], speaker });
const namesIn = (...pieces: (string | null)[][]) =>
  withSpeakerNames(
    pieces.map((speakers) => ({ passages: speakers.map(passage) })),
    (voice) => `Speaker ${voice}`,
  ).map(({ passages }) => passages.map(({ speaker }) => speaker));

test('voices are numbered in each piece, because an engine names them again there', () => {
  expect(namesIn(['A', 'B', 'A'], ['A', null])).toEqual([
    ['Speaker 1', 'Speaker 2', 'Speaker 1'],
    ['Speaker 3', undefined],
  ]);
});

test('one voice per piece is probably one speaker, who needs no name', () => {
  expect(namesIn(['0', '0'], ['0'])).toEqual([[null, null], [null]]);
});
