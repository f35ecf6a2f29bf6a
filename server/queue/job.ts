import { z } from 'zod';

/** How often a job is tried, and how long an attempt may take. */
type JobPolicy = {
  /** Attempts after the first one. */
  retries: number;
  /** Seconds before the second attempt, doubled for each further one. */
  retryDelay: number;
  /** Seconds after which a running job is considered lost and retried. */
  expires: number;
  /** How many jobs of this kind one process runs at the same time; one by default. */
  workers?: number;
};
export type Job<Payload> = { name: string; payload: z.ZodType<Payload>; policy: JobPolicy };

export const QUICK: JobPolicy = { retries: 5, retryDelay: 2, expires: 60 };
export const HEAVY: JobPolicy = { retries: 3, retryDelay: 5, expires: 120 };
/** Decoding an hour of audio takes many seconds, several times as many on a busy machine. */
export const LONG: JobPolicy = { retries: 2, retryDelay: 60, expires: 1800 };
/** The payment provider may be away for hours: ten attempts take almost three. */
export const PATIENT: JobPolicy = { retries: 10, retryDelay: 10, expires: 60 };
/** For the jobs of jobs/schedules.ts, which the next run repeats. */
export const SCHEDULED: JobPolicy = { retries: 0, retryDelay: 0, expires: 120 };

/** The fields that most payloads have: the id of a row, and a number to continue from. */
export const id = z.number().int().positive();
export const count = z.number().int().nonnegative().optional();

/** A job of the room in whose file it is (jobs/). They import no handlers, so enqueuing does not load the work. */
export function job<Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  policy: JobPolicy,
): Job<z.infer<z.ZodObject<Shape>>> {
  return { name, payload: z.object(shape) as unknown as z.ZodType<z.infer<z.ZodObject<Shape>>>, policy };
}
