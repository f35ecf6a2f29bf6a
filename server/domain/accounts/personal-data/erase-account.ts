import { and, eq, isNull, lte } from 'drizzle-orm';
import { accountExports, billingDetails, emailTokens, notificationOptOuts, users } from '~/db/schema/accounts';
import { CONTACT_PATH } from '../../../base/public-paths';
import { removeObjects } from '../../../queue/catalog';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { eraseEmails } from '../../notifications/outbox';
import { queueAccountEmail } from '../base/email-links';
import { findUser } from '../base/queries';
import { deleteLoginsOf } from '../logins/sessions';
import { exportKey } from './export-data';

type Person = { userId: number };

/**
 * The first step of a deletion: nobody can use the account any more, however long the other steps take. @returns whether
 * the account is due and not deleted yet; an undo that commits at the same time wins
 */
export async function beginErasing(ctx: Ctx, { userId }: Person): Promise<boolean> {
  const isDue = await transact(ctx, async (tx) => {
    const due = and(eq(users.id, userId), lte(users.deletionDueAt, tx.now()), isNull(users.deletedAt));
    const begun = await tx.db.update(users).set({ passwordHash: null }).where(due).returning({ id: users.id });
    if (begun.length > 0) await endLogins(tx, userId);
    return begun.length > 0;
  });
  await ctx.sessions.announceEnded();
  return isDue;
}

async function endLogins(tx: TxCtx, userId: number): Promise<void> {
  await deleteLoginsOf(tx, userId);
  await tx.db.delete(emailTokens).where(eq(emailTokens.userId, userId));
}

/**
 * The last step: removes the rest of the personal data. The row stays, without a name and an address, for records of
 * payments and for shows that others have paid for; its creator page keeps the domain from being claimed again.
 */
export async function eraseAccount(ctx: Ctx, { userId }: Person): Promise<void> {
  await transact(ctx, async (tx) => {
    // of two jobs for one account, one sends the last email
    await tx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    const user = await findUser(tx, userId);
    if (user.deletedAt) return;
    // an email link or a log-in at another service may have let somebody in since the first step
    await endLogins(tx, userId);
    await eraseExports(tx, userId);
    await tx.db.delete(billingDetails).where(eq(billingDetails.userId, userId));
    await tx.db.delete(notificationOptOuts).where(eq(notificationOptOuts.userId, userId));
    await eraseEmails(tx, user);
    await tx.db
      .update(users)
      .set({ ...NOTHING_PERSONAL, email: `deleted-${userId}@account.invalid`, deletedAt: tx.now() })
      .where(and(eq(users.id, userId), isNull(users.deletedAt)));
    await queueAccountEmail(tx, user, { topic: 'account_deleted', url: tx.urls.app(CONTACT_PATH) });
  });
  await ctx.sessions.announceEnded();
}

/** What an account may lose: everything that is not required. */
const NOTHING_PERSONAL = {
  name: '',
  passwordHash: null,
  country: null,
  language: null,
  description: null,
  timeZone: null,
  birthDate: null,
  parentalPermissionAt: null,
  avatarKey: null,
  emailVerifiedAt: null,
  marketingConsentedAt: null,
  signUpSource: null,
  signUpReason: null,
} as const;

async function eraseExports(tx: TxCtx, userId: number): Promise<void> {
  const erased = await tx.db
    .delete(accountExports)
    .where(eq(accountExports.userId, userId))
    .returning({ id: accountExports.id });
  const keys = erased.map(({ id }) => exportKey(id));
  if (keys.length > 0) await tx.jobs.enqueue(removeObjects, { keys });
}
