import { and, eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { outbox } from '~/db/schema/notifications';
import { operatorActions } from '~/db/schema/operators';
import { payoutPapers, payouts } from '~/db/schema/payouts';
import { members } from '~/db/schema/team';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { collectTransfers } from '~/server/domain/payouts/collect-transfers';
import { erasePayouts } from '~/server/domain/payouts/erase-payouts';
import { enterAdjustment, enterDispute, enterRefund, enterSale } from '~/server/domain/payouts/ledger';
import { issuePaper } from '~/server/domain/payouts/papers';
import { balancesOf, findPayout } from '~/server/domain/payouts/queries';
import { approvePayout, markPayoutPaid, reversePayout } from '~/server/domain/payouts/settle-payout';
import { networkOf } from '~/server/flow/rate-limits';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';
import { lockWaits } from '../support/lock-waits';
import { PASSWORD } from '../support/make';
import '../support/matchers';
import { protect } from '../support/second-factors';

const stage = await cast();
const { runtime, clock, make, as } = stage;
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const IBAN = 'ES9121000418450200051332';
const operator = { name: 'olga' };

// all callers of a test have one address
beforeEach(() => runtime.rateLimits.forget('requestPayout', networkOf('203.0.113.7')));

type Creator = Awaited<ReturnType<typeof make.creator>>;
let given = 0;
const give = ({ creatorId }: { creatorId: number }, minor: number, currency: 'eur' | 'usd' = 'eur') =>
  transact(ctx, (tx) => {
    given += 1;
    return enterAdjustment(tx, { key: `given/${given}`, creatorId, currency, minor, note: 'Test', actor: 'test' });
  });
/** A creator with an IBAN and this balance. */
async function creator(minor: number): Promise<Creator> {
  const person = await make.creator({ name: `Creadora ${given}` });
  await person.api.accounts.updatePayoutAddress({ iban: IBAN, currentPassword: PASSWORD });
  if (minor > 0) await give(person, minor);
  return person;
}
const available = async ({ creatorId }: { creatorId: number }) =>
  (await balancesOf(ctx, creatorId)).find(({ currency }) => currency === 'eur')?.availableMinor;
const rowsOf = ({ creatorId }: { creatorId: number }) =>
  db.select().from(payouts).where(eq(payouts.creatorId, creatorId)).orderBy(payouts.id);
const emailsTo = async (to: string) =>
  (await db.select().from(outbox).where(eq(outbox.to, to)).orderBy(outbox.createdAt))
    .map(({ topic }) => topic)
    .filter((topic) => /^payout_(?!changed)/.test(topic));
const approved = async (id: string) => {
  await approvePayout(ctx, { operator, id });
  return markPayoutPaid(ctx, { operator, id });
};

test('a payout takes the whole available balance above 50.00, once', async () => {
  const lucia = await creator(50_00);
  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD })).toFailWith('payout.below_threshold');
  await give(lucia, 1);

  const payout = await lucia.api.payouts.request({ currentPassword: PASSWORD });

  expect(payout).toMatchObject({ amountMinor: 50_01, currency: 'eur', status: 'requested' });
  expect(await available(lucia)).toBe(0);
  expect(await emailsTo(lucia.email)).toContain('payout_requested');
  const [row] = await rowsOf(lucia);
  expect(row).toMatchObject({ publicId: payout.id, method: 'iban', destination: IBAN, requestedBy: lucia.id });
});

test('one of ten requests at once becomes a payout, and the others say why not', async () => {
  const lucia = await creator(123_45);

  const all = await Promise.allSettled(
    Array.from({ length: 10 }, () => lucia.api.payouts.request({ currentPassword: PASSWORD, currency: 'eur' })),
  );

  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const each of all)
    if (each.status === 'rejected') expect(each.reason.cause.code).toBe('payout.already_requested');
  expect(await rowsOf(lucia)).toHaveLength(1);
  expect(await available(lucia)).toBe(0);
});

