import { z } from 'zod';
import { fields } from '../../base/fields';
import { DAYS, parseClock } from '../../base/time';
import { SOUNDBITE_LIMITS, VIDEO_LIMITS } from '../../limits/soundbites';

const { longestMs, shortestMs, titleLength } = SOUNDBITE_LIMITS;

/** Milliseconds, or a clock time: `75`, `1:15`, `1:01:15.5`. */
const audioTime = z
  .union([z.number(), z.string()], { error: 'chapter.time_invalid' })
  .transform((value) => (typeof value === 'number' ? value : parseClock(value)))
  .pipe(z.number({ error: 'chapter.time_invalid' }).int().min(0).max(DAYS(7)));
const title = fields.line(titleLength, 'soundbite.title_required');

export const listSoundbites = z.object({ episodeId: fields.id() });
export const findSoundbite = z.object({ id: fields.id() });
export const renameSoundbite = findSoundbite.extend({ title });
export const addSoundbite = listSoundbites
  .extend({ title, startMs: audioTime, endMs: audioTime })
  .refine(({ startMs, endMs }) => endMs - startMs >= shortestMs, { error: 'soundbite.too_short', path: ['endMs'] })
  .refine(({ startMs, endMs }) => endMs - startMs <= longestMs, { error: 'soundbite.too_long', path: ['endMs'] });

const pixels = z.number().int().min(0).max(4096);
const even = pixels.refine((value) => value % 2 === 0);
/**
 * The pictures of a video, in the order in which they are sent: one from each time on, in ms of the soundbite, and one with
 * the wave as played. `wave`: where it is; encoders count pixels in pairs.
 */
export const videoPlan = z.object({
  fromMs: z.array(z.number().int().min(0).max(longestMs)).min(1).max(VIDEO_LIMITS.stills),
  wave: z.object({ x: even, y: even, width: even.min(2), height: even.min(2) }),
});

export type VideoPlan = z.infer<typeof videoPlan>;
export type ListSoundbites = z.infer<typeof listSoundbites>;
export type FindSoundbite = z.infer<typeof findSoundbite>;
export type RenameSoundbite = z.infer<typeof renameSoundbite>;
export type AddSoundbite = z.infer<typeof addSoundbite>;
