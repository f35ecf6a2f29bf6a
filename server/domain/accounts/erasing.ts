import { and, eq, isNull } from 'drizzle-orm';
import {
  accountExports,
  billingDetails,
  emailChanges,
  emailTokens,
  notificationOptOuts,
  users,
} from '~/db/schema/accounts';
import { authenticators, identities, loginChallenges, passkeys, recoveryCodes } from '~/db/schema/logins';
import { removeObjects } from '~/jobs/catalog';
import { type Ctx, type TxCtx, transact } from '../../ctx';
import { CONTACT_PATH } from '../../public-paths';
import { eraseEmails } from '../notifications/outbox';
import { queueAccountEmail } from './email-links';
import { findUser } from './queries';
import { deleteSessionsOf } from './sessions';

type Person = { userId: number };

/** Ways to log in, and what belongs to them. */
const LOGINS = [identities, authenticators, recoveryCodes, passkeys, loginChallenges, emailTokens, emailChanges];

/** The first step of a deletion: nobody can use the account any more, however long the other steps take. */
export async function endLogins(ctx: Ctx, { userId }: Person): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db.update(users).set({ passwordHash: null }).where(eq(users.id, userId));
    for (const table of LOGINS) await tx.db.delete(table).where(eq(table.userId, userId));
    await deleteSessionsOf(tx, userId);
  });
  await ctx.sessions.announceEnded();
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
    .returning({ key: accountExports.objectKey });
  const keys = erased.flatMap(({ key }) => key ?? []);
  if (keys.length > 0) await tx.jobs.enqueue(removeObjects, { keys });
}
