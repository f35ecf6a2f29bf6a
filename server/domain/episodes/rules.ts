import { EPISODE_LIMITS } from '../../limits/episodes';
import { earlier } from '../../time';
import { publishTimeInPast } from './errors';
import type { EPISODE_STATUSES, EPISODE_TYPES } from './schema';

export type EpisodeStatus = (typeof EPISODE_STATUSES)[number];
export type EpisodeType = (typeof EPISODE_TYPES)[number];

/** Who changes a status: the owner, the job that checks the audio, or the job that runs at the release time. */
export type StatusWriter = 'owner' | 'check' | 'clock';

/**
 * Spec §4: every allowed change of an episode's status. While the audio is being checked (`in_progress`), the owner can
 * only replace the file, and a failed episode needs another one. The clock puts an episode on hold if it may not
 * publish it.
 */
export const TRANSITIONS: Record<StatusWriter, Partial<Record<EpisodeStatus, readonly EpisodeStatus[]>>> = {
  owner: {
    in_progress: ['in_progress'],
    failed: ['in_progress'],
    scheduled: ['published', 'on_hold', 'in_progress', 'scheduled'],
    published: ['on_hold', 'scheduled', 'in_progress'],
    on_hold: ['published', 'scheduled', 'in_progress'],
  },
  check: { in_progress: ['published', 'scheduled', 'on_hold', 'failed'] },
  clock: { scheduled: ['published', 'on_hold'] },
};

export function mayBecome(from: EpisodeStatus, to: EpisodeStatus, by: StatusWriter = 'owner'): boolean {
  return TRANSITIONS[by][from]?.includes(to) ?? false;
}

/**
 * Five minutes in the past are allowed, because filling in a form takes time.
 * @throws episode.publish_time_in_past
 */
export function assertReleaseAllowed(releaseDate: Date | null | undefined, now: Date): void {
  if (releaseDate && releaseDate < earlier(now, EPISODE_LIMITS.pastSlack)) throw publishTimeInPast();
}

/** The status of an episode with checked audio: published once its release time has come. */
export function statusAt(releaseAt: Date, now: Date): 'published' | 'scheduled' {
  return releaseAt <= now ? 'published' : 'scheduled';
}

type Release = { status: EpisodeStatus; releaseAt: Date | null; publishedAt: Date | null };

/** The release time of an unpublished episode that was published with it; null if it never was. */
export function formerReleaseOf({ status, releaseAt, publishedAt }: Release): Date | null {
  return status === 'on_hold' && releaseAt?.getTime() === publishedAt?.getTime() ? releaseAt : null;
}

/**
 * Spec §5: a paid product may not have more published public episodes than published private ones.
 * Trailers don't count, and free products have no such limit.
 */
export function isBalanced(isPaid: boolean, published: { public: number; private: number }): boolean {
  return !isPaid || published.public <= published.private;
}
