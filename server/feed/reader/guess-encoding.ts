const SAMPLE_BYTES = 200_000;

/** Single-byte encodings, each with its script and the ten most frequent letters. */
const SINGLE_BYTE: [encoding: string, script: RegExp, frequent: RegExp][] = [
  ['windows-1251', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
  ['windows-1255', /\p{Script=Hebrew}/u, /[יוהלארתבמש]/],
  ['windows-1253', /\p{Script=Greek}/u, /[αοιετσνηρυ]/],
  ['windows-1256', /\p{Script=Arabic}/u, /[اليمونترب]/],
  ['koi8-r', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
];
const DOUBLE_BYTE = ['shift_jis', 'euc-jp', 'big5', 'gbk', 'euc-kr'];
/** Frequent Chinese, Japanese and Korean characters. Text decoded with the wrong encoding hardly contains any. */
const FREQUENT =
  /[的一是不了在人有我他這这中大來来上國国個个到說说們们為为子和你地出道也時时年得就那要下以生會会自着去之過过家學学對对可她里裡后後小么麼心多天而能好都然沒没日於于起还還發发成事只作當当想看文無无開开手十用主行方又如前所本見见經经頭头面公同三已老從从動动兩两長长知樣样现現分將将外但身些與与高意進进把法此實实回二理美]|[\u3041-\u3093\u30a1-\u30f6]|[이가는의을를에다고한은지하]/g;

/**
 * Guesses the encoding of bytes that are not UTF-8. Letters of another script occur next to each other; accented Latin
 * letters occur between plain ones.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const latin = { encoding: 'windows-1252', score: latinScore(decodeStrictly(sample, 'windows-1252') ?? '') };
  const others = [
    ...SINGLE_BYTE.map(([encoding, ...letters]) => ({
      encoding,
      score: scriptScore(decodeStrictly(sample, encoding), ...letters),
    })),
    ...DOUBLE_BYTE.map((encoding) => ({ encoding, score: frequencyScore(decodeStrictly(sample, encoding)) })),
  ];
  return others.reduce((best, one) => (one.score > best.score ? one : best), latin).encoding;
}

/** Null if a byte is invalid in the encoding. The last character of the sample may be incomplete. */
function decodeStrictly(sample: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}

const NON_ASCII = /[\u0080-\uffff]+/g;
const LETTER = /[A-Za-z]/;

/** The share of non-ASCII characters that are accented letters next to plain ones, or typographic characters. */
function latinScore(text: string): number {
  let good = 0;
  let all = 0;
  for (const { 0: run, index } of text.matchAll(NON_ASCII)) {
    all += run.length;
    const near = LETTER.test(text[index - 1] ?? '') || LETTER.test(text[index + run.length] ?? '');
    if (run.length <= 2 && (near || /^[\u0080-\u00bf\u2010-\u2122]+$/.test(run))) good += run.length;
  }
  return all === 0 ? 1 : (good / all) * 0.9;
}

/** How many non-ASCII characters are letters of the script in unmixed words, and how frequent its common letters are. */
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

/** How many characters are frequent ones: a fifth already scores full. Half-width and Latin-1 characters count against. */
function frequencyScore(text: string | null): number {
  if (!text) return 0;
  const nonAscii = text.match(NON_ASCII)?.join('') ?? '';
  if (nonAscii.length === 0) return 0;
  const unlikely = nonAscii.match(/[\uff61-\uff9f\u0080-\u00ff\ue000-\uf8ff]/g)?.length ?? 0;
  const frequent = nonAscii.match(FREQUENT)?.length ?? 0;
  return Math.min(1, (frequent / nonAscii.length) * 5) - unlikely / nonAscii.length;
}
