import { and, eq, isNull, lte } from 'drizzle-orm';
import {
  accountExports,
  billingDetails,
  emailCodes,
  emailTokens,
  notificationOptOuts,
  users,
} from '~/db/schema/accounts';
import { CONTACT_PATH } from '../../../base/public-paths';
import { removeObjects } from '../../../queue/jobs/media';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
import { eraseEmails } from '../../notifications/outbox';
import { queueAccountEmail } from '../base/email-links';
import { findUser } from '../base/queries';
import { deleteLoginsOf } from '../logins/sessions';
import { exportKey } from './export-data';

type Person = { userId: number };

/**
 * The first step of a deletion: closes the account at once, because the other steps may take long. @returns whether the
 * account is due and not deleted yet; an undo that commits at the same time wins
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
  await tx.db.delete(emailCodes).where(eq(emailCodes.userId, userId));
}

/**
 * The last step: removes the rest of the personal data. The row stays without name and address, because records of
 * payments and shows that others have paid for refer to it; its creator page keeps the domain from being claimed again.
 */
export async function eraseAccount(ctx: Ctx, { userId }: Person): Promise<void> {
  await transact(ctx, async (tx) => {
    // if two jobs delete one account, only one sends the last email
    await tx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    const user = await findUser(tx, userId);
    if (user.deletedAt) return;
    // an email link or a login at another service may have opened a session since the first step
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

/** Erased values: every column that may be empty. */
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
