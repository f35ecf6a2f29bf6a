import type { Inputs } from '~/db/driver/prepared-select';
import type { Actor, Ctx } from '../runtime/ctx';
import { readCreatorOf } from './actor';
import type { QueryActor } from './visibility';

/** The values of an actor in a prepared select, whose shape contains the actor's type. */
export type ActorValues = {
  /** 0 without a user, and not read then. */
  userId: number;
  /** The creator whose content the actor reads. */
  creatorId: number | null;
  now: string;
};

export function actorValues({ actor, now }: Pick<Ctx, 'actor' | 'now'>): ActorValues {
  const userId = actor.type === 'user' ? actor.userId : 0;
  return { userId, creatorId: readCreatorOf(actor), now: now().toISOString() };
}

export function actorOf({ userId, creatorId, now }: Inputs<ActorValues>, type: Actor['type']): QueryActor {
  return type === 'user' ? { type, userId, creatorId, now } : { type };
}
