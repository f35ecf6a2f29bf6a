import { expect, test } from 'vitest';
import { GLOSSARY_LIMITS } from '~/server/limits/transcripts';
import { findUnfitLine, glossaryOf, parseEntry, spellingsOf, withGlossary } from '~/server/transcript/glossary';
import type { Cue, WordTime } from '~/server/transcript/model';
import { wordsOf } from '~/server/transcript/words';

const corrected = (lines: string[], text: string) =>
  withGlossary({ startMs: 0, endMs: 9000, speaker: null, text }, glossaryOf(lines)).text;

test.each<[lines: string[], text: string, result: string]>([
  [['Altavoz = alta voz'], 'Alta voz, and alta  voz!', 'Altavoz, and Altavoz!'],
  // whole words only
  [['Ana = anna'], 'Annabel, anna’s, joanna, anna_x, ANNA', 'Annabel, Ana’s, joanna, Ana_x, Ana'],
  [['Íñigo = iñigo'], 'miñigo iñigoa iñigo', 'miñigo iñigoa Íñigo'],
  // a capital in the form is matched as it is written
  [['Marc = Mark'], 'Mark my words: mark them', 'Marc my words: mark them'],
  // a spelling without capitals keeps those of the place
  [['podcasting = pod casting'], 'Pod casting is not pod casting.', 'Podcasting is not podcasting.'],
  [['¡olé! = ole'], 'Ole', '¡Olé!'],
  // the longest form counts, then the first line
  [['A1 = new york', 'B2 = new york city'], 'new york city and new york', 'B2 and A1'],
  [['A1 = foo', 'B2 = foo'], 'foo', 'A1'],
  // places do not overlap, and a longer last word is another word
  [['A1 = one two', 'B2 = two three'], 'one two three', 'A1 three'],
  [['A1 = alta vo'], 'alta voz', 'alta voz'],
  // a result is not corrected again
  [['two = one', 'three = two'], 'one two', 'two three'],
  [['.NET = dot net, .net', 'C++ = c ++'], 'dot net (.net) and c ++', '.NET (.NET) and C++'],
  // letters that mean something in patterns, and in replacements
  [['$& = dollar (and'], 'a dollar (and b', 'a dollar (and b'],
  [['$1 = one dollar'], 'one dollar', '$1'],
  [['Altavoz = alta-voz', 'email = e-mali'], 'alta-voz, e-mali', 'Altavoz, email'],
  [['שלום = שלוםם'], 'אמר שלוםם.', 'אמר שלום.'],
  // a spelling alone is a hint, and changes nothing
  [['Altavoz'], 'altavoz', 'altavoz'],
  [[], 'as it is', 'as it is'],
])('%j corrects %j', (lines, text, result) => {
  expect(corrected(lines, text)).toBe(result);
});

test('a form may have any sign', () => {
  const signs = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter(
    (sign) => !/[\w,=]/.test(sign),
  );
  for (const sign of signs) expect(corrected([`Right = a${sign}b`], `say a${sign}b now`)).toBe('say Right now');
});

const timed = (text: string): Cue & { words: WordTime[] } => ({
  ...{ startMs: 0, endMs: 900, speaker: 'Ana', text, confidence: 0.4 },
  words: wordsOf(text).map((_, index) => [index * 100, index * 100 + 80]),
});

test.each<[text: string, words: WordTime[]]>([
  // as many words: the same times
  [
    'the foo sea',
    [
      [0, 80],
      [100, 180],
      [200, 280],
    ],
  ],
  [
    'the blue whale sea',
    [
      [0, 80],
      [100, 180],
      [200, 280],
      [300, 380],
    ],
  ],
  // two words for one share its time, one for two has the time of both
  [
    'the bar sea',
    [
      [0, 80],
      [100, 127],
      [127, 180],
      [200, 280],
    ],
  ],
  [
    'the alta voz, sea',
    [
      [0, 80],
      [100, 280],
      [300, 380],
    ],
  ],
  // two places in one word
  [
    'the foo/bar sea',
    [
      [0, 80],
      [100, 157],
      [157, 180],
      [200, 280],
    ],
  ],
  [
    'alta voz alta voz',
    [
      [0, 180],
      [200, 380],
    ],
  ],
])('the words of %j keep their times', (text, words) => {
  const glossary = glossaryOf(['FOO = foo', 'Blue Whale = blue whale', 'B AR = bar', 'Altavoz = alta voz']);

  const cue = withGlossary(timed(text), glossary);

  expect(cue).toMatchObject({ startMs: 0, endMs: 900, speaker: 'Ana', confidence: 0.4 });
  expect(cue.words).toEqual(words);
  expect(cue.words).toHaveLength(wordsOf(cue.text).length);
});

test('passages that stay are the same objects; words that do not fit their text get no times', () => {
  const glossary = glossaryOf(['FOO = foo']);
  const same = timed('nothing here, but FOO');

  expect(withGlossary(same, glossary)).toBe(same);
  expect(withGlossary({ ...timed('a foo'), words: [[0, 1]] }, glossary)).toEqual({
    ...{ startMs: 0, endMs: 900, speaker: 'Ana', text: 'a FOO', confidence: 0.4 },
  });
});

test.each<[string, ReturnType<typeof parseEntry>]>([
  ['Altavoz', { spelling: 'Altavoz', heard: [] }],
  [' Altavoz=alta voz ,, alta boz', { spelling: 'Altavoz', heard: ['alta voz', 'alta boz'] }],
  ['E = m = c', { spelling: 'E', heard: ['m = c'] }],
  ['= alta voz', null],
  ['Altavoz = ...', null],
  ['Altavoz = a, b, c, d, e, f', null],
  ['x'.repeat(GLOSSARY_LIMITS.formLength + 1), null],
])('the entry of %j', (line, entry) => {
  expect(parseEntry(line)).toEqual(entry);
});

test('the first unfit line is named, and engines get the spellings of the others', () => {
  expect(findUnfitLine(['A = b', 'C', '= x', '='])).toBe('= x');
  expect(findUnfitLine(['A = b'])).toBeNull();
  expect(spellingsOf(['A = b', '=', 'C'])).toEqual(['A', 'C']);
});

test('of forms that begin with one word, a bounded number is compared with each of its places', () => {
  const lines = Array.from({ length: 200 }, (_, n) => `Name${n} = a x${n}, a y${n}, a z${n}`);

  const { text } = withGlossary({ startMs: 0, endMs: 1, speaker: null, text: 'a x0 and a x199' }, glossaryOf(lines));

  expect(text).toBe('Name0 and a x199');
});

test('a long text with a full glossary is read once', () => {
  const lines = Array.from(
    { length: 200 },
    (_, n) => `Name${n} = aa${n} bb, aa${n} cc, aa${n} dd, aa${n} ee, aa${n} ff`,
  );
  const text = Array.from({ length: 4000 }, (_, n) => `aa${n % 300}`).join(' ');
  const glossary = glossaryOf(lines);
  let tried = 0;
  for (const forms of glossary.values())
    for (const form of forms) {
      const { pattern } = form;
      form.pattern = () => {
        tried++;
        return pattern();
      };
    }

  withGlossary({ startMs: 0, endMs: 1, speaker: null, text }, glossary);

  // only the forms that begin with the word: five for two words of three
  expect(tried).toBeLessThan(4000 * 5);
});
