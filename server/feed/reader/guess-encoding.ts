import { analyse } from 'chardet';
import { decodeRare } from './rare-encodings';

const SAMPLE_BYTES = 200_000;

/** Encodings of other scripts, each with its ten most frequent letters. */
const SINGLE_BYTE: [encoding: string, script: RegExp, frequent: RegExp][] = [
  ['windows-1251', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
  ['windows-1255', /\p{Script=Hebrew}/u, /[יוהלארתבמש]/],
  ['windows-1253', /\p{Script=Greek}/u, /[αοιετσνηρυ]/],
  ['iso-8859-7', /\p{Script=Greek}/u, /[αοιετσνηρυ]/],
  ['windows-1256', /\p{Script=Arabic}/u, /[اليمونترب]/],
  ['koi8-r', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
  ['windows-874', /\p{Script=Thai}/u, /[านรกอเงมย่]/],
  ['ibm866', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
];
const DOUBLE_BYTE = ['shift_jis', 'euc-jp', 'big5', 'gbk', 'euc-kr'];
/** Frequent Chinese, Japanese and Korean characters. Text decoded with the wrong encoding hardly contains any. */
const FREQUENT =
  /[的一是不了在人有我他這这中大來来上國国個个到說说們们為为子和你地出道也時时年得就那要下以生會会自着去之過过家學学對对可她里裡后後小么麼心多天而能好都然沒没日於于起还還發发成事只作當当想看文無无開开手十用主行方又如前所本見见經经頭头面公同三已老從从動动兩两長长知樣样现現分將将外但身些與与高意進进把法此實实回二理美]|[\u3041-\u3093\u30a1-\u30f6]|[이가는의을를에다고한은지하]/g;

/** The library names only the smaller encoding of each pair. */
const SUPERSETS: Record<string, string> = { 'iso-8859-8': 'windows-1255', 'iso-8859-8-i': 'windows-1255' };
/** The library can't tell the two apart. */
const GREEK = /^(?:windows-1253|iso-8859-7)$/;
const LATIN = /^(?:windows-125[0478]|iso-8859-(?:2|13))$/;
/**
 * How sure the library must be, in percent; below this, a text is too short for its statistics, or in an encoding that
 * it does not know.
 */
const SURE = 35;
/** The library gives this to any text that is valid in an encoding of several bytes. */
const NO_EVIDENCE = 10;
/** How much likelier than Windows-1252 another Latin encoding must be. */
const MARGIN = 3;
/** With fewer different letters, Latin encodings can't be told apart, and Windows-1252 is the most frequent. */
const MIN_DIFFERENT = 3;

/**
 * Guesses the encoding of bytes that are not UTF-8. `chardet` compares letter groups with those of many languages; for
 * a few words, the share of frequent letters is a better clue.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const text = withoutMarkup(bytes.subarray(0, SAMPLE_BYTES));
  const unknown = unknownToLibrary(text);
  if (unknown) return unknown;
  const isPoor = new Set(text.filter((byte) => byte >= 0x80)).size < MIN_DIFFERENT;
  const found = analyse(text).flatMap(({ name, confidence }) => {
    const encoding = labelOf(name);
    return encoding && decodeStrictly(text, encoding) !== null ? [{ encoding, confidence }] : [];
  });
  const western = found.find(({ encoding }) => encoding === 'windows-1252')?.confidence ?? 0;
  const best = found.find(
    ({ encoding, confidence }) => !LATIN.test(encoding) || (!isPoor && confidence >= western + MARGIN),
  );
  if (best && best.confidence >= SURE && !GREEK.test(best.encoding)) return refineEncoding(text, best.encoding);
  const isBaseless = !best || best.confidence <= NO_EVIDENCE;
  return refineEncoding(text, likeliestOf(text) ?? (isBaseless ? 'windows-1252' : best.encoding));
}

/** ASCII letters of markup would make every text look English. */
function withoutMarkup(bytes: Uint8Array): Uint8Array {
  return Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/<[^<>]*>/g, ' '),
    'latin1',
  );
}

/** Null for encodings that the platform can't decode, and for UTF-8, which was ruled out before. */
function labelOf(name: string): string | null {
  try {
    const { encoding } = new TextDecoder(name);
    return /^utf-/.test(encoding) ? null : (SUPERSETS[encoding] ?? encoding);
  } catch {
    return null;
  }
}

/** Letters of Latvian that Windows-1252 has in the places of its own, and those of western languages. */
const LATVIAN = /[āčēģīķļņšūž]/i;
const WESTERN = /[áéíóúñüàèìòùâêîôûäëïöåæøãõçßœ¿¡]/i;
const SURE_SHARE = 0.97;
const MIN_LETTERS = 3;

/** Encodings in which the text has only letters of one language, although it has hardly any in Windows-1252. */
function unknownToLibrary(text: Uint8Array): string | null {
  if (letterShare(decodeStrictly(text, 'windows-1257'), LATVIAN) >= SURE_SHARE) return 'windows-1257';
  if (letterShare(decodeStrictly(text, 'windows-1252'), WESTERN) > 0.5) return null;
  return (
    ['macintosh', 'ibm850'].find((encoding) => letterShare(decodeStrictly(text, encoding), WESTERN) >= SURE_SHARE) ??
    null
  );
}

/**
 * The share of such letters among the characters that are not ASCII. Quotes and dashes don't count, and capitals within
 * words are wrong.
 */
function letterShare(text: string | null, letters: RegExp): number {
  let [found, all] = [0, 0];
  for (const { 0: char, index } of text?.matchAll(/[\u0080-\uffff]/g) ?? []) {
    if (/[‘’“”„–—…«»\u00a0]/.test(char)) continue;
    all += 1;
    const isWrong = /\p{Lu}/u.test(char) && /\p{Ll}/u.test(text![index - 1] ?? '');
    if (letters.test(char) && !isWrong) found += 1;
  }
  return all < MIN_LETTERS ? 0 : found / all;
}

/**
 * KOI8-U has Ukrainian letters in the places of KOI8-R's line-drawing characters. MacCyrillic is Windows-1251 except for
 * capitals and the last small letter, which would be a capital within words.
 */
function refineEncoding(text: Uint8Array, encoding: string): string {
  if (encoding === 'windows-1251' && /^(?!.*я).*\p{Ll}Я/su.test(decodeStrictly(text, encoding) ?? ''))
    return 'x-mac-cyrillic';
  return encoding === 'koi8-r' && /[╓╔╕╖╛╜╝╞╟╠╡╢╣╤╥╦╧]/.test(decodeStrictly(text, encoding) ?? '')
    ? 'koi8-u'
    : encoding;
}

/** Null if a byte is invalid in the encoding. The last character of the sample may be incomplete. */
function decodeStrictly(sample: Uint8Array, encoding: string): string | null {
  const rare = decodeRare(sample, encoding);
  if (rare !== null) return rare;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}

const PROBABLE = 0.85;

/** The encoding in which the text consists of frequent letters of one script; null if there is none. */
function likeliestOf(text: Uint8Array): string | null {
  const scores = [
    ...SINGLE_BYTE.map(([encoding, ...letters]) => ({
      encoding,
      score: scriptScore(decodeStrictly(text, encoding), ...letters),
    })),
    ...DOUBLE_BYTE.map((encoding) => ({ encoding, score: frequencyScore(decodeStrictly(text, encoding)) })),
  ];
  const best = scores.reduce((best, one) => (one.score > best.score ? one : best));
  return best.score >= PROBABLE ? best.encoding : null;
}

const NON_ASCII = /[\u0080-\uffff]+/g;
const LETTER = /[A-Za-z]/;

/**
 * How many non-ASCII characters are letters of the script in unmixed words, and how frequent its common letters are.
 */
function scriptScore(text: string | null, script: RegExp, frequent: RegExp): number {
  if (!text) return 0;
  let [letters, common, all] = [0, 0, 0];
  for (const { 0: run, index } of text.matchAll(NON_ASCII)) {
    all += run.length;
    const mixed = LETTER.test(text[index - 1] ?? '') || LETTER.test(text[index + run.length] ?? '');
    if (mixed) continue;
    for (const char of run) {
      if (script.test(char)) letters += 1;
      if (frequent.test(char)) common += 1;
    }
  }
  return all === 0 ? 0 : (letters / all) * 0.5 + Math.min(1, common / all / USUAL_SHARE) * 0.5;
}

/** The ten most frequent letters make up more than half of a text. */
const USUAL_SHARE = 0.55;

/**
 * The share of frequent characters: a fifth already gives the full score. Half-width and Latin-1 characters count
 * against it.
 */
function frequencyScore(text: string | null): number {
  if (!text) return 0;
  const nonAscii = text.match(NON_ASCII)?.join('') ?? '';
  if (nonAscii.length === 0) return 0;
  const unlikely = nonAscii.match(/[\uff61-\uff9f\u0080-\u00ff\ue000-\uf8ff]/g)?.length ?? 0;
  const frequent = nonAscii.match(FREQUENT)?.length ?? 0;
  return Math.min(1, (frequent / nonAscii.length) * 5) - unlikely / nonAscii.length;
}
