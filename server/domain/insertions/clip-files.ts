import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { bufferSource } from '../../audio/bytes';
import { checkMp3 } from '../../audio/check-mp3';
import { CLIP_FILE_LIMITS } from '../../limits/media';
import type { Ctx } from '../../runtime/ctx';
import { cutPassage } from '../media/cut-passage';
import { AUDIO_ERRORS, clipTooLong, renamedError, withField } from '../media/errors';
import { storeNewFile } from '../media/new-files';
import { incomingKey } from '../media/rules';
import type { UsableUpload } from '../media/uploads';
import { clipOutside } from './errors';

/** The stored file of a clip. */
export type ClipFile = { audioKey: string; audioBytes: number; durationMs: number };

/** Of a creator's clips, in all encodings. */
export const clipFolder = (creatorId: number) => `audio/${creatorId}/clips/`;

/**
 * Checks an uploaded clip and stores it. Clips are small enough to be checked at once, so that their creator sees an
 * error in the form. @throws clip.too_long and the reasons of the audio check, on clipKey
 */
export async function storeClip(ctx: Ctx, upload: UsableUpload, creatorId: number): Promise<ClipFile> {
  const bytes = await buffer(await ctx.ports.storage.read(incomingKey(upload.key)));
  const found = await checkMp3(bufferSource(bytes), { minDurationMs: CLIP_FILE_LIMITS.shortestMs });
  if (!found.ok) throw withField(found.format ? renamedError(found.format) : AUDIO_ERRORS[found.reason](), 'clipKey');
  const longestMs = CLIP_FILE_LIMITS.longestMs + CLIP_FILE_LIMITS.paddingMs;
  if (found.durationMs > longestMs) throw withField(clipTooLong(), 'clipKey');
  return putClip(ctx, bytes, { creatorId, durationMs: found.durationMs });
}

type Passage = { audioKey: string; startMs: number; endMs: number };

/** Cuts a clip out of an episode's file and stores it. @throws clip.outside if the passage is not in the file */
export async function storeCutClip(ctx: Ctx, passage: Passage, creatorId: number): Promise<ClipFile> {
  const cut = await cutPassage(ctx.ports, passage, CLIP_FILE_LIMITS);
  if (!cut) throw clipOutside();
  return putClip(ctx, cut.bytes, { creatorId, durationMs: cut.durationMs });
}

async function putClip(ctx: Ctx, bytes: Buffer, facts: { creatorId: number; durationMs: number }): Promise<ClipFile> {
  const { creatorId, durationMs } = facts;
  const hash = createHash('sha256').update(bytes).digest('hex');
  // a unique key, because a job may still delete the former clip with the same file
  const audioKey = `${clipFolder(creatorId)}${hash}-${randomBytes(6).toString('hex')}.mp3`;
  await storeNewFile(ctx, audioKey, bytes);
  return { audioKey, audioBytes: bytes.length, durationMs };
}
