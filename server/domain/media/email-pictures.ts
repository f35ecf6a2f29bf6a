import { buffer } from 'node:stream/consumers';
import type { Ctx } from '../../runtime/ctx';
import { JPEG, loadSharp, withSlot } from './covers';

/** In pixels, for a picture that an email shows up to half as wide. */
const WIDTH = 320;

/**
 * The root-relative address of a small JPEG of a stored picture, for emails: Outlook shows no WebP, and the full JPEG is
 * too large for a card. It is made when the first email needs it. A picture that is gone has the address of its full JPEG.
 * @param base the picture's base key
 */
export async function emailPicture({ ports }: Pick<Ctx, 'ports'>, base: string): Promise<string> {
  const { storage } = ports;
  const [key, full] = [`${base}/${WIDTH}.jpg`, `${base}/full.jpg`];
  if (await storage.head(key)) return `/media/${key}`;
  if (!(await storage.head(full))) return `/media/${full}`;
  const bytes = await withSlot(async () => {
    const sharp = await loadSharp();
    const picture = sharp(await buffer(await storage.read(full)), { failOn: 'none' });
    return picture.resize(WIDTH, WIDTH, { fit: 'cover', withoutEnlargement: true }).jpeg(JPEG).toBuffer();
  });
  await storage.put(key, bytes, { contentType: 'image/jpeg' });
  return `/media/${key}`;
}
