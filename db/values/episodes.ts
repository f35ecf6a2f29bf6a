export const EPISODE_TYPES = ['public', 'trailer', 'private'] as const;
export type EpisodeType = (typeof EPISODE_TYPES)[number];
export const EPISODE_STATUSES = ['in_progress', 'failed', 'scheduled', 'published', 'on_hold'] as const;
export type EpisodeStatus = (typeof EPISODE_STATUSES)[number];

export const PERSON_ROLES = ['host', 'guest'] as const;
/** A host or guest (`podcast:person`). */
export type Person = { name: string; role: (typeof PERSON_ROLES)[number]; url: string | null };

/** `startMs` counts from the start of the audio; `imageKey` is the base key of a stored picture. */
export type Chapter = { startMs: number; title: string; url: string | null; imageKey: string | null };

/** Actions on several episodes at once. */
export const BATCH_ACTIONS = ['publish', 'hold', 'private', 'public', 'delete'] as const;
export type BatchAction = (typeof BATCH_ACTIONS)[number];

/** The part of an episode that an action on several episodes changes. */
export type BatchedState = {
  type: EpisodeType;
  status: EpisodeStatus;
  releaseAt: string | null;
  deletedAt: string | null;
};
export type BatchedChange = { id: number; before: BatchedState; after: BatchedState };

/** A tag that is served instead of the first `replaces` bytes of a stored file: the object `key` with `bytes` bytes. */
export type ServedHead = { key: string; bytes: number; replaces: number };