test('the month ends in UTC, to the millisecond', async () => {
  const before = clock.now;
  clock.now = new Date('2027-01-31T23:59:59.998Z');
  const lucia = await creator(60_00);
  await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await give(lucia, 70_00);
  clock.now = new Date('2027-01-31T23:59:59.999Z');
  const { balances } = await lucia.api.payouts.overview();
  expect(balances[0]).toMatchObject({ problem: 'payout.already_requested', nextRequestAt: new Date('2027-02-01') });
  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD })).toFailWith('payout.already_requested');

  clock.now = new Date('2027-02-01T00:00:00.000Z');
  expect(await lucia.api.payouts.request({ currentPassword: PASSWORD })).toMatchObject({ amountMinor: 70_00 });
  expect((await rowsOf(lucia)).map(({ month }) => month)).toEqual(['2027-01', '2027-02']);
  clock.now = before;
});

test('each currency is paid for itself', async () => {
  const lucia = await creator(60_00);
  await give(lucia, 30_00, 'usd');

  await lucia.api.payouts.request({ currentPassword: PASSWORD });

  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD, currency: 'usd' })).toFailWith(
    'payout.below_threshold',
  );
  await give(lucia, 30_00, 'usd');
  expect(await lucia.api.payouts.request({ currentPassword: PASSWORD })).toMatchObject({
    amountMinor: 60_00,
    currency: 'usd',
  });
});

test('without an address there is no payout', async () => {
  const lucia = await make.creator({ name: 'Sin cuenta' });
  await give(lucia, 80_00);

  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD })).toFailWith('payout.address_missing');
  expect(await rowsOf(lucia)).toEqual([]);
});

test('with a second factor, neither a payout nor another address goes without it', async () => {
  const person = await protect({ runtime, make: { person: () => creator(80_00) } });
  const { token } = await runtime.sessions.start(person.id, { channel: 'web', userAgent: '', country: null });
  const { payouts: money, accounts } = await as({ token });
  const change = { iban: '', paypalEmail: 'thief@mail.example', currentPassword: PASSWORD };

  await expect(accounts.updatePayoutAddress(change)).toFailWith('account.second_factor_required');
  await expect(money.request({})).toFailWith('account.second_factor_required');
  await expect(money.request({ code: '' })).toFailWith('account.second_factor_required');
  await expect(money.request({ code: '000000' })).toFailWith('account.wrong_code');
  expect(await accounts.billingDetails()).toMatchObject({ iban: IBAN, paypalEmail: null });

  expect(await money.request({ code: person.recoveryCodes[0]! })).toMatchObject({ amountMinor: 80_00 });
});

test('a payout that is refused anyway uses no code up', async () => {
  const person = await protect({ runtime, make: { person: () => creator(10_00) } });
  const code = person.recoveryCodes[0]!;
  const { token } = await runtime.sessions.start(person.id, { channel: 'web', userAgent: '', country: null });
  const { payouts: money } = await as({ token });
  await expect(money.request({ code })).toFailWith('payout.below_threshold');
  const { creator: page } = await person.api.accounts.me();
  await give({ creatorId: page!.id }, 70_00);
  // a code confirms its session for ten minutes
  clock.now = later(clock.now, MINUTES(11));

  expect(await money.request({ code })).toMatchObject({ amountMinor: 80_00 });
});

test('a payout goes where it was asked to go, whatever the address is later', async () => {
  const lucia = await creator(80_00);
  const { id } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await lucia.api.accounts.updatePayoutAddress({ paypalEmail: 'new@mail.example', currentPassword: PASSWORD });

  expect(await approved(id)).toMatchObject({ status: 'paid', method: 'iban', destination: IBAN });
});

