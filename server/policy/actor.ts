import { notAuthorized, unauthenticated } from '../base/errors';
import type { Actor, Ctx, Visitor } from '../runtime/ctx';
import { roleMay } from './roles';

export const VISITOR: Visitor = { type: 'visitor' };

export function isUser(actor: Actor, userId: number): boolean {
  return actor.type === 'user' && actor.userId === userId;
}

/** Whether the actor works for the creator, in any role. roles.ts decides what a role may do. */
export function worksFor(actor: Actor, creatorId: number): boolean {
  return actor.type === 'user' && actor.creatorId === creatorId;
}

/**
 * The creator whose unpublished episodes the actor may read, with statistics and notes; null if the actor may read
 * none.
 */
export function readCreatorOf(actor: Actor): number | null {
  return actor.type === 'user' && roleMay(actor.role, 'episode.read') ? actor.creatorId : null;
}

/** The current user. @throws common.unauthenticated */
export function requireUser(ctx: Pick<Ctx, 'actor'>) {
  if (ctx.actor.type !== 'user') throw unauthenticated();
  return ctx.actor;
}

/**
 * The user with the creator for whom they work, in any role: `authorize` decides what the role may do.
 * @throws common.unauthenticated; common.not_authorized if the user works for no creator
 */
export function requireCreator(ctx: Ctx) {
  const actor = requireUser(ctx);
  if (actor.creatorId === null) throw notAuthorized();
  return { ...actor, creatorId: actor.creatorId };
}

/** The current creator as the subject of abilities. @throws as requireCreator */
export const currentCreator = (ctx: Ctx): { id: number } => ({ id: requireCreator(ctx).creatorId });
