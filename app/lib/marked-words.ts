type Part = { text: string; isMatch: boolean };

/**
 * Splits a text where words of a search occur in it, in any case and with or without accents, as the search finds them.
 * Parts of words match, too.
 */
export function markedWords(text: string, search: string): Part[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  // one plain character for each one of the text, so that positions are the same in both
  const letters = [...text];
  const plainText = letters.map((letter) => plain(letter)[0] ?? ' ').join('');
  const isMarked = letters.map(() => false);
  for (const word of words)
    for (let at = plainText.indexOf(word); at !== -1; at = plainText.indexOf(word, at + word.length))
      isMarked.fill(true, at, at + word.length);
  const parts: Part[] = [];
  for (const [i, letter] of letters.entries()) {
    const last = parts.at(-1);
    if (last?.isMatch === isMarked[i]) last!.text += letter;
    else parts.push({ text: letter, isMatch: isMarked[i] ?? false });
  }
  return parts;
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
