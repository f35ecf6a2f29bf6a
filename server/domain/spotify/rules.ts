import type { SpotifyShowState } from '~/db/values/spotify';
import { type AppError, SpotifyAway, type SpotifyCall, SpotifyRejected } from '../../base/errors';
import { earlier } from '../../base/time';
import { SPOTIFY_LINK_LIMITS } from '../../limits/spotify';
import {
  accessDenied,
  duplicateShow,
  linkedElsewhere,
  malformedAuthentication,
  podcastNotFound,
  spotifyAway,
  urlNotAllowed,
  userNotAllowed,
} from './errors';

/** The name in a show's feed that its listeners must have. All private episodes of a show have the same one. */
export const entitlementOf = (productId: number): string => `show_${productId}`;

/** States in which Spotify may read the feed and its files, and listeners get the entitlement. */
export const ACTIVE_STATES = ['by_hand', 'requested', 'submitted', 'live', 'rejected', 'unknown'] as const;
export const isActive = (state: SpotifyShowState): boolean => (ACTIVE_STATES as readonly string[]).includes(state);

type Refusals = Partial<Record<number, () => AppError>>;
const OF_ACCOUNT: Refusals = { 400: malformedAuthentication, 401: malformedAuthentication, 403: accessDenied };
const OF_SHOW: Refusals = {
  400: malformedAuthentication,
  401: malformedAuthentication,
  403: userNotAllowed,
  404: podcastNotFound,
};

/** The specification's errors (§8), by the call and the status of Spotify's answer. */
const REFUSALS: Record<SpotifyCall, Refusals> = {
  token: OF_ACCOUNT,
  account: OF_ACCOUNT,
  register: { ...OF_ACCOUNT, 409: linkedElsewhere },
  entitlements: OF_ACCOUNT,
  unlink: OF_ACCOUNT,
  submit: { ...OF_SHOW, 403: urlNotAllowed, 409: duplicateShow },
  status: OF_SHOW,
  remove: OF_SHOW,
};

/** Our error for a failed call. Unknown refusals count as faults of Spotify. Other errors are returned as they are. */
export function toSpotifyError(error: unknown): unknown {
  const isOurs = error instanceof SpotifyRejected || error instanceof SpotifyAway;
  if (!isOurs) return error;
  const refusal = error instanceof SpotifyRejected ? REFUSALS[error.call][error.status] : undefined;
  return Object.assign((refusal ?? spotifyAway)(), { cause: error });
}

/** Whether Spotify does not know the user or the show. */
export const isUnknownThere = (error: unknown): boolean => error instanceof SpotifyRejected && error.status === 404;

/** The four statuses of the specification (§4). */
const INGESTION_STATUSES: ReadonlyMap<string, SpotifyShowState> = new Map([
  ['awaiting ingestion', 'submitted'],
  ['ingested but failed validation', 'rejected'],
  ['ingested and valid', 'live'],
  ['ingested with unknown validation status due to rate limit', 'unknown'],
]);

/**
 * The state of a show with these words of Spotify's, in either field and in any spelling. `unknown` for all others,
 * which are shown as they are.
 */
export function stateOfIngestion({ status, text }: { status: string; text: string }): SpotifyShowState {
  return INGESTION_STATUSES.get(toWords(text)) ?? INGESTION_STATUSES.get(toWords(status)) ?? 'unknown';
}

const toWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();

/** The pause before the next attempt while Spotify is away, in milliseconds; Spotify's own wish comes first. */
export function pauseBefore(attempt: number, { retryAfterSeconds }: Pick<SpotifyAway, 'retryAfterSeconds'>): number {
  const { firstPause, lastPause } = SPOTIFY_LINK_LIMITS;
  const doubled = Math.min(firstPause * 2 ** Math.min(attempt, 20), lastPause);
  return Math.max(doubled, (retryAfterSeconds ?? 0) * 1000);
}

/**
 * How long no job calls a service after so many failures in a row, in milliseconds. Null while every job still decides
 * for itself: one listener whose call always fails must not stop all others.
 */
export function outagePause(failures: number, away: Pick<SpotifyAway, 'retryAfterSeconds'>): number | null {
  const beyond = failures - SPOTIFY_LINK_LIMITS.failures;
  if (beyond < 0 && away.retryAfterSeconds === null) return null;
  return pauseBefore(Math.max(0, beyond), away);
}

type LinkFacts = { registeredAt: Date | null };

/** Whether Spotify may not know the user yet, because the person has still to complete the link there. */
export function mayStillComplete({ registeredAt }: LinkFacts, now: Date): boolean {
  return registeredAt !== null && registeredAt > earlier(now, SPOTIFY_LINK_LIMITS.completing);
}

/** Whether the order of names matters to nobody: Spotify has the same entitlements. */
export const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name));
