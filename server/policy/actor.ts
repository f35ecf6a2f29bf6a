import type { Actor, Ctx, Visitor } from '../ctx';
import { notAuthorized, unauthenticated } from '../errors';

export const VISITOR: Visitor = { type: 'visitor' };

export function isUser(actor: Actor, userId: number): boolean {
  return actor.type === 'user' && actor.userId === userId;
}

export function isCreator(actor: Actor, creatorId: number): boolean {
  return actor.type === 'user' && actor.creatorId === creatorId;
}

/** The current user. @throws common.unauthenticated */
export function requireUser(ctx: Ctx) {
  if (ctx.actor.type !== 'user') throw unauthenticated();
  return ctx.actor;
}

/** The current creator. @throws common.unauthenticated; common.not_authorized if the user has no creator page */
export function requireCreator(ctx: Ctx) {
  const actor = requireUser(ctx);
  if (actor.creatorId === null) throw notAuthorized();
  return { ...actor, creatorId: actor.creatorId };
}
