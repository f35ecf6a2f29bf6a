import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { SHARE_IMAGE as SIZE } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { inTurn, loadSharp, textBlock } from './share-canvas';

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

/**
 * The stored picture, which is drawn at its first use, in a tenth of a second. @returns its key; null without a cover,
 * or while too many other pictures are being drawn
 */
export async function storeShareImage({ storage }: Ctx['ports'], image: ShareImage): Promise<string | null> {
  const key = keyOf(image);
  if (await storage.head(key)) return key;
  return inTurn(async () => {
    const stored = await storage.open(`${image.coverKey}/640.webp`);
    if (!stored) return null;
    await stored.close();
    const cover = await buffer(await storage.read(`${image.coverKey}/640.webp`));
    await storage.put(key, await drawImage(cover, image), { contentType: 'image/jpeg' });
    return key;
  });
}

async function drawImage(cover: Buffer, { name, creator, brand }: ShareImage): Promise<Buffer> {
  const library = await loadSharp();
  const { button, text } = brand ?? DEFAULT_BRAND;
  const { width, height, cover: side, margin } = SIZE;
  const textWidth = width - side - margin * 3;
  const art = await library(cover).resize(side, side).toBuffer();
  const lines = (
    await Promise.all([
      textBlock(library, name, { color: text, size: 66, width: textWidth, height: 330 }),
      textBlock(library, creator, { color: text, size: 36, width: textWidth, height: 50 }),
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