/** An old sale of 100.00, of which the creator gets 95.00. */
async function soldLongAgo({ creatorId }: Creator) {
  const paidAt = later(clock.now, -DAYS(30));
  const id = `pi_${creatorId}`;
  const facts = { name: 'Serie', legalEntity: `T${creatorId}`, receiptNumber: 1, seller: 'A', plan: 'PRO' } as const;
  const buyer = { name: 'B', street: null, postalCode: null, city: null, country: null, taxNumber: null };
  const amounts = { amountMinor: 100_00, commissionMinor: 5_00, commissionBasisPoints: 500, commissionFixedMinor: 0 };
  const { sales } = await import('~/db/schema/billing');
  const [sale] = await db
    .insert(sales)
    .values({
      paymentId: id,
      purpose: 'show',
      creatorId,
      currency: 'eur',
      buyer,
      paidAt,
      providerFeeMinor: 0,
      ...amounts,
      ...facts,
    })
    .returning();
  await transact(ctx, (tx) => enterSale(tx, sale!));
  return sale!;
}

test.each([
  ['a refund', enterRefund],
  ['a lost dispute', enterDispute],
])('%s after the payout leaves a debt, which the next sales pay first', async (name, take) => {
  const lucia = await creator(0);
  const sale = await soldLongAgo(lucia);
  expect(await lucia.api.payouts.request({ currentPassword: PASSWORD }).then(({ id }) => approved(id))).toMatchObject({
    amountMinor: 95_00,
  });
  expect(await available(lucia)).toBe(0);

  const back = { id: `${name} ${sale.id}`, minor: 100_00, soFarMinor: 100_00, at: clock.now };
  await transact(ctx, (tx) => take(tx, sale, back));

  expect(await available(lucia)).toBe(-95_00);
  const before = clock.now;
  clock.now = later(before, DAYS(31));
  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD })).toFailWith('payout.below_threshold');
  await give(lucia, 140_00);
  await expect(lucia.api.payouts.request({ currentPassword: PASSWORD })).toFailWith('payout.below_threshold');
  await give(lucia, 10_00);
  expect(await lucia.api.payouts.request({ currentPassword: PASSWORD })).toMatchObject({ amountMinor: 55_00 });
  clock.now = before;
});

test('a payout that the bank returns is in the balance again, and can be asked for again this month', async () => {
  const lucia = await creator(80_00);
  const { id } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await approved(id);

  const back = () => reversePayout(ctx, { operator, id, reason: 'Account closed' });
  const all = await Promise.allSettled([back(), back(), back()]);

  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await available(lucia)).toBe(80_00);
  expect(await lucia.api.payouts.request({ currentPassword: PASSWORD })).toMatchObject({ amountMinor: 80_00 });
  expect((await emailsTo(lucia.email)).sort()).toEqual(
    ['payout_paid', 'payout_requested', 'payout_requested', 'payout_returned'].sort(),
  );
  const [mail] = await db
    .select()
    .from(outbox)
    .where(and(eq(outbox.to, lucia.email), eq(outbox.topic, 'payout_returned')));
  expect(mail!.text).toContain('Account closed');
});

