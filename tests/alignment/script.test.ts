import { expect, test } from 'vitest';
import { sentencesOf, spokenWord } from '~/server/alignment/script';

const passage = (text: string) => ({ startMs: null, endMs: null, speaker: 'Ana', text });

test('paragraphs become sentences of their speaker', () => {
  expect(sentencesOf([passage('Hello there. How are\nyou? “Fine.” Well, e.g. this one')])).toEqual([
    { speaker: 'Ana', text: 'Hello there.', words: ['Hello', 'there.'] },
    { speaker: 'Ana', text: 'How are you?', words: ['How', 'are', 'you?'] },
    { speaker: 'Ana', text: '“Fine.”', words: ['“Fine.”'] },
    { speaker: 'Ana', text: 'Well, e.g. this one', words: ['Well,', 'e.g.', 'this', 'one'] },
  ]);
});

test('a text without full stops becomes passages of 40 words', () => {
  const text = Array.from({ length: 100 }, (_, i) => `w${i}`).join(' ');

  expect(sentencesOf([passage(text)]).map(({ words }) => words.length)).toEqual([40, 40, 20]);
});

test('passages with times stay as they are', () => {
  const cue = { startMs: 0, endMs: 900, speaker: null, text: 'One. Two.' };

  expect(sentencesOf([cue])).toEqual([{ speaker: null, text: 'One. Two.', words: ['One.', 'Two.'] }]);
});

test.each([
  ['niño,', 'niño,'],
  ['don’t', 'don’t'],
  ['–', null],
  ['♪♪', null],
  ['<b>bold</b>', 'bboldb'],
  ['[[h@loU]]', 'hloU'],
  ['a\u0001100Ab', 'a100Ab'],
  ['\u202eabc', 'abc'],
  ['שלום', 'שלום'],
  ['x'.repeat(1_000_000), 'x'.repeat(60)],
])('of %j, a synthesiser says %j', (word, spoken) => {
  expect(spokenWord(word)).toBe(spoken);
});
