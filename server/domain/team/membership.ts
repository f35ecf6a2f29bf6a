import { and, eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { members } from '~/db/schema/team';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { CONTACT_PATH, languagePrefix } from '../../base/public-paths';
import { currentCreator, requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { hasEnoughEmails, queueAccountEmail } from '../accounts/base/email-links';
import { findUser } from '../accounts/base/queries';
import { recordActivity } from './activity';
import { memberNotFound, ownerStays } from './errors';
import type { ChangeRole, FindMember } from './schema';

type Member = { creatorId: number; userId: number };
const isMember = ({ creatorId, userId }: Member) => and(eq(members.creatorId, creatorId), eq(members.userId, userId));

/** Gives a member another role, from their next request on. The owner is not a member. @throws team.member_not_found */
export async function changeRole(ctx: Ctx, { userId, role }: ChangeRole): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageTeam', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [before] = await tx.db.select().from(members).where(isMember({ creatorId, userId })).for('update');
    if (!before) throw memberNotFound();
    if (before.role === role) return;
    await tx.db.update(members).set({ role }).where(eq(members.id, before.id));
    const { name } = await findUser(tx, userId);
    await recordActivity(tx, { creatorId, action: 'member.role_changed', subjectId: userId, params: { name, role } });
    await tellMember(tx, { creatorId, userId }, { topic: 'team_role_changed', role });
  });
  await ctx.sessions.announceEnded();
}

/** Removes a member, from their next request on, in every session. @throws team.member_not_found */
export async function removeMember(ctx: Ctx, { userId }: FindMember): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageTeam', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    await deleteMember(tx, { creatorId, userId });
    const { name } = await findUser(tx, userId);
    await recordActivity(tx, { creatorId, action: 'member.removed', subjectId: userId, params: { name } });
    await tellMember(tx, { creatorId, userId }, { topic: 'team_removed' });
  });
  await ctx.sessions.announceEnded();
}

/** Ends the current user's membership of the team that they work for. @throws team.owner_stays */
export async function leaveTeam(ctx: Ctx): Promise<void> {
  const { creatorId, userId, role } = requireCreator(ctx);
  if (role === 'owner') throw ownerStays();
  await transact(ctx, async (tx) => {
    await deleteMember(tx, { creatorId, userId });
    const { name } = await findUser(tx, userId);
    await recordActivity(tx, { creatorId, action: 'member.left', subjectId: userId, params: { name } });
  });
  await ctx.sessions.announceEnded();
}

async function deleteMember(tx: TxCtx, member: Member): Promise<void> {
  const deleted = await tx.db.delete(members).where(isMember(member)).returning({ id: members.id });
  if (deleted.length === 0) throw memberNotFound();
}

type News = { topic: 'team_removed' } | { topic: 'team_role_changed'; role: string };

async function tellMember(tx: TxCtx, { creatorId, userId }: Member, news: News): Promise<void> {
  const user = await findUser(tx, userId);
  if (await hasEnoughEmails(tx, user, news.topic)) return;
  const [creator] = await tx.db.select({ name: creators.name }).from(creators).where(eq(creators.id, creatorId));
  const language = user.language ?? DEFAULT_LANGUAGE;
  const role = 'role' in news ? tx.translate(`mail:role.${news.role}`, {}, language) : '';
  const path = news.topic === 'team_removed' ? CONTACT_PATH : '/dashboard';
  const url = tx.urls.app(languagePrefix(language) + path);
  await queueAccountEmail(tx, user, { topic: news.topic, url, creator: creator?.name ?? '', role });
}
