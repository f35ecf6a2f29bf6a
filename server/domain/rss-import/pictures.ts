import { AppError } from '../../base/errors';
import { COVER_LIMITS } from '../../limits/media';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';
import { storePicture, storePlainCover } from '../media/covers';

/** `folder`: the user whose folder stores the picture. `minPixels`: the smallest side; by default that of a cover. */
type Target = { folder: number; minPixels?: number };

/** Copies a picture and crops it to a square. Null if it can't be fetched or used, which must not fail the import. */
export async function copyPicture(ctx: Ctx, url: string, source: Target): Promise<string | null> {
  const { folder, minPixels = COVER_LIMITS.minPixels } = source;
  const target = { folder, field: 'coverKey', crop: true, minPixels };
  try {
    const fetched = await ctx.ports.fetcher.fetch({ url, maxBytes: IMPORT_LIMITS.coverBytes, accept: 'image/*' });
    return fetched.unchanged ? null : await storePicture(ctx, fetched.bytes, target);
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    ctx.log.info({ err, url }, 'picture of a feed skipped');
    return null;
  }
}

/** The cover of an imported show, or a plain square. */
export async function copyCover(ctx: Ctx, url: string | null, target: Target): Promise<string> {
  const copied = url === null ? null : await copyPicture(ctx, url, target);
  return copied ?? storePlainCover(ctx, target.folder);
}
