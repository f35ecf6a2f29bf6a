import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { DAYS, later } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { completeConversion } from '~/server/queue/jobs/products';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, make, lucia, clock } = await cast();
const ctx = systemCtx(runtime, 'test');

test('a show that becomes free has a job for the end of its last subscription', async () => {
  const show = await make.product(lucia, { priceMinor: 500 });
  const ends = [later(clock.now, DAYS(3)), later(clock.now, DAYS(20))];
  for (const endsAt of ends) {
    const { id: userId } = await make.person();
    const key = { userId, productId: show.id, source: 'subscription' } as const;
    await transact(ctx, (tx) => grantAccess(tx, { ...key, endsAt, renews: true }));
  }

  await lucia.api.products.startFreeConversion({ id: show.id, kind: 'podcast', how: 'at_period_end' });

  const jobs = await runtime.db.execute<{ at: string }>(sql`
    select to_char(start_after at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from pgboss.job
    where name = ${completeConversion.name} and data @> ${JSON.stringify({ productId: show.id })}::text::jsonb order by created_on, id`);
  expect([...jobs]).toEqual([{ at: ends[1]!.toISOString() }]);
});
