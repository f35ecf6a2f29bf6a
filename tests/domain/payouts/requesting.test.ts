import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { activity } from '~/db/schema/team';
import { enterAdjustment } from '~/server/domain/payouts/ledger';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { PASSWORD } from '../../support/make';

const { runtime, make } = await cast({ empty: true });

test('the team reads who has requested which payout', async () => {
  const { api, creatorId, id: userId } = await make.creator();
  await api.accounts.updatePayoutAddress({ iban: 'ES9121000418450200051332', currentPassword: PASSWORD });
  const given = { key: 'a', creatorId, currency: 'eur', minor: 60_00, note: 'Test', actor: 'test' } as const;
  await transact(systemCtx(runtime, 'test'), (tx) => enterAdjustment(tx, given));

  await api.payouts.request({ currentPassword: PASSWORD });

  expect(
    await runtime.db.select().from(activity).where(eq(activity.action, 'payout.requested')).orderBy(activity.id),
  ).toMatchObject([{ creatorId, userId, params: { amount: '60.00 EUR' } }]);
});
