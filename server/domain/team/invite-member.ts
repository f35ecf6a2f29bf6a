import { randomBytes } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { invitations, members } from '~/db/schema/team';
import { hashToken } from '../../auth/token-hash';
import { tooManyRequests } from '../../base/errors';
import { INVITATION_PATH, languagePrefix } from '../../base/public-paths';
import { earlier, later, wholeSeconds } from '../../base/time';
import { EMAIL_LINK_LIMITS } from '../../limits/accounts';
import { TEAM_LIMITS } from '../../limits/team';
import { currentCreator, requireUser } from '../../policy/actor';
import { type Allowed, authorize } from '../../policy/authorize';
import type { TeamRole } from '../../policy/roles';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser, lookupUserByEmail } from '../accounts/base/queries';
import { requireVerifiedEmail } from '../accounts/logins/verify-email';
import { countEmails, countEmailsOf, queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { recordActivity } from './activity';
import { alreadyMember, invitationNotFound, ownAddress, teamFull, tooManyInvitations } from './errors';
import { countPeople } from './queries';
import type { Invite } from './schema';

/**
 * Invitations to a team. The link proves access to the address; only its hash is stored, and another invitation to the
 * same address replaces it. All addresses get the same email, which does not reveal whether they have an account.
 */
const TOPIC = 'team_invitation';
const TOKEN_BYTES = 32;

type Team = Allowed<'creator.manageTeam', { id: number }>;

/**
 * Invites a person to the team of the current creator, or sends them another link.
 * @throws common.role_not_allowed, account.email_not_verified, team.own_address, team.already_member, team.full,
 * team.too_many_invitations
 */
export async function inviteMember(ctx: Ctx, input: Invite): Promise<void> {
  const team = authorize(ctx, 'creator.manageTeam', currentCreator(ctx));
  await requireVerifiedEmail(ctx);
  await transact(ctx, (tx) => sendInvitation(tx, team, input));
}

/** Sends another link; the former link stops working. @throws as invite, team.invitation_not_found */
export async function resendInvitation(ctx: Ctx, { id }: { id: number }): Promise<void> {
  const team = authorize(ctx, 'creator.manageTeam', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [found] = await tx.db.select().from(invitations).where(isOf(team, id));
    if (!found) throw invitationNotFound();
    await sendInvitation(tx, team, found);
  });
}

/** Invalidates an invitation's link. Repeating it is harmless. */
export async function revokeInvitation(ctx: Ctx, { id }: { id: number }): Promise<void> {
  const team = authorize(ctx, 'creator.manageTeam', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const [revoked] = await tx.db.delete(invitations).where(isOf(team, id)).returning({ email: invitations.email });
    if (!revoked) return;
    await recordActivity(tx, { creatorId: team.id, action: 'member.invitation_revoked', params: revoked });
  });
}

const isOf = ({ id: creatorId }: Team, id: number) => and(eq(invitations.id, id), eq(invitations.creatorId, creatorId));

async function sendInvitation(tx: TxCtx, team: Team, { email, role }: Invite): Promise<void> {
  // locks the page, so that concurrent invitations are counted one after the other
  const people = await countPeople(tx, team.id);
  const invited = await tx.db.$count(
    invitations,
    and(eq(invitations.creatorId, team.id), eq(invitations.email, email)),
  );
  const { userId } = requireUser(tx);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const link = {
    role,
    tokenHash: hashToken(token),
    invitedBy: userId,
    expiresAt: later(tx.now(), TEAM_LIMITS.invitedFor),
  };
  await tx.db
    .insert(invitations)
    .values({ creatorId: team.id, email, createdAt: tx.now(), ...link })
    .onConflictDoUpdate({ target: [invitations.creatorId, invitations.email], set: link });
  // checked only now: the unique index has waited for a person who accepts the former invitation
  await assertNew(tx, team, email);
  if (invited === 0 && people >= TEAM_LIMITS.people) throw teamFull({ limit: TEAM_LIMITS.people });
  await assertEmailsLeft(tx, email);
  await recordActivity(tx, { creatorId: team.id, action: 'member.invited', params: { email, role } });
  await queueInvitation(tx, team, { email, role, token });
}

async function assertNew(tx: TxCtx, team: Team, email: string): Promise<void> {
  const [owner] = await tx.db
    .select({ email: users.email })
    .from(creators)
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(creators.id, team.id));
  if (owner?.email === email) throw ownAddress();
  const [member] = await tx.db
    .select({ id: members.id })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.creatorId, team.id), eq(users.email, email)));
  if (member) throw alreadyMember();
}

/** Limits the emails that one account sends, and those that one address receives. */
async function assertEmailsLeft(tx: TxCtx, to: string): Promise<void> {
  const { userId } = requireUser(tx);
  const since = earlier(tx.now(), EMAIL_LINK_LIMITS.window);
  const wait = wholeSeconds(EMAIL_LINK_LIMITS.window);
  if ((await countEmails(tx, { to, topic: TOPIC, since })) >= EMAIL_LINK_LIMITS.perWindow) throw tooManyRequests(wait);
  if ((await countEmailsOf(tx, { userId, topic: TOPIC, since })) >= TEAM_LIMITS.emailsPerDay)
    throw tooManyInvitations({ limit: TEAM_LIMITS.emailsPerDay, seconds: wait });
}

/** Uses the language of the account with this address, otherwise the language of the page. */
async function queueInvitation(
  tx: TxCtx,
  team: Team,
  { email, role, token }: { email: string; role: TeamRole; token: string },
): Promise<void> {
  const { userId } = requireUser(tx);
  const [creator] = await tx.db.select({ name: creators.name }).from(creators).where(eq(creators.id, team.id));
  const inviter = await findUser(tx, userId);
  const language = (await lookupUserByEmail(tx, email))?.language ?? inviter.language ?? tx.language;
  const translate = (key: string, values?: Record<string, string | number>) => tx.translate(key, values, language);
  const url = tx.urls.app(`${languagePrefix(language)}${INVITATION_PATH}?token=${token}`);
  const facts = {
    name: '',
    url,
    creator: creator?.name ?? '',
    role: translate(`mail:role.${role}`),
    from: inviter.email,
  };
  const { subject, content } = accountEmail(translate, TOPIC, facts);
  await queueEmail(tx, { to: email, userId, topic: TOPIC, language, subject, content });
}

/** Deletes invitations that were not accepted. They are listed for another week, so that they can be sent again. */
export async function sweepInvitations(ctx: Ctx): Promise<void> {
  await ctx.db.delete(invitations).where(lt(invitations.expiresAt, earlier(ctx.now(), TEAM_LIMITS.invitedFor)));
}

/**
 * Deletes a deleted account's invitations: those that it has sent, those that it has received, and those of its own
 * team.
 */
export async function deleteInvitationsOf(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const { email } = await findUser(ctx, userId);
  await ctx.db.delete(invitations).where(eq(invitations.invitedBy, userId));
  await ctx.db.delete(invitations).where(eq(invitations.email, email));
}
