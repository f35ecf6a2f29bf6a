import type { Actor } from '../ctx';
import { isCreator, isUser } from './actor';
import { canPlay, canSee, type EpisodeFacts } from './visibility';

type Owned = { creatorId: number };

/** Who may do what, as pure predicates over facts that were loaded before. */
export const abilities = {
  'creator.manage': (actor: Actor, creator: { id: number }) => isCreator(actor, creator.id),
  'product.manage': (actor: Actor, product: Owned) => isCreator(actor, product.creatorId),
  'episode.manage': (actor: Actor, episode: Owned) => isCreator(actor, episode.creatorId),
  'episode.see': (actor: Actor, episode: EpisodeFacts) => canSee(actor, episode),
  'episode.play': (actor: Actor, episode: EpisodeFacts) => canPlay(actor, episode),
  'upload.use': (actor: Actor, upload: { userId: number }) => isUser(actor, upload.userId),
} as const;

export type Ability = keyof typeof abilities;
export type Subject<A extends Ability> = Parameters<(typeof abilities)[A]>[1];

/** What each job may do. A job that is missing here may do nothing. */
export const JOB_ABILITIES: Record<string, Ability[]> = {
  'episodes.check-audio': ['episode.manage'],
  'episodes.measure-loudness': ['episode.manage'],
  'episodes.go-live': ['episode.manage'],
};
