import type { Ctx } from '../../runtime/ctx';
import { memberNotFound } from './errors';
import { listWorkplaces } from './queries';

/**
 * Lets this session work for another creator: the user's own page, or the page of a team. @throws team.member_not_found
 */
export async function switchCreator(ctx: Ctx, { creatorId }: { creatorId: number }): Promise<void> {
  const places = await listWorkplaces(ctx);
  if (!places.some((place) => place.creatorId === creatorId)) throw memberNotFound();
  await ctx.sessions.workFor(creatorId);
}
