import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { contactSources, contacts } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { DAYS, later } from '~/server/base/time';
import { markEmailVerified } from '~/server/domain/accounts/logins/mark-verified';
import { eraseContacts } from '~/server/domain/audience/erase-contacts';
import { keepFollower, keepListener } from '~/server/domain/audience/keep-contact';
import { moveContacts } from '~/server/domain/audience/move-contacts';
import { moveSeries } from '~/server/domain/newsletter/move-series';
import { addressToken } from '~/server/domain/notifications/address-links';
import { transact } from '~/server/runtime/ctx';
import { automationStage } from '../domain/newsletter/running-automations';
import { runJobs } from '../support/run-jobs';

const { runtime, make, clock, publisher, addContacts, jobCtx, visitor } = await automationStage();
const { db } = runtime;
const owner = await publisher();
const { creatorId } = owner;
await db.update(creators).set({ showNewsletter: true }).where(eq(creators.id, creatorId));
const product = await make.product(owner, { priceMinor: 500 });

const rowOf = async (email: string) =>
  (
    await db
      .select({ id: contacts.id, email: contacts.email, userId: contacts.userId, status: contacts.status })
      .from(contacts)
      .where(and(eq(contacts.creatorId, creatorId), eq(contacts.email, email)))
  )[0] ?? null;
/** A purchase, as its job adds the buyer. */
const buy = (userId: number) => keepListener(jobCtx(), { userId, productId: product.id, source: 'purchase' });
/** An account whose form had another person's address. */
async function impostor(email: string): Promise<number> {
  const { id } = await make.person();
  await db.update(users).set({ email }).where(eq(users.id, id));
  return id;
}
const verify = (userId: number) => transact(jobCtx(), (tx) => markEmailVerified(tx, userId));
const confirm = (email: string) =>
  visitor.audience.confirmJoin({
    token: addressToken(jobCtx(), { email, id: creatorId, issuedAt: clock.now }, 'join a newsletter'),
  });

test.each(['deletes the account', 'moves the account to another address'])(
  'who buys with another person’s address and %s leaves that person on the list',
  async (what) => {
    const email = `owner-${what.length}@mail.example`;
    const [known] = await addContacts(creatorId, 1, { email, statusAt: clock.now });
    await db.insert(contactSources).values({ contactId: known!.id, creatorId, source: 'form' });
    const userId = await impostor(email);
    await buy(userId);
    expect((await rowOf(email))?.userId).toBeNull();

    if (what.startsWith('deletes')) await eraseContacts(jobCtx(), { userId });
    else {
      await db
        .update(users)
        .set({ email: 'impostor@mail.example', emailVerifiedAt: clock.now })
        .where(eq(users.id, userId));
      await moveContacts(jobCtx(), { userId }, moveSeries);
    }

    expect(await rowOf(email)).toMatchObject({ id: known!.id, status: 'active' });
  },
);

test('a contact that somebody else’s purchase made loses that account once its owner signs up', async () => {
  const email = 'bought-first@mail.example';
  const userId = await impostor(email);
  await buy(userId);
  expect((await rowOf(email))?.userId).toBe(userId);

  await confirm(email);
  expect((await rowOf(email))?.userId).toBeNull();
  await eraseContacts(jobCtx(), { userId });

  expect(await rowOf(email)).toMatchObject({ status: 'active' });
});

test('what an unverified account has brought goes with it, but not what a file has brought, too', async () => {
  const [alone, both] = ['alone@mail.example', 'both@mail.example'];
  const accounts = [await impostor(alone), await impostor(both)];
  for (const userId of accounts) await buy(userId);
  const { id } = (await rowOf(both))!;
  await db.insert(contactSources).values({ contactId: id, creatorId, source: 'import' });

  for (const userId of accounts) await eraseContacts(jobCtx(), { userId });

  expect([await rowOf(alone), await rowOf(both)]).toEqual([null, { id, email: both, userId: null, status: 'active' }]);
});

test('a proven account stays on its contact, and takes the place of one that is not', async () => {
  const email = 'proven@mail.example';
  const first = await impostor(email);
  await buy(first);
  await db.update(users).set({ email: 'given-up@mail.example' }).where(eq(users.id, first));
  const second = await impostor(email);
  await verify(second);
  await buy(second);
  expect((await rowOf(email))?.userId).toBe(second);

  await db.update(users).set({ email: 'second@mail.example' }).where(eq(users.id, second));
  const third = await impostor(email);
  await verify(third);
  await buy(third);

  expect((await rowOf(email))?.userId).toBe(second);
});

test('who was on the list before they bought gets the account once they verify the address', async () => {
  const email = 'verified-later@mail.example';
  await addContacts(creatorId, 1, { email, statusAt: clock.now });
  const userId = await impostor(email);
  await transact(jobCtx(), (tx) =>
    tx.db.execute(sql`insert into grants (user_id, product_id, source, starts_at) values
      (${userId}::bigint, ${product.id}::bigint, 'purchase', ${later(clock.now, DAYS(-1)).toISOString()}::timestamptz)`),
  );
  await buy(userId);
  expect((await rowOf(email))?.userId).toBeNull();

  await verify(userId);
  await runJobs(runtime, 'audience.keep-follower', (job, ctx) => keepFollower(ctx, job));

  expect((await rowOf(email))?.userId).toBe(userId);
});
