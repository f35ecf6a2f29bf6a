import { and, count, desc, eq, inArray, like, lt } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { activity, members } from '~/db/schema/team';
import type { Page } from '../../base/paging';
import { earlier } from '../../base/time';
import { TEAM_LIMITS } from '../../limits/team';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import type { ActivityAction } from './kinds';
import type { ListActivity } from './schema';

/** `params`: the names at that time, because the subject may be renamed or deleted later. */
export type Activity = {
  creatorId: number;
  action: ActivityAction;
  subjectId?: number;
  params?: Record<string, string | number>;
};

/**
 * Records an action of a user for a creator, or several, in the same transaction. Jobs record nothing, because the user's request was
 * recorded before.
 */
export async function recordActivity(tx: TxCtx, actions: Activity | Activity[]): Promise<void> {
  const all = [actions].flat();
  if (tx.actor.type !== 'user' || all.length === 0) return;
  const by = { userId: tx.actor.userId, at: tx.now() };
  await tx.db.insert(activity).values(all.map(({ params = {}, ...action }) => ({ ...action, params, ...by })));
}

/** Records an action on a show or an episode, with its name. */
export async function recordAbout(
  tx: TxCtx,
  action: ActivityAction,
  { id, creatorId, name }: { id: number; creatorId: number; name: string },
): Promise<void> {
  await recordActivity(tx, { creatorId, action, subjectId: id, params: { name } });
}

/** `person`: null once the account is deleted. */
export type ActivityView = {
  id: number;
  at: Date;
  action: ActivityAction;
  params: Record<string, string | number>;
  person: { userId: number; name: string } | null;
};

/** A page of the actions for the creator that the user works for, the latest first; of one person, or of all. */
export async function listActivity(ctx: Ctx, { page, userId }: ListActivity): Promise<Page<ActivityView>> {
  const { id: creatorId } = authorize(ctx, 'creator.readActivity', currentCreator(ctx));
  const where = and(eq(activity.creatorId, creatorId), userId ? eq(activity.userId, userId) : undefined);
  const pageSize = TEAM_LIMITS.listed;
  const [rows, [counted]] = await Promise.all([
    ctx.db
      .select({ entry: activity, name: users.name })
      .from(activity)
      .leftJoin(users, eq(users.id, activity.userId))
      .where(where)
      .orderBy(desc(activity.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.select({ total: count() }).from(activity).where(where),
  ]);
  const items = rows.map(({ entry: { id, at, action, params, userId: by }, name }) => ({
    id,
    at,
    action: action as ActivityAction,
    params,
    person: by === null || name === null ? null : { userId: by, name },
  }));
  return { items, total: counted?.total ?? 0, page, pageSize };
}

/** Deletes entries that are older than a year. */
export async function sweepActivity(ctx: Ctx): Promise<void> {
  await ctx.db.delete(activity).where(lt(activity.at, earlier(ctx.now(), TEAM_LIMITS.kept)));
}

/**
 * Removes a deleted account from every team, and a deleted owner's team: its members, invitations and log. The person's
 * actions for other creators stay, without a name.
 */
export async function leaveTeams(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = ctx.db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await ctx.db.delete(members).where(eq(members.userId, userId));
  await ctx.db.delete(members).where(inArray(members.creatorId, own));
  await ctx.db.delete(activity).where(inArray(activity.creatorId, own));
  await ctx.db.delete(activity).where(and(like(activity.action, 'member.%'), eq(activity.subjectId, userId)));
  await ctx.db.update(activity).set({ userId: null }).where(eq(activity.userId, userId));
  await ctx.sessions.announceEnded();
}
