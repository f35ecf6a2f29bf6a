import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { bufferSource } from '../../audio/bytes';
import { checkMp3 } from '../../audio/check-mp3';
import { PROMO_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { cutPassage } from './cut-passage';
import { AUDIO_ERRORS, promoOutside, promoTooLong, renamedError, withField } from './errors';
import { storeNewFile } from './new-files';
import { incomingKey } from './rules';
import type { UsableUpload } from './uploads';

/** The stored file of a promo. */
export type PromoFile = { audioKey: string; audioBytes: number; durationMs: number };
type Folder = { creatorId: number; episodeId: number };

/**
 * Checks an uploaded promo and stores it with its episode's files. Promos are small enough to be checked at once, so
 * that their creator sees an error in the form. @throws promo.too_long and the reasons of the audio check, on promoKey
 */
export async function storePromo(ctx: Ctx, upload: UsableUpload, folder: Folder): Promise<PromoFile> {
  const bytes = await buffer(await ctx.ports.storage.read(incomingKey(upload.key)));
  const found = await checkMp3(bufferSource(bytes), { minDurationMs: PROMO_LIMITS.shortestMs });
  if (!found.ok) throw withField(found.format ? renamedError(found.format) : AUDIO_ERRORS[found.reason](), 'promoKey');
  if (found.durationMs > PROMO_LIMITS.longestMs + PROMO_LIMITS.paddingMs) throw withField(promoTooLong(), 'promoKey');
  return putPromo(ctx, bytes, { ...folder, durationMs: found.durationMs });
}

/**
 * Cuts a promo out of an episode's file and stores it. @throws promo.outside if the passage is not in the file, or too
 * short, and audio.missing if the file no longer exists
 */
export async function storeCut(
  ctx: Ctx,
  passage: { audioKey: string; startMs: number; endMs: number },
  folder: Folder,
): Promise<PromoFile> {
  const cut = await cutPassage(ctx.ports, passage, PROMO_LIMITS);
  if (!cut) throw promoOutside();
  return putPromo(ctx, cut.bytes, { ...folder, durationMs: cut.durationMs });
}

async function putPromo(ctx: Ctx, bytes: Buffer, facts: Folder & { durationMs: number }): Promise<PromoFile> {
  const { creatorId, episodeId, durationMs } = facts;
  const hash = createHash('sha256').update(bytes).digest('hex');
  // a unique key, because a job may still delete the former file of the same passage
  const audioKey = `audio/${creatorId}/${episodeId}/promo/${hash}-${randomBytes(6).toString('hex')}.mp3`;
  await storeNewFile(ctx, audioKey, bytes);
  return { audioKey, audioBytes: bytes.length, durationMs };
}
