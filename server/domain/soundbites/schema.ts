import { z } from 'zod';
import { fields } from '../../base/fields';
import { DAYS, parseClock } from '../../base/time';
import { SOUNDBITE_LIMITS } from '../../limits/soundbites';

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

export type ListSoundbites = z.infer<typeof listSoundbites>;
export type FindSoundbite = z.infer<typeof findSoundbite>;
export type RenameSoundbite = z.infer<typeof renameSoundbite>;
export type AddSoundbite = z.infer<typeof addSoundbite>;
