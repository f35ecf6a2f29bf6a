import { EPISODE_LIMITS } from '../../limits/episodes';
import { earlier } from '../../time';
import { publicExceedsPrivate, publishTimeInPast } from './errors';

export type EpisodeStatus = 'in_progress' | 'failed' | 'scheduled' | 'published' | 'on_hold';
export type EpisodeType = 'public' | 'trailer' | 'private';

/**
 * Spec §4: what an owner may make of an episode. While its audio is being checked (`in_progress`) only the check settles
 * it (checking.ts), and what was refused comes back by another file.
 */
export const TRANSITIONS: Record<EpisodeStatus, readonly EpisodeStatus[]> = {
  in_progress: [],
  failed: ['in_progress'],
  scheduled: ['published', 'on_hold', 'in_progress', 'scheduled'],
  published: ['on_hold', 'scheduled', 'in_progress'],
  on_hold: ['published', 'scheduled', 'in_progress'],
};

export function mayBecome(from: EpisodeStatus, to: EpisodeStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** @throws episode.publish_time_in_past; five minutes of slack, since a form takes time to fill in (product decisions) */
export function assertReleaseAllowed(releaseDate: Date | null | undefined, now: Date): void {
  if (releaseDate && releaseDate < earlier(now, EPISODE_LIMITS.pastSlack)) throw publishTimeInPast();
}

/** What an episode with checked audio is: live when its moment has come, else waiting for it. */
export function statusAt(releaseAt: Date, now: Date): 'published' | 'scheduled' {
  return releaseAt <= now ? 'published' : 'scheduled';
}

/**
 * Spec §5 and of the product decisions: published public episodes of a paid product may not outnumber its published private ones.
 * Trailers don't count, free products have no such bound. @throws episode.public_exceeds_private
 */
export function assertBalance(paid: boolean, published: { public: number; private: number }): void {
  if (paid && published.public > published.private) throw publicExceedsPrivate();
}
