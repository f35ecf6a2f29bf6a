import { z } from 'zod';

/** Every job: its name, its payload and how often it is tried. A leaf: whoever enqueues does not import the work. */
export type JobPolicy = {
  /** Tries after the first one. */
  retries: number;
  /** Seconds before the second try; doubled for each one after it. */
  retryDelay: number;
  /** Seconds after which a running job counts as lost and is tried again. */
  expires: number;
};
export type Job<Payload> = { name: string; payload: z.ZodType<Payload>; policy: JobPolicy };

const QUICK: JobPolicy = { retries: 5, retryDelay: 2, expires: 60 };
const HEAVY: JobPolicy = { retries: 3, retryDelay: 5, expires: 120 };
const BY_CLOCK: JobPolicy = { retries: 0, retryDelay: 0, expires: 120 };

function job<Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  policy: JobPolicy,
): Job<z.infer<z.ZodObject<Shape>>> {
  return { name, payload: z.object(shape) as unknown as z.ZodType<z.infer<z.ZodObject<Shape>>>, policy };
}

const id = z.number().int().positive();

/** Sends one mail of the outbox. */
export const deliverMail = job(
  'notifications.deliver',
  { mailId: z.uuid() },
  { retries: 6, retryDelay: 15, expires: 60 },
);
/** Reads an episode's uploaded file and settles its status (episodes/audio-check.ts, which asks media/probing.ts). */
export const checkAudio = job('episodes.check-audio', { episodeId: id }, HEAVY);
/** Makes a scheduled episode live; does nothing when its time was changed since. */
export const goLive = job('episodes.go-live', { episodeId: id }, QUICK);
/** Asks again for checks and releases whose jobs ran out of tries. */
export const recoverEpisodes = job('episodes.recover', {}, BY_CLOCK);
/** Removes objects that no row names any more. */
export const removeObjects = job('media.remove-objects', { keys: z.array(z.string()).max(100) }, QUICK);

/** Run by the clock: see jobs/schedules.ts. */
export const sweepUploads = job('media.sweep-uploads', {}, BY_CLOCK);
export const sweepSessions = job('accounts.sweep-sessions', {}, BY_CLOCK);
export const sweepOutbox = job('notifications.sweep-outbox', {}, BY_CLOCK);
export const prepareListening = job('listening.prepare', {}, BY_CLOCK);

export const CATALOG = [
  deliverMail,
  checkAudio,
  goLive,
  recoverEpisodes,
  removeObjects,
  sweepUploads,
  sweepSessions,
  sweepOutbox,
  prepareListening,
] as const;
