import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../base/errors';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';
import { previewPicture } from '../media/covers';
import { fetchFile } from './fetch-file';

/** `width`: in pixels. `maxBytes`: of the cover at its host. */
type Options = { signal?: AbortSignal; width?: number; maxBytes?: number };

/**
 * A feed's cover as a small data URL: our pages load no pictures from other hosts, which would learn who looks. Null
 * without one that can be used, or if its host is slow.
 */
export async function previewCover(ctx: Ctx, url: string, options: Options = {}): Promise<string | null> {
  const late = sleep(IMPORT_LIMITS.previewedCoverMs, null, { ref: false });
  return Promise.race([late, readCover(ctx, url, options)]);
}

async function readCover(
  ctx: Ctx,
  url: string,
  { signal, width, maxBytes = IMPORT_LIMITS.coverBytes }: Options,
): Promise<string | null> {
  try {
    const bytes = await fetchFile(ctx, { url, maxBytes, accept: 'image/*', signal });
    return `data:image/webp;base64,${(await previewPicture(bytes, { width, signal })).toString('base64')}`;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    ctx.log.info({ err }, 'cover of a previewed feed skipped');
    return null;
  }
}
