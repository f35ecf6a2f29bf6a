import { expect, test } from 'vitest';
import { markedWords } from '~/app/lib/marked-words';

test.each([
  ['What you will hear', 'hear', 'What you will [hear]'],
  ['El mar y la marea', 'MAR', 'El [mar] y la [mar]ea'],
  ['Ola, océano', 'oceano ola', '[Ola], [océano]'],
  ['Días de niebla', 'dias', '[Días] de niebla'],
  ['🌊 mar', 'mar', '🌊 [mar]'],
  ['a.b', '.', 'a[.]b'],
  ['Nothing', '', 'Nothing'],
  ['Nothing', 'sea', 'Nothing'],
])('in “%s”, a search for “%s” marks %s', (text, search, expected) => {
  const marked = markedWords(text, search).map((part) => (part.isMatch ? `[${part.text}]` : part.text));

  expect(marked.join('')).toBe(expected);
});
