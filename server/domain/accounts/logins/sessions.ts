import { and, desc, eq, gt, ne } from 'drizzle-orm';
import { emailChanges, sessions } from '~/db/schema/accounts';
import { authenticators, identities, loginChallenges, passkeys, recoveryCodes } from '~/db/schema/logins';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { hashToken } from '../../../auth/token-hash';
import { SECURITY_PATH } from '../../../base/account-paths';
import { languagePrefix } from '../../../base/public-paths';
import { SESSION_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { countriesIn } from '../../reference/rules';
import { type Device, deviceOf } from '../base/devices';
import { queueAccountEmail } from '../base/email-links';
import type { UserRow } from '../base/queries';

export type SessionView = {
  id: string;
  isCurrent: boolean;
  channel: 'web' | 'rest';
  device: Device;
  /** Country name in the user's language; null if the IP address has no known country. */
  country: string | null;
  lastUsedAt: Date;
  createdAt: Date;
};

/** The current user's sessions, the last used first. */
export async function listSessions(ctx: Ctx): Promise<SessionView[]> {
  const { userId, sessionId } = requireUser(ctx);
  const rows = await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, ctx.now())))
    .orderBy(desc(sessions.lastUsedAt))
    .limit(SESSION_LIMITS.listed);
  const current = hashToken(sessionId);
  const names = new Map(countriesIn(ctx.language).map(({ code, name }) => [code, name]));
  return rows.map(({ id, channel, userAgent, country, lastUsedAt, createdAt }) => ({
    id,
    isCurrent: id === current,
    channel,
    device: deviceOf(userAgent ?? ''),
    country: names.get(country ?? '') ?? null,
    lastUsedAt,
    createdAt,
  }));
}

/** Ends one of the current user's sessions. Ending it again succeeds. */
export async function endSession(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { userId } = requireUser(ctx);
  await ctx.db.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.id, id)));
  await ctx.sessions.announceEnded();
}

/** Ends all sessions of the current user but this one. */
export async function endOtherSessions(ctx: Ctx): Promise<void> {
  const { userId, sessionId } = requireUser(ctx);
  await transact(ctx, (tx) => deleteSessionsOf(tx, userId, { except: sessionId }));
  await ctx.sessions.announceEnded();
}

/** Ends a user's sessions in the caller's transaction; afterwards `ctx.sessions.announceEnded` tells all processes. */
export async function deleteSessionsOf(tx: TxCtx, userId: number, { except }: { except?: string } = {}): Promise<void> {
  const others = except === undefined ? undefined : ne(sessions.id, hashToken(except));
  await tx.db.delete(sessions).where(and(eq(sessions.userId, userId), others));
}

/** Ways to log in besides the password, and changes that another person has begun. */
const LOGINS = [identities, authenticators, recoveryCodes, passkeys, loginChallenges, emailChanges];

/**
 * Ends a user's sessions and every way to log in except the password; afterwards announce it as for deleteSessionsOf.
 */
export async function deleteLoginsOf(tx: TxCtx, userId: number): Promise<void> {
  for (const table of LOGINS) await tx.db.delete(table).where(eq(table.userId, userId));
  await deleteSessionsOf(tx, userId);
}

/** Tells the owner about a login on a device that has never logged in to this account. */
export async function reportNewDevice(ctx: Ctx, user: UserRow, token: string): Promise<void> {
  if (ctx.client.isKnownDevice || (await isKnownApp(ctx, user, token))) return;
  const { browser, system } = deviceOf(ctx.client.userAgent);
  const language = user.language ?? DEFAULT_LANGUAGE;
  const unknown = ctx.translate('account:device.unknown', {}, language);
  await transact(ctx, (tx) =>
    queueAccountEmail(tx, user, {
      topic: 'new_device',
      url: tx.urls.app(languagePrefix(language) + SECURITY_PATH),
      device: [browser, system].filter(Boolean).join(', ') || unknown,
    }),
  );
}

/** Legacy clients may keep no cookie, so an earlier session of the same app counts as the same device. */
async function isKnownApp(ctx: Ctx, { id: userId }: UserRow, token: string): Promise<boolean> {
  const ofUser = await ctx.db
    .select({ id: sessions.id, userAgent: sessions.userAgent })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.channel, 'rest')))
    .limit(SESSION_LIMITS.listed);
  const opened = ofUser.find(({ id }) => id === hashToken(token));
  return opened !== undefined && ofUser.some((other) => other !== opened && other.userAgent === opened.userAgent);
}
