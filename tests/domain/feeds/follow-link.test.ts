import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { findOrCreateListener } from '~/server/domain/accounts/logins/sign-up';
import { queueFollowLink } from '~/server/domain/feeds/request-follow';
import { lockAddress } from '~/server/domain/notifications/address-links';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { lockWaits } from '../../support/lock-waits';

const { runtime, podcast, visitor } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');

test('a click on a follow link waits for another one that creates the account', async () => {
  const email = 'twice@mail.example';
  await queueFollowLink(ctx, { email, productId: podcast.id, language: 'en' });
  const [sent] = await db.select().from(outbox).where(eq(outbox.to, email));
  const token = /token=(\S+)/.exec(sent!.text)![1]!;
  let second: ReturnType<typeof visitor.feeds.confirmFollow> | undefined;

  // the first job has begun
  await transact(ctx, async (tx) => {
    await lockAddress(tx, email);
    await findOrCreateListener(tx, { email, currency: 'eur' });
    second = visitor.feeds.confirmFollow({ token });
    void second.catch(() => {});
    await lockWaits(db);
  });

  expect(await second).toMatchObject({ email, isVerified: true });
  const [user] = await db.select().from(users).where(eq(users.email, email));
  expect(await db.$count(grants, eq(grants.userId, user!.id))).toBe(1);
});
