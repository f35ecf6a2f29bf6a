import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { DAYS, later } from '~/server/base/time';
import { endAccess, grantAccess } from '~/server/domain/access/grant-access';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, paidPodcast, clock } = await cast();
const ctx = systemCtx(runtime, 'test');

async function granted(endsAt: Date) {
  const { id: userId } = await make.person();
  const key = { userId, productId: paidPodcast.id, source: 'subscription' } as const;
  await transact(ctx, (tx) => grantAccess(tx, { ...key, endsAt, renews: true }));
  const own = and(eq(grants.userId, userId), eq(grants.source, 'subscription'));
  return { key, read: async () => (await runtime.db.select().from(grants).where(own))[0]! };
}

test('ending an access does not postpone an earlier end', async () => {
  const endsAt = later(clock.now, DAYS(3));
  const { key, read } = await granted(endsAt);

  await transact(ctx, (tx) => endAccess(tx, { ...key, at: later(clock.now, DAYS(9)) }));

  expect(await read()).toMatchObject({ endsAt, renews: false });
});

test('an access that had ended begins again, and a running one does not', async () => {
  const { key, read } = await granted(later(clock.now, DAYS(3)));
  const { startsAt } = await read();
  const again = (at: Date) =>
    transact({ ...ctx, now: () => at }, (tx) => grantAccess(tx, { ...key, endsAt: later(at, DAYS(3)), renews: true }));

  await again(later(startsAt, DAYS(2)));
  expect((await read()).startsAt).toEqual(startsAt);
  await again(later(startsAt, DAYS(30)));

  expect((await read()).startsAt).toEqual(later(startsAt, DAYS(30)));
});
