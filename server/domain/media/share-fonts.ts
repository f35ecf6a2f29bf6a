import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
// renamed, because the bundle declares createRequire and require itself
import { createRequire as requireFrom } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateSync } from 'node:zlib';

const packages = requireFrom(import.meta.url);
/** Font packages and the files to use: the bold font of each script. */
const PACKAGES = {
  '@fontsource/noto-sans': /^noto-sans-(?:latin|latin-ext|vietnamese|greek|cyrillic|cyrillic-ext)-700-normal\.woff$/,
  '@fontsource/noto-sans-arabic': /^noto-sans-arabic-arabic-700-normal\.woff$/,
  '@fontsource/noto-sans-hebrew': /^noto-sans-hebrew-hebrew-700-normal\.woff$/,
  '@fontsource/noto-emoji': /^noto-emoji-\w+-700-normal\.woff$/,
};

/** Pango's list of the families, in the order in which they are tried for each character. */
export const SHARE_FONTS = 'Noto Sans, Noto Sans Arabic, Noto Sans Hebrew, Noto Emoji bold';

/** Scripts that these fonts contain. Other scripts would appear as boxes on a machine without fonts. */
const DRAWABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Common}\p{Script=Inherited}]*$/u;

export const isDrawable = (text: string): boolean => DRAWABLE.test(text);

/** The fonts in a format that sharp can load, because it does not read WOFF. */
export async function writeShareFonts(): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-fonts-'));
  const written: string[] = [];
  for (const [name, pattern] of Object.entries(PACKAGES)) {
    const files = path.join(path.dirname(packages.resolve(`${name}/package.json`)), 'files');
    for (const file of (await readdir(files)).filter((each) => pattern.test(each)).sort()) {
      const target = path.join(folder, file.replace(/\.woff$/, '.ttf'));
      await writeFile(target, toOpenType(await readFile(path.join(files, file))));
      written.push(target);
    }
  }
  return written;
}

/** WOFF 1.0 is an OpenType file whose tables may be deflated (W3C, sections 3 to 5). */
function toOpenType(woff: Buffer): Buffer {
  const tables = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + tables * 16);
  woff.copy(head, 0, 4, 8);
  const power = 2 ** Math.floor(Math.log2(tables));
  head.writeUInt16BE(tables, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((tables - power) * 16, 10);
  const parts: Uint8Array[] = [head];
  let at = head.length;
  for (let i = 0; i < tables; i += 1) {
    const entry = 44 + i * 20;
    const [start, packed, bytes] = [4, 8, 12].map((offset) => woff.readUInt32BE(entry + offset)) as [
      number,
      number,
      number,
    ];
    const raw = woff.subarray(start, start + packed);
    const padding = Buffer.alloc((4 - (bytes % 4)) % 4);
    parts.push(packed < bytes ? inflateSync(raw) : raw, padding);
    woff.copy(head, 12 + i * 16, entry, entry + 4);
    woff.copy(head, 16 + i * 16, entry + 16, entry + 20);
    head.writeUInt32BE(at, 20 + i * 16);
    head.writeUInt32BE(bytes, 24 + i * 16);
    at += bytes + padding.length;
  }
  return Buffer.concat(parts);
}
