import { setTimeout as wait } from 'node:timers/promises';
import { AppError, tooManyRequests } from '../base/errors';
import { wrongCode, wrongCredentials } from '../domain/accounts/base/errors';
import type { LimitName, RateLimits } from '../flow/rate-limits';
import { LOGIN_LIMITS, RATE_LIMITS } from '../limits/http';
import type { Client } from '../runtime/ctx';

export type LoginGuard = {
  /** Runs a login attempt, after a pause if there were many failures. @throws common.too_many_requests */
  attempt<T>(email: string, logIn: (client: Client) => Promise<T>): Promise<T>;
  /** For a log-in without a password, which can't be guessed: tells whether its device is known. */
  clientFor(email: string): Client;
  /** Remembers that this device has logged in to the account with this address. */
  remember(email: string): void;
};

/**
 * `device`: the id of a device that has logged in to this account before. `isShared`: networks that guess at the same
 * time take turns with each other.
 */
type Attempt = { email: string; client: Client; device: string | null; isShared: boolean };

/** The errors that count as a guess. */
const FAILURES = new Set([wrongCredentials().code, wrongCode().code]);

type Count = { name: LimitName; key: string; calls: number };
type Pace = { name: LimitName; key: string };

/**
 * Slows down guessing of second-factor codes, which count separately: a client that guesses them already has the
 * password. A code has only a million values, so networks that guess one account's code share a pace; the owner still
 * has a known device, a passkey or a recovery code (docs/decisions/0131).
 */
export function guardCode<T>(
  limits: RateLimits,
  { email, client, device, isShared }: Attempt,
  check: () => Promise<T>,
): Promise<T> {
  const attempt = { email: `code ${email}`, client, device: device && `code ${device}`, isShared };
  return guardLogIn(limits, attempt, check);
}

/**
 * Slows guessing down without locking users out (docs/decisions/0091): failures count per account and network, and
 * further attempts from that network take turns. A known device does not wait, and a success does not count.
 */
export async function guardLogIn<T>(
  limits: RateLimits,
  attempt: Attempt,
  logIn: (client: Client) => Promise<T>,
): Promise<T> {
  // counted before the check, so that concurrent guesses see each other
  const counts = await countAttempt(limits, attempt);
  const isKnownDevice = counts.every(({ name }) => name === 'logInDevice');
  try {
    const pace = paceOf(counts, attempt);
    if (pace) await takeTurn(limits, pace);
    const result = await logIn({ ...attempt.client, isKnownDevice });
    await Promise.all(counts.map(({ name, key }) => forgetFailures(limits, name, key)));
    return result;
  } catch (error) {
    const isFailure = error instanceof AppError && FAILURES.has(error.code);
    if (!isFailure) await Promise.all(counts.map(({ name, key }) => limits.refund(name, key)));
    throw error;
  }
}

async function countAttempt(limits: RateLimits, { email, client: { network }, device }: Attempt): Promise<Count[]> {
  const count = async (name: LimitName, key: string): Promise<Count> => ({
    name,
    key,
    calls: await limits.add(name, key),
  });
  const known = device && (await count('logInDevice', device));
  if (known && known.calls <= RATE_LIMITS.logInDevice.points) return [known];
  const counts = [
    count('logInPair', `${network} ${email}`),
    count('logInNetwork', network),
    count('logInAccount', email),
  ];
  return [...(await Promise.all(counts)), ...(known ? [known] : [])];
}

/** The turns that an attempt has to take; null if it may continue at once. */
function paceOf(counts: Count[], { isShared }: Attempt): Pace | null {
  const of = (name: LimitName) => counts.find((count) => count.name === name);
  const [pair, network] = [of('logInPair'), of('logInNetwork')];
  if (!pair || !network) return null;
  // many networks guess one password: each makes a single guess, so the owner's first attempt still passes
  const account = of('logInAccount');
  const isUnderAttack = account !== undefined && account.calls > RATE_LIMITS.logInAccount.points;
  if (isUnderAttack && isShared) return { name: 'codePace', key: account.key };
  const free = isUnderAttack ? LOGIN_LIMITS.freeUnderAttack : RATE_LIMITS.logInPair.points;
  if (pair.calls > LOGIN_LIMITS.slowFrom) return { name: 'logInSlowPace', key: pair.key };
  if (pair.calls > free) return { name: 'logInPace', key: pair.key };
  return network.calls > RATE_LIMITS.logInNetwork.points ? { name: 'logInPace', key: network.key } : null;
}

/** Waits for a short time itself, and otherwise tells the client to wait. @throws common.too_many_requests */
async function takeTurn(limits: RateLimits, { name, key }: Pace): Promise<void> {
  let patience: number = LOGIN_LIMITS.patience;
  for (let taken = await limits.consume(name, key); taken; taken = await limits.consume(name, key)) {
    const pause = taken.retryAfterSeconds * 1000;
    patience -= pause;
    if (patience < 0) throw tooManyRequests(taken.retryAfterSeconds);
    await wait(pause);
  }
}

/** Call it after a success: earlier failures at this account were its owner's typing errors. */
function forgetFailures(limits: RateLimits, name: LimitName, key: string): Promise<void> {
  const isOwners = name === 'logInPair' || name === 'logInDevice';
  return isOwners ? limits.forget(name, key) : limits.refund(name, key);
}
