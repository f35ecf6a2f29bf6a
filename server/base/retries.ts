import type { AppError } from './errors';
import { later } from './time';

/**
 * How patiently another server is asked again: `attempts` with pauses that begin at `retryMs`, `busyAttempts` if it says
 * when to come back, which may be after `longestWaitMs`, and none after `longest`.
 */
export type RetryLimits = {
  attempts: number;
  busyAttempts: number;
  retryMs: number;
  longestWaitMs: number;
  longest: number;
};
export type Tried = { attempts: number; startedAt: Date | null };

/** Whether another attempt would fail in the same way. */
export const isPermanentFault = ({ kind }: AppError): boolean =>
  kind === 'invalid' || kind === 'too_large' || kind === 'not_found';

/** When to try again after a fault; null if it is permanent, or if no attempt or no time is left. */
export function nextTry({ attempts, startedAt }: Tried, error: AppError, at: { now: Date; limits: RetryLimits }) {
  const { now, limits } = at;
  const next = later(now, retryDelay(attempts + 1, secondsAsked(error), limits));
  const isLast = !hasAttempts(attempts + 1, error, limits) || isOutOfTime({ startedAt }, next, limits);
  return isPermanentFault(error) || isLast ? null : next;
}

/** A busy host states when to retry, so it gets more attempts. */
function hasAttempts(attempts: number, { kind }: AppError, limits: RetryLimits): boolean {
  return attempts < (kind === 'too_many' ? limits.busyAttempts : limits.attempts);
}

/** The number of seconds that the host asked us to wait. */
export const secondsAsked = ({ kind, params }: AppError): number =>
  kind === 'too_many' ? Number(params.seconds ?? 0) : 0;

/** Delay before the next attempt after the nth failure, doubled each time, or the delay that the host asks for. */
export function retryDelay(
  attempts: number,
  askedSeconds: number,
  { retryMs, longestWaitMs }: Pick<RetryLimits, 'retryMs' | 'longestWaitMs'>,
): number {
  const own = retryMs * 2 ** Math.max(0, attempts - 1);
  return Math.min(Math.max(own, askedSeconds * 1000), longestWaitMs);
}

/** Whether something has ended by this time, at the latest. */
export const isOutOfTime = (
  { startedAt }: Pick<Tried, 'startedAt'>,
  at: Date,
  { longest }: Pick<RetryLimits, 'longest'>,
): boolean => startedAt !== null && later(startedAt, longest) <= at;
