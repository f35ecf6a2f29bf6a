import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { payouts } from '~/db/schema/payouts';
import { enterAdjustment } from '~/server/domain/payouts/ledger';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';
import { PASSWORD } from '../support/make';

const stage = await cast();
const { runtime, make, clock, tom } = stage;
const { send } = legacyClient(stage);
const ctx = systemCtx(runtime, 'test');
clock.now = new Date('2026-11-23T12:00:00Z');

let given = 0;
const give = (creatorId: number, minor: number) =>
  transact(ctx, (tx) => {
    given += 1;
    return enterAdjustment(tx, { key: `${given}`, creatorId, currency: 'eur', minor, note: 'T', actor: 'T' });
  });

test('a legacy client asks for the balance and requests it, once a month', async () => {
  const { id, creatorId, api } = await make.creator({ country: 'ES' });
  const { token } = await runtime.sessions.start(id, { channel: 'rest', userAgent: '', country: null });
  await api.accounts.updatePayoutAddress({ paypalEmail: 'a@mail.example', currentPassword: PASSWORD });
  const amounts = () => send('GET', 'products-payout-amount/', { token });
  const request = (query = '') => send('GET', `request-payout/${query}`, { token });
  const nothing = { available: '0.00', pending: '0.00', currency: 'eur', threshold: '50.00', next_request_date: null };

  expect(await amounts()).toMatchObject({ status: 200, body: [{ ...nothing, can_request: false }] });
  await give(creatorId, 50_00);
  expect(await request()).toMatchObject({
    status: 400,
    body: { non_field_errors: ['You cannot claim payout until 50.'] },
  });
  await give(creatorId, 10_50);
  expect(await amounts()).toMatchObject({ body: [{ ...nothing, available: '60.50', can_request: true }] });
  expect(await request('?currency=xxx')).toMatchObject({ status: 400 });

  const requested = await request('?currency=eur');

  expect(requested).toMatchObject({ status: 200, body: { amount: '60.50', currency: 'eur', status: 'requested' } });
  expect((await request()).status).toBe(409);
  await give(creatorId, 90_00);
  expect((await Promise.all([request(), request()])).map(({ status }) => status)).toEqual([409, 409]);
  expect(await amounts()).toMatchObject({
    body: [{ ...nothing, available: '90.00', can_request: false, next_request_date: '2026-12-01' }],
  });
  expect(await runtime.db.$count(payouts, eq(payouts.creatorId, creatorId))).toBe(1);
});

test('a debt is negative', async () => {
  const { token, creatorId } = await make.creator({ country: 'ES' });
  await give(creatorId, -12_34);

  expect(await send('GET', 'products-payout-amount/', { token })).toMatchObject({ body: [{ available: '-12.34' }] });
});

test.each([
  ['a visitor', undefined, 401],
  ['a user without a creator page', tom.token, 403],
])('nothing is told to %s', async (_, token, status) => {
  expect((await send('GET', 'products-payout-amount/', { token })).status).toBe(status);
  expect((await send('GET', 'request-payout/', { token })).status).toBe(status);
});
