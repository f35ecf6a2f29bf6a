import { MINUTES } from '../../base/time';
import type { Plan } from '../../limits/plans';
import { TRANSCRIPTION_LIMITS } from '../../limits/transcription';
import { notPublished, tooLong } from './errors';

/** Whole minutes that an episode takes from the month, rounded up. */
export const minutesFor = (durationMs: number): number => Math.ceil(durationMs / MINUTES(1));

/** What is left of the month's minutes. A smaller plan may have begun after some were used. */
export const minutesLeft = ({ limits }: Pick<Plan, 'limits'>, used: number): number =>
  Math.max(0, limits.transcriptionMinutes - used);

type Transcribable = { status: string; audioKey: string | null; durationMs: number | null };

/**
 * The file and the length of an episode that may be transcribed: published or scheduled (spec §4), and not too long.
 * @throws transcription.not_published, transcription.too_long
 */
export function soundToTranscribe({ status, audioKey, durationMs }: Transcribable) {
  if ((status !== 'published' && status !== 'scheduled') || audioKey === null || durationMs === null)
    throw notPublished();
  if (durationMs > TRANSCRIPTION_LIMITS.longest) throw tooLong();
  return { audioKey, durationMs };
}
