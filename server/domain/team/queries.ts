import { and, asc, eq, gt, isNull, or } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { invitations, members } from '~/db/schema/team';
import { TEAM_LIMITS } from '../../limits/team';
import { currentCreator, requireUser } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Role, TeamRole } from '../../policy/roles';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../media/rules';

/** `email`: visible to the owner, who sent the invitation; null for members. */
export type MemberView = { userId: number; name: string; email: string | null; role: Role; since: Date };
export type InvitationView = { id: number; email: string; role: TeamRole; expiresAt: Date; isExpired: boolean };
export type TeamView = {
  role: Role;
  canManage: boolean;
  canReadActivity: boolean;
  people: MemberView[];
  invitations: InvitationView[];
};

/** The team of the creator that the user works for, the owner first. Only the owner sees addresses. */
export async function findTeam(ctx: Ctx): Promise<TeamView> {
  const creator = authorize(ctx, 'creator.readTeam', currentCreator(ctx));
  const canManage = may(ctx, 'creator.manageTeam', creator);
  const { id: userId, name, email } = users;
  const [[owner], rows] = await Promise.all([
    ctx.db
      .select({ userId, name, email, since: creators.claimedAt })
      .from(creators)
      .innerJoin(users, eq(users.id, creators.userId))
      .where(eq(creators.id, creator.id)),
    ctx.db
      .select({ userId, name, email, role: members.role, since: members.createdAt })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(members.creatorId, creator.id))
      .orderBy(asc(members.id))
      .limit(TEAM_LIMITS.people),
  ]);
  const people = [...(owner ? [{ ...owner, role: 'owner' as Role }] : []), ...rows];
  return {
    role: requireUser(ctx).role,
    canManage,
    canReadActivity: may(ctx, 'creator.readActivity', creator),
    people: people.map((person) => ({ ...person, email: canManage ? person.email : null })),
    invitations: canManage ? await listInvitations(ctx, creator.id) : [],
  };
}

async function listInvitations(ctx: Ctx, creatorId: number): Promise<InvitationView[]> {
  const { id, email, role, expiresAt } = invitations;
  const rows = await ctx.db
    .select({ id, email, role, expiresAt })
    .from(invitations)
    .where(eq(invitations.creatorId, creatorId))
    .orderBy(asc(id))
    .limit(TEAM_LIMITS.people);
  return rows.map((row) => ({ ...row, isExpired: row.expiresAt <= ctx.now() }));
}

export type Workplace = { creatorId: number; name: string; picture: CoverUrls | null; role: Role; isCurrent: boolean };

/** The creators that the current user can work for: their own page first, then teams in the order of joining. */
export async function listWorkplaces(ctx: Ctx): Promise<Workplace[]> {
  const actor = requireUser(ctx);
  const rows = await ctx.db
    .select({ creatorId: creators.id, name: creators.name, avatarKey: creators.avatarKey, role: members.role })
    .from(creators)
    .leftJoin(members, and(eq(members.creatorId, creators.id), eq(members.userId, actor.userId)))
    .where(and(isNull(creators.closedAt), or(eq(creators.userId, actor.userId), eq(members.userId, actor.userId))))
    .orderBy(members.id)
    .limit(WORKPLACES);
  const places = rows.map(({ avatarKey, role, ...creator }) => ({
    ...creator,
    picture: avatarKey ? coverUrls(avatarKey) : null,
    role: role ?? ('owner' as const),
    isCurrent: creator.creatorId === actor.creatorId,
  }));
  return places.sort((a, b) => Number(b.role === 'owner') - Number(a.role === 'owner'));
}
const WORKPLACES = 50;

/** The role of a user on a creator page; null for other people. */
export async function lookupRole(
  { db }: Pick<Ctx, 'db'>,
  { userId, creatorId }: { userId: number; creatorId: number },
): Promise<Role | null> {
  const [row] = await db
    .select({ ownerId: creators.userId, role: members.role })
    .from(creators)
    .leftJoin(members, and(eq(members.creatorId, creators.id), eq(members.userId, userId)))
    .where(eq(creators.id, creatorId));
  return row?.ownerId === userId ? 'owner' : (row?.role ?? null);
}

/**
 * The number of a page's members and invitations. Locks the page, so that two concurrent invitations are counted one
 * after the other. Accepting or revoking an invitation only refers to the page and does not wait.
 */
export async function countPeople(tx: TxCtx, creatorId: number): Promise<number> {
  await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creatorId)).for('no key update');
  const isPending = and(eq(invitations.creatorId, creatorId), gt(invitations.expiresAt, tx.now()));
  // one statement, so that a person who accepts meanwhile is counted once
  const [row] = await tx.db
    .select({
      people: tx.db.$count(members, eq(members.creatorId, creatorId)),
      pending: tx.db.$count(invitations, isPending),
    })
    .from(creators)
    .where(eq(creators.id, creatorId));
  return (row?.people ?? 0) + (row?.pending ?? 0);
}
