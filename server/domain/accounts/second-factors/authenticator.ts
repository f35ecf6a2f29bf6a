import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { authenticators } from '~/db/schema/logins';
import { matchTotp, newTotpSecret, otpauthUri } from '../../../auth/totp';
import { earlier } from '../../../base/time';
import { SECOND_FACTOR_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { type Ctx, transact } from '../../../runtime/ctx';
import { authenticatorExists, wrongCode } from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import type { ConfirmAuthenticator } from '../base/schema';
import { addSecondFactor, type NewRecoveryCodes, removeSecondFactor } from './change-second-factor';
import { authenticatorOwner, requireConfirmation } from './second-factor';

const ISSUER = 'Altavoz';

/** What an authenticator app needs: `qrCode` is an SVG as a data URL; `secret` is for typing, in groups of four. */
export type AuthenticatorSetUp = { qrCode: string; secret: string; uri: string };

/** Creates the secret for an app. Repeating it replaces the secret. @throws account.authenticator_exists */
export async function startAuthenticator(ctx: Ctx): Promise<void> {
  await requireConfirmation(ctx);
  const { userId } = requireUser(ctx);
  const secret = ctx.vault.seal(newTotpSecret(), authenticatorOwner(userId));
  const values = { secret, createdAt: ctx.now() };
  const started = await ctx.db
    .insert(authenticators)
    .values({ ...values, userId })
    .onConflictDoUpdate({ target: authenticators.userId, set: values, setWhere: isNull(authenticators.confirmedAt) })
    .returning({ userId: authenticators.userId });
  if (started.length === 0) throw authenticatorExists();
}

/** The set-up that waits for its first code; null without one. */
export async function authenticatorSetUp(ctx: Ctx, user: UserRow): Promise<AuthenticatorSetUp | null> {
  const secret = await pendingSecret(ctx, user.id);
  if (!secret) return null;
  const uri = otpauthUri({ issuer: ISSUER, account: user.email, secret });
  const { renderSVG } = await import('uqr');
  const svg = renderSVG(uri, { border: 2 });
  const qrCode = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return { qrCode, secret: secret.match(/.{1,4}/g)!.join(' '), uri };
}

/** Turns the app on with its first code. @throws account.wrong_code, account.confirmation_required */
export async function confirmAuthenticator(ctx: Ctx, { code }: ConfirmAuthenticator): Promise<NewRecoveryCodes> {
  await requireConfirmation(ctx);
  const user = await findUser(ctx, requireUser(ctx).userId);
  return ctx.codes.attempt({ email: user.email, isGuessable: true }, async () => {
    const secret = await pendingSecret(ctx, user.id);
    const lastStep = secret && matchTotp(secret, code.replace(/\s/g, ''), ctx.now());
    if (typeof lastStep !== 'number') throw wrongCode();
    return addSecondFactor(ctx, user, {
      email: { topic: 'authenticator_added' },
      async insert(tx) {
        const confirmed = await tx.db
          .update(authenticators)
          .set({ confirmedAt: tx.now(), lastStep })
          .where(isPending(user.id))
          .returning({ userId: authenticators.userId });
        if (confirmed.length === 0) throw wrongCode();
      },
    });
  });
}

/** Turns the app off. Repeating it succeeds. @throws account.confirmation_required */
export async function removeAuthenticator(ctx: Ctx): Promise<void> {
  await requireConfirmation(ctx);
  const user = await findUser(ctx, requireUser(ctx).userId);
  await transact(ctx, async (tx) => {
    const [removed] = await tx.db
      .delete(authenticators)
      .where(eq(authenticators.userId, user.id))
      .returning({ confirmedAt: authenticators.confirmedAt });
    if (removed?.confirmedAt) await removeSecondFactor(tx, user, { topic: 'authenticator_removed' });
  });
}

async function pendingSecret(ctx: Ctx, userId: number): Promise<string | null> {
  const [row] = await ctx.db.select({ secret: authenticators.secret }).from(authenticators).where(isPending(userId));
  return row ? ctx.vault.open(row.secret, authenticatorOwner(userId)) : null;
}

const isPending = (userId: number) => and(eq(authenticators.userId, userId), isNull(authenticators.confirmedAt));

/** When the app was turned on; null if it is off. */
export async function authenticatorSince(ctx: Ctx, userId: number): Promise<Date | null> {
  const [row] = await ctx.db
    .select({ confirmedAt: authenticators.confirmedAt })
    .from(authenticators)
    .where(and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedAt)));
  return row?.confirmedAt ?? null;
}

/** Deletes set-ups that users have not finished in time. */
export async function deleteStaleSetUps(ctx: Ctx): Promise<void> {
  const before = earlier(ctx.now(), SECOND_FACTOR_LIMITS.setUpFor);
  await ctx.db
    .delete(authenticators)
    .where(and(isNull(authenticators.confirmedAt), lt(authenticators.createdAt, before)));
}
