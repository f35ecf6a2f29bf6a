import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type sharp from 'sharp';
import { createSlots } from '../../flow/slots';
import { SHARE_IMAGE as SIZE } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { isDrawable, SHARE_FONTS, writeShareFonts } from './share-fonts';

/** Content of a picture for link previews: the cover, the name and the creator, on the creator's colour. */
export type ShareImage = {
  name: string;
  creator: string;
  /** Base key of the cover. */
  coverKey: string;
  brand: { button: string; text: string } | null;
};

/** Raised when the layout changes. */
const LAYOUT = 1;
const DEFAULT_BRAND = { button: '#15131D', text: '#FBFAF8' };

/** Hash of the whole content, so that changed content gets a new address. */
export function shareImageHash({ name, creator, coverKey, brand }: ShareImage): string {
  const content = JSON.stringify([LAYOUT, name, creator, coverKey, brand?.button, brand?.text]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** Stored beside the cover, so that both are deleted together. */
const keyOf = (image: ShareImage) => `${image.coverKey}/share-${shareImageHash(image)}.jpg`;

const withSlot = createSlots(1);
let waiting = 0;

/**
 * The stored picture, which is drawn at its first use, in a tenth of a second. @returns its key; null without a cover,
 * or while too many other pictures are being drawn
 */
export async function storeShareImage({ storage }: Ctx['ports'], image: ShareImage): Promise<string | null> {
  const key = keyOf(image);
  if (await storage.head(key)) return key;
  if (waiting >= SIZE.waiting) return null;
  waiting += 1;
  try {
    return await withSlot(async () => {
      const stored = await storage.open(`${image.coverKey}/640.webp`);
      if (!stored) return null;
      await stored.close();
      const cover = await buffer(await storage.read(`${image.coverKey}/640.webp`));
      await storage.put(key, await drawImage(cover, image), { contentType: 'image/jpeg' });
      return key;
    });
  } finally {
    waiting -= 1;
  }
}

type Sharp = typeof sharp;
let loading: Promise<Sharp> | undefined;

/** Loads our fonts, so that the picture is the same on every machine. A font stays loaded after its first use. */
function loadSharp(): Promise<Sharp> {
  loading ??= (async () => {
    const { default: library } = await import('sharp');
    for (const fontfile of await writeShareFonts())
      await library({ text: { text: 'a', fontfile, font: SHARE_FONTS } })
        .png()
        .toBuffer();
    return library;
  })();
  return loading;
}

async function drawImage(cover: Buffer, { name, creator, brand }: ShareImage): Promise<Buffer> {
  const library = await loadSharp();
  const { button, text } = brand ?? DEFAULT_BRAND;
  const { width, height, cover: side, margin } = SIZE;
  const art = await library(cover).resize(side, side).toBuffer();
  const lines = (
    await Promise.all([
      textBlock(library, name, { color: text, size: 66, height: 330 }),
      textBlock(library, creator, { color: text, size: 36, height: 50 }),
    ])
  ).filter((block) => block !== null);
  const left = lines.length > 0 ? margin : Math.round((width - side) / 2);
  let top = Math.round((height - lines.reduce((sum, block) => sum + block.height, SIZE.gap * (lines.length - 1))) / 2);
  const texts = lines.map((block) => {
    const layer = {
      input: block.data,
      left: block.isRightToLeft ? width - margin - block.width : margin * 2 + side,
      top,
    };
    top += block.height + SIZE.gap;
    return layer;
  });
  return library({ create: { width, height, channels: 3, background: button } })
    .composite([{ input: art, left, top: Math.round((height - side) / 2) }, ...texts])
    .jpeg({ quality: 84 })
    .toBuffer();
}

type Block = { color: string; size: number; height: number };
const SMALLEST = 34;

/** Long texts get smaller letters, and are then shortened. Null for scripts that our fonts lack. */
async function textBlock(library: Sharp, text: string, { color, size, height }: Block) {
  if (text.trim() === '' || !isDrawable(text)) return null;
  const width = SIZE.width - SIZE.cover - SIZE.margin * 3;
  let shown = [...text].slice(0, SIZE.characters);
  for (let points = size; ; points = Math.max(SMALLEST, points - 8)) {
    const isWhole = shown.length === [...text].length;
    const markup = `<span foreground="${color}">${escapeMarkup(shown.join('').trim())}${isWhole ? '' : '…'}</span>`;
    const block = {
      text: markup,
      font: `${SHARE_FONTS} ${points}`,
      width,
      dpi: 72,
      rgba: true,
      wrap: 'word-char' as const,
    };
    const { data, info } = await library({ text: block }).png().toBuffer({ resolveWithObject: true });
    if (info.height <= height)
      return { data, height: info.height, width: info.width, isRightToLeft: isRightToLeft(text) };
    if (points === Math.min(SMALLEST, size)) shown = shown.slice(0, Math.floor(shown.length * 0.75));
  }
}

const escapeMarkup = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** The first letter with a direction decides. */
const isRightToLeft = (text: string): boolean => /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text);
