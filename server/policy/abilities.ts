import type { Actor } from '../ctx';
import { isCreator, isUser } from './actor';

type Owned = { creatorId: number };
type Playable = Owned & { status: string; type: string };
/** In a free product a private episode is its owner's alone; in a paid one everybody sees that it is there. */
type Listed = Playable & { isPaid: boolean };

/** Who may do what: pure predicates over facts that were loaded first. */
export const abilities = {
  'creator.manage': (actor: Actor, creator: { id: number }) => isCreator(actor, creator.id),
  'product.manage': (actor: Actor, product: Owned) => isCreator(actor, product.creatorId),
  'episode.manage': (actor: Actor, episode: Owned) => isCreator(actor, episode.creatorId),
  'episode.see': (actor: Actor, episode: Listed) =>
    (episode.status === 'published' && (episode.isPaid || episode.type !== 'private')) ||
    isCreator(actor, episode.creatorId),
  'episode.play': (actor: Actor, episode: Playable) =>
    (episode.status === 'published' && episode.type !== 'private') || isCreator(actor, episode.creatorId),
  'upload.use': (actor: Actor, upload: { userId: number }) => isUser(actor, upload.userId),
} as const;

export type Ability = keyof typeof abilities;
export type Subject<A extends Ability> = Parameters<(typeof abilities)[A]>[1];

/** What a job may do; a job that is not listed may nothing. */
export const JOB_ABILITIES: Record<string, Ability[]> = {
  'episodes.check-audio': ['episode.manage'],
  'episodes.go-live': ['episode.manage'],
};
