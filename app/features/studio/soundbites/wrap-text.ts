type Measure = (text: string) => number;
type Block = { text: string; width: number; lines: number; measure: Measure };

const ELLIPSIS = '…';

/**
 * The lines of a text within a width, as many as fit; the last one ends in … if there is more. A word that is wider than a
 * line is broken between characters as readers see them, so that an emoji stays whole.
 */
export function wrapText({ text, width, lines: most, measure }: Block): string[] {
  const words = text
    .split(/\s+/)
    .filter(Boolean)
    .flatMap((word) => broken(word, width, measure));
  const lines: string[] = [];
  for (const { part, joins } of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${joins ? '' : ' '}${part}`;
    if (last !== undefined && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
    if (lines.length > most) return [...lines.slice(0, most - 1), shortened(lines[most - 1] ?? '', width, measure)];
  }
  return lines;
}

type Room = {
  text: string;
  width: number;
  height: number;
  /** In the order in which they are tried. */
  sizes: number[];
  measure: (text: string, size: number) => number;
};

/** Height of a line, in font sizes. */
export const LINE = 1.25;

/** The first size in which a text fits into its room. In the last one, as many lines as fit. */
export function fitText({ text, width, height, sizes, measure }: Room): { size: number; lines: string[] } {
  const mostAt = (size: number) => Math.floor(height / (size * LINE));
  const wrapAt = (size: number, lines: number) =>
    wrapText({ text, width, lines, measure: (part) => measure(part, size) });
  const size = sizes.find((each) => wrapAt(each, mostAt(each) + 1).length <= mostAt(each)) ?? sizes.at(-1)!;
  return { size, lines: wrapAt(size, mostAt(size)) };
}

/** `joins`: continues the word before it. */
type Part = { part: string; joins: boolean };

function broken(word: string, width: number, measure: Measure): Part[] {
  if (measure(word) <= width) return [{ part: word, joins: false }];
  const parts: Part[] = [];
  for (const character of charactersOf(word)) {
    const last = parts.at(-1);
    if (last && measure(last.part + character) <= width) last.part += character;
    else parts.push({ part: character, joins: parts.length > 0 });
  }
  return parts;
}

/** Ends after a whole word if there is one. */
function shortened(line: string, width: number, measure: Measure): string {
  const fits = (text: string) => measure(text.trimEnd() + ELLIPSIS) <= width;
  let words = line;
  while (!fits(words) && words.includes(' ')) words = words.slice(0, words.lastIndexOf(' '));
  const characters = charactersOf(words);
  while (characters.length > 0 && !fits(characters.join(''))) characters.pop();
  return characters.join('').trimEnd() + ELLIPSIS;
}

const charactersOf = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment);

/** The first letter with a direction decides. */
export const isRightToLeft = (text: string): boolean => /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
