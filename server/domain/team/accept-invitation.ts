import { and, eq, gt, isNull } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { invitations, members } from '~/db/schema/team';
import { hashToken } from '../../auth/token-hash';
import { requireUser } from '../../policy/actor';
import type { TeamRole } from '../../policy/roles';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { markEmailVerified } from '../accounts/logins/mark-verified';
import { recordActivity } from './activity';
import { invitationExpired, otherAddress } from './errors';
import type { InvitationLink } from './schema';

/** `isForUser`: null for a visitor, who must log in or sign up with the address. */
export type OpenInvitation = { creator: string; role: TeamRole; email: string; isForUser: boolean | null };

/**
 * The offer of an invitation's link, without using the link up: mail scanners open links. @throws
 * team.invitation_expired
 */
export async function openInvitation(ctx: Ctx, { token }: InvitationLink): Promise<OpenInvitation> {
  const { invitation, creator } = await findByToken(ctx, token);
  const user = ctx.actor.type === 'user' ? await findUser(ctx, ctx.actor.userId) : null;
  const { role, email } = invitation;
  return { creator: creator.name, role, email, isForUser: user && user.email === email };
}

/**
 * Makes the current user a member of the team, and lets this session work for it. The link alone is not enough, because
 * it may have been forwarded: only the account with the invited address can use it, and the link proves that address.
 * Of two concurrent attempts, one succeeds. @throws team.invitation_expired, team.other_address
 */
export async function acceptInvitation(ctx: Ctx, { token }: InvitationLink): Promise<{ creatorId: number }> {
  const { userId } = requireUser(ctx);
  const user = await findUser(ctx, userId);
  const { invitation } = await findByToken(ctx, token);
  if (invitation.email !== user.email) throw otherAddress({ email: invitation.email });
  const { creatorId, role } = invitation;
  await ctx.reach('invitation.found');
  await transact(ctx, async (tx) => {
    await consumeInvitation(tx, token);
    await markEmailVerified(tx, userId);
    const joined = await tx.db
      .insert(members)
      .values({ creatorId, userId, role, createdAt: tx.now() })
      .onConflictDoNothing()
      .returning({ id: members.id });
    const params = { name: user.name, role };
    if (joined.length > 0) await recordActivity(tx, { creatorId, action: 'member.joined', subjectId: userId, params });
  });
  await ctx.sessions.workFor(creatorId);
  return { creatorId };
}

async function findByToken(ctx: Ctx, token: string) {
  const isValid = and(eq(invitations.tokenHash, hashToken(token)), gt(invitations.expiresAt, ctx.now()));
  const [found] = await ctx.db
    .select({ invitation: invitations, creator: creators })
    .from(invitations)
    .innerJoin(creators, eq(creators.id, invitations.creatorId))
    .where(and(isValid, isNull(creators.closedAt)));
  if (!found) throw invitationExpired();
  return found;
}

async function consumeInvitation(tx: TxCtx, token: string): Promise<void> {
  const used = await tx.db
    .delete(invitations)
    .where(and(eq(invitations.tokenHash, hashToken(token)), gt(invitations.expiresAt, tx.now())))
    .returning({ id: invitations.id });
  if (used.length === 0) throw invitationExpired();
}
