import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { DAYS, parseClock } from '../../base/time';
import { CLIP_LIMITS } from '../../limits/insertions';
import { CLIP_FILE_LIMITS } from '../../limits/media';

// clips
const clipName = fields.line(CLIP_LIMITS.nameLength);

/** Milliseconds, or a clock time: `75`, `1:15`, `1:01:15.5`. */
export const audioTime = z
  .union([z.number(), z.string()], { error: 'chapter.time_invalid' })
  .transform((value) => (typeof value === 'number' ? value : parseClock(value)))
  .pipe(z.number({ error: 'chapter.time_invalid' }).int().min(0).max(DAYS(7)));

export const listClips = z.object(listFields);
export const findClip = z.object({ id: fields.id() });
/** `isRecorded`: with the browser's microphone. */
export const createClip = z.object({
  name: clipName,
  clipKey: fields.uploadKey(),
  isRecorded: fields.flag().default(false),
});
/** A passage of an episode's audio. */
export const cutClip = z
  .object({ name: clipName, episodeId: fields.id(), startMs: audioTime, endMs: audioTime })
  .refine(({ startMs, endMs }) => endMs > startMs, { error: 'clip.outside', path: ['endMs'] })
  .refine(({ startMs, endMs }) => endMs - startMs <= CLIP_FILE_LIMITS.longestMs, {
    error: 'clip.too_long',
    path: ['endMs'],
  });
export const renameClip = findClip.extend({ name: clipName });

export type ListClips = z.infer<typeof listClips>;
export type FindClip = z.infer<typeof findClip>;
export type CreateClip = z.infer<typeof createClip>;
export type CutClip = z.infer<typeof cutClip>;
export type RenameClip = z.infer<typeof renameClip>;