test('a payout is paid once, and only after it was approved; each step names its operator', async () => {
  const lucia = await creator(80_00);
  const { id } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await expect(markPayoutPaid(ctx, { operator, id })).toFailWith('payout.wrong_state');

  await approvePayout(ctx, { operator, id });
  const paying = await Promise.allSettled([1, 2, 3].map(() => markPayoutPaid(ctx, { operator, id })));

  expect(paying.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const steps = await db
    .select()
    .from(operatorActions)
    .where(eq(operatorActions.target, `payout/${id}`))
    .orderBy(operatorActions.id);
  expect(steps.map(({ operator: who, action }) => [who, action])).toEqual([
    ['olga', 'payouts.approved'],
    ['olga', 'payouts.paid'],
  ]);
  await expect(db.delete(operatorActions)).rejects.toMatchObject({ cause: { code: '23001' } });
});

test('one of two files of transfers that are written at once has the payout', async () => {
  const lucia = await creator(80_00);
  const { id } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await approvePayout(ctx, { operator, id });

  const both = await db.transaction(async (tx) => {
    // neither request ends before the other begins
    await tx.select().from(payouts).where(eq(payouts.publicId, id)).limit(1).for('update');
    const collected = ['first', 'second'].map((file) => collectTransfers(ctx, { operator, file }));
    await lockWaits(db, 2);
    return { collected };
  });
  const files = await Promise.all(both.collected);

  expect(files.flat().filter(({ publicId }) => publicId === id)).toHaveLength(1);
});

test('two payouts of a creator that are paid at once have papers with numbers of their own', async () => {
  const lucia = await creator(80_00);
  const { id: first } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await approvePayout(ctx, { operator, id: first });
  clock.now = later(clock.now, DAYS(32));
  await give(lucia, 90_00);
  const { id: second } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await approvePayout(ctx, { operator, id: second });

  const { paid } = await transact(ctx, async (tx) => {
    await tx.db.select().from(creators).where(eq(creators.id, lucia.creatorId)).for('no key update');
    await issuePaper(tx, await findPayout(tx, first), 'invoice');
    const paying = markPayoutPaid(ctx, { operator, id: second });
    await Promise.race([paying, lockWaits(db)]);
    return { paid: paying };
  });

  expect(await paid).toMatchObject({ status: 'paid' });
  const isOwn = eq(payoutPapers.creatorId, lucia.creatorId);
  const papers = await db.select().from(payoutPapers).where(isOwn).orderBy(payoutPapers.number);
  expect(papers.map(({ number }) => number)).toEqual([1, 2]);
});

test.each([
  ['editor', 'common.role_not_allowed', 'common.role_not_allowed'],
  ['analyst', 'common.role_not_allowed', 'common.role_not_allowed'],
  ['finance', 'common.role_not_allowed', null],
] as const)('the role %s requests no payout', async (role, requesting, reading) => {
  const lucia = await creator(80_00);
  const member = await make.person();
  await db.insert(members).values({ creatorId: lucia.creatorId, userId: member.id, role });
  const { token } = await runtime.sessions.start(member.id, { channel: 'web', userAgent: '', country: null });
  await runtime.sessions.workFor(token, lucia.creatorId);
  const { payouts: money } = await as({ token }, 'web');

  await expect(money.request({})).toFailWith(requesting);
  if (reading) await expect(money.overview()).toFailWith(reading);
  else expect((await money.overview()).balances[0]).toMatchObject({ availableMinor: 80_00 });
  expect(await rowsOf(lucia)).toEqual([]);
});

test('a deleted account leaves no address behind, once nothing waits for it', async () => {
  const lucia = await creator(80_00);
  const { id } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await approved(id);
  await give(lucia, 90_00);
  clock.now = later(clock.now, DAYS(32));
  const { id: open } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  const deletedAt = clock.now;
  await db.update(users).set({ name: '', deletedAt }).where(eq(users.id, lucia.id));

  await erasePayouts(ctx, { userId: lucia.id });

  expect((await rowsOf(lucia)).map(({ destination }) => destination).sort()).toEqual(['', IBAN]);
  expect(await approved(open)).toMatchObject({ status: 'paid' });
  expect((await rowsOf(lucia)).map(({ destination, holder }) => destination + holder)).toEqual(['', '']);
});

test('a payout that is declined after its account was deleted leaves no address behind either', async () => {
  const lucia = await creator(80_00);
  const { id } = await lucia.api.payouts.request({ currentPassword: PASSWORD });
  await db.update(users).set({ name: '', deletedAt: clock.now }).where(eq(users.id, lucia.id));
  await erasePayouts(ctx, { userId: lucia.id });

  await reversePayout(ctx, { operator, id, reason: 'The account is deleted' });

  expect(await rowsOf(lucia)).toMatchObject([{ status: 'reversed', destination: '', holder: '' }]);
});
