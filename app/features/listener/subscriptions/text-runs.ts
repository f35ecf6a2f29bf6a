/** The fonts of a PDF: each covers some scripts. */
export type RunFont = 'latin' | 'latin-ext' | 'greek' | 'cyrillic' | 'arabic' | 'hebrew';
export type TextRun = { font: RunFont; text: string };

const SCRIPTS: [RunFont, RegExp][] = [
  ['arabic', /[\p{Script=Arabic}]/u],
  ['hebrew', /[\p{Script=Hebrew}]/u],
  ['greek', /[\p{Script=Greek}]/u],
  ['cyrillic', /[\p{Script=Cyrillic}]/u],
  ['latin-ext', /[\u0100-\u02af\u1e00-\u1eff]/u],
];
const isRightToLeft = (font: RunFont) => font === 'arabic' || font === 'hebrew';

/** Emoji and their joiners, which no font has. The first three have a glyph. */
const EMOJI = /(?:(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f)/u;
/** Emoji with the spaces around and between them. */
const SPACED_EMOJI = new RegExp(`( ?)${EMOJI.source}(?: ?${EMOJI.source})*( ?)`, 'gu');
const OPENS = /[\p{Ps}\p{Pi}¿¡]$/u;
const CLOSES = /^["\p{Pe}\p{Pf}.,;:!?…]/u;

/** Keeps the text if it consists of emoji only. */
function withoutEmoji(text: string): string {
  const spaced = text.replace(/\s+/g, ' ');
  const left = spaced.replace(SPACED_EMOJI, (all: string, before: string, after: string, at: number) => {
    // a space that parted only the emoji from a quotation mark or a bracket goes with it
    const opens = before === '' && OPENS.test(spaced.slice(0, at));
    const closes = after === '' && CLOSES.test(spaced.slice(at + all.length));
    return opens || closes ? '' : before || after;
  });
  return left.trim() || text;
}

/**
 * Text in the order in which a PDF draws it, from left to right, split by font. The library shapes a word of a
 * right-to-left script, but places words from left to right, so this reverses the order of those words.
 */
export function textRuns(text: string): TextRun[] {
  return inDrawingOrder(wordsOf(withoutEmoji(text))).reduce<TextRun[]>((runs, { font, text: part }) => {
    const last = runs.at(-1);
    if (last?.font === font) last.text += part;
    else runs.push({ font, text: part });
    return runs;
  }, []);
}

const fontOf = (char: string): RunFont | null =>
  SCRIPTS.find(([, pattern]) => pattern.test(char))?.[0] ?? (/\p{L}/u.test(char) ? 'latin' : null);

/** Spaces and signs have no script of their own. */
function wordsOf(text: string): (TextRun & { isNeutral: boolean })[] {
  const parts = text.match(/\s+|\S+/gu) ?? [];
  return parts.flatMap((part) => splitByFont(part));
}

function splitByFont(part: string): (TextRun & { isNeutral: boolean })[] {
  const runs: (TextRun & { isNeutral: boolean })[] = [];
  for (const char of part) {
    const own = fontOf(char);
    const last = runs.at(-1);
    const isMark = own === null && last !== undefined;
    if (last && (isMark || last.font === own)) last.text += char;
    else runs.push({ font: own ?? 'latin', text: char, isNeutral: own === null });
  }
  return runs;
}

function inDrawingOrder(words: (TextRun & { isNeutral: boolean })[]): TextRun[] {
  const ordered: TextRun[] = [];
  for (let i = 0; i < words.length; ) {
    const end = endOfRightToLeft(words, i);
    ordered.push(...(end > i ? words.slice(i, end).reverse() : [words[i]!]));
    i = end > i ? end : i + 1;
  }
  return ordered;
}

/** The end of a run of right-to-left words and the spaces between them. */
function endOfRightToLeft(words: (TextRun & { isNeutral: boolean })[], from: number): number {
  let end = from;
  for (let i = from; i < words.length; i += 1) {
    const { font, isNeutral } = words[i]!;
    if (isRightToLeft(font)) end = i + 1;
    else if (!isNeutral || end === from) break;
  }
  return end;
}
