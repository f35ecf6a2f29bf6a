import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { rssImportPictures } from '~/db/schema/rss-import';
import { AppError } from '../../base/errors';
import { isPermanentFault } from '../../base/retries';
import { COVER_LIMITS } from '../../limits/media';
import { IMPORT_LIMITS } from '../../limits/rss-import';
import type { Ctx } from '../../runtime/ctx';
import { storePicture } from '../media/covers';
import { fetchFile } from './fetch-file';
import type { ImportRow } from './views';

/** `minPixels`: the smallest side; by default that of a cover. */
type Picture = { url: string; minPixels?: number };
type Import = Pick<ImportRow, 'id' | 'userId'>;

/**
 * Copies a picture and crops it to a square. An import requests each picture once, unless the fault was temporary.
 * @returns its base key
 * @throws fetch.*, media.*
 */
export async function copyPicture(
  ctx: Ctx,
  { id: importId, userId: folder }: Import,
  { url, minPixels = COVER_LIMITS.minPixels }: Picture,
): Promise<string> {
  const source = createHash('sha256').update(`${minPixels} ${url}`).digest('base64url');
  const known = await lookupPicture(ctx, importId, source);
  if (known) return known;
  const remember = (found: Partial<typeof rssImportPictures.$inferInsert>) =>
    ctx.db
      .insert(rssImportPictures)
      .values({ importId, source, ...found })
      .onConflictDoNothing();
  try {
    const bytes = await fetchFile(ctx, { url, maxBytes: IMPORT_LIMITS.coverBytes, accept: 'image/*' });
    const imageKey = await storePicture(ctx, bytes, { folder, field: 'coverKey', crop: true, minPixels });
    await remember({ imageKey });
    return imageKey;
  } catch (error) {
    if (error instanceof AppError && isPermanentFault(error))
      await remember({ reason: error.code, reasonParams: error.params });
    throw error;
  }
}

/** The key of a copied picture; null if it was not requested yet. @throws the permanent fault of an earlier request */
async function lookupPicture({ db }: Ctx, importId: number, source: string): Promise<string | null> {
  const [known] = await db
    .select()
    .from(rssImportPictures)
    .where(and(eq(rssImportPictures.importId, importId), eq(rssImportPictures.source, source)));
  if (known?.reason) throw new AppError(known.reason, 'invalid', undefined, known.reasonParams);
  return known?.imageKey ?? null;
}
