const SAMPLE = 200_000;

/** Encodings of one byte a character, with the script they are made for and its most frequent letters. */
const SINGLE: [encoding: string, script: RegExp, frequent: RegExp][] = [
  ['windows-1251', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
  ['windows-1255', /\p{Script=Hebrew}/u, /[יוהלארתבמש]/],
  ['windows-1253', /\p{Script=Greek}/u, /[αοιετσνηρυ]/],
  ['windows-1256', /\p{Script=Arabic}/u, /[اليمونترب]/],
  ['koi8-r', /\p{Script=Cyrillic}/u, /[оеаинтсрвл]/],
];
const DOUBLE = ['shift_jis', 'euc-jp', 'big5', 'gbk', 'euc-kr'];
/** Among the most frequent of Chinese, Japanese and Korean: text read in the wrong encoding hardly holds them. */
const FREQUENT =
  /[的一是不了在人有我他這这中大來来上國国個个到說说們们為为子和你地出道也時时年得就那要下以生會会自着去之過过家學学對对可她里裡后後小么麼心多天而能好都然沒没日於于起还還發发成事只作當当想看文無无開开手十用主行方又如前所本見见經经頭头面公同三已老從从動动兩两長长知樣样现現分將将外但身些與与高意進进把法此實实回二理美]|[\u3041-\u3093\u30a1-\u30f6]|[이가는의을를에다고한은지하]/g;

/**
 * Which encoding bytes that are not UTF-8 look like. Letters of a script stand beside letters of that script; Latin ones
 * with accents stand between plain ones.
 */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE);
  const latin = { encoding: 'windows-1252', score: latinScore(read(sample, 'windows-1252') ?? '') };
  const others = [
    ...SINGLE.map(([encoding, ...letters]) => ({ encoding, score: scriptScore(read(sample, encoding), ...letters) })),
    ...DOUBLE.map((encoding) => ({ encoding, score: idiomScore(read(sample, encoding)) })),
  ];
  return others.reduce((best, one) => (one.score > best.score ? one : best), latin).encoding;
}

/** Strictly; null where the encoding does not know a byte. The last character of a sample may be cut. */
function read(sample: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return null;
  }
}

const FOREIGN = /[\u0080-\uffff]+/g;
const LETTER = /[A-Za-z]/;

/** The share of non-ASCII characters that are accented letters near plain ones, or signs of typography. */
function latinScore(text: string): number {
  let good = 0;
  let all = 0;
  for (const { 0: run, index } of text.matchAll(FOREIGN)) {
    all += run.length;
    const near = LETTER.test(text[index - 1] ?? '') || LETTER.test(text[index + run.length] ?? '');
    if (run.length <= 2 && (near || /^[\u0080-\u00bf\u2010-\u2122]+$/.test(run))) good += run.length;
  }
  return all === 0 ? 1 : (good / all) * 0.9;
}

/** How far the non-ASCII characters are letters of the script, in words of it, and as frequent as they are in texts. */
function scriptScore(text: string | null, script: RegExp, frequent: RegExp): number {
  if (!text) return 0;
  let [letters, common, all] = [0, 0, 0];
  for (const { 0: run, index } of text.matchAll(FOREIGN)) {
    all += run.length;
    const mixed = LETTER.test(text[index - 1] ?? '') || LETTER.test(text[index + run.length] ?? '');
    if (mixed) continue;
    for (const char of run) {
      if (script.test(char)) letters += 1;
      if (frequent.test(char)) common += 1;
    }
  }
  return all === 0 ? 0 : (letters / all) * 0.5 + Math.min(1, common / all / USUAL) * 0.5;
}

/** The ten most frequent letters make up more than half of a text. */
const USUAL = 0.55;

/** How much of the text is made of the most frequent characters: a fifth is much already. */
function idiomScore(text: string | null): number {
  if (!text) return 0;
  const foreign = text.match(FOREIGN)?.join('') ?? '';
  if (foreign.length === 0) return 0;
  const half = foreign.match(/[\uff61-\uff9f\u0080-\u00ff\ue000-\uf8ff]/g)?.length ?? 0;
  const frequent = foreign.match(FREQUENT)?.length ?? 0;
  return Math.min(1, (frequent / foreign.length) * 5) - half / foreign.length;
}
