import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { creatorPlans } from '~/db/schema/plans';
import { DAYS, earlier } from '~/server/base/time';
import { acceptsBuyers, requireFeature } from '~/server/domain/plans/features';
import { countPlanUse, currentPlan } from '~/server/domain/plans/queries';
import { requireRoomForProduct } from '~/server/domain/plans/quotas';
import type { PlanCode } from '~/server/limits/plans';
import { transact } from '~/server/runtime/ctx';
import '../../support/matchers';
import { cast } from '../../support/cast';
import type { Creator } from '../../support/make';

const { runtime, clock, make, ctxOf, visitorCtx } = await cast();

const choose = ({ creatorId }: Creator, plan: PlanCode) =>
  runtime.db.insert(creatorPlans).values({ creatorId, plan, since: clock.now });
const endTrial = ({ creatorId }: Creator) =>
  runtime.db
    .update(creators)
    .set({ claimedAt: earlier(clock.now, DAYS(14)) })
    .where(eq(creators.id, creatorId));
const roomFor = (creator: Creator, isPaid: boolean) =>
  transact(ctxOf(creator), (tx) => requireRoomForProduct(tx, { creatorId: creator.creatorId, isPaid }));

test('the plan is the chosen one, PRO during the trial, otherwise FREE', async () => {
  const owner = await make.creator();
  const code = async () => (await currentPlan(visitorCtx(), owner.creatorId)).code;

  const found = [await code()];
  await endTrial(owner);
  found.push(await code());
  await choose(owner, 'BASIC');
  found.push(await code());

  expect(found).toEqual(['PRO', 'FREE', 'BASIC']);
});

test('a feature that the plan lacks is refused with the code of that feature', async () => {
  const [free, trial] = [await make.creator(), await make.creator()];
  await choose(free, 'FREE');

  await expect(requireFeature(visitorCtx(), trial.creatorId, 'selling')).resolves.toBeUndefined();
  await expect(requireFeature(visitorCtx(), free.creatorId, 'selling')).toFailWith('plan.selling_required');
  await expect(requireFeature(visitorCtx(), free.creatorId, 'transcription')).toFailWith('plan.transcription_required');
});

test.each<[PlanCode, number, number, string | null, string | null]>([
  ['FREE', 0, 0, null, 'plan.selling_required'],
  ['FREE', 1, 0, 'plan.max_free_products', 'plan.selling_required'],
  ['BASIC', 1, 2, 'plan.max_free_products', null],
  ['BASIC', 0, 3, null, 'plan.max_paid_products'],
  ['PRO', 3, 5, null, null],
  ['OLD_PRO_PLAN', 3, 5, null, null],
])('%s with %i free and %i paid shows', async (plan, free, paid, forFree, forPaid) => {
  const owner = await make.creator();
  await choose(owner, plan);
  for (let i = 0; i < free + paid; i++) await make.product(owner, { priceMinor: i < free ? null : 500 });
  // a deleted show no longer counts
  await make.product(owner, { retiredAt: clock.now });

  for (const [isPaid, code] of [
    [false, forFree],
    [true, forPaid],
  ] as const) {
    if (code) await expect(roomFor(owner, isPaid)).toFailWith(code);
    else await expect(roomFor(owner, isPaid)).resolves.toBeUndefined();
  }
});

test('FREE allows one of two shows created at once', async () => {
  const owner = await make.creator();
  await endTrial(owner);
  const inputs = [await make.productInput(owner), await make.productInput(owner, { name: 'Otro' })];

  const outcomes = await Promise.allSettled(inputs.map((input) => owner.api.products.create(input)));

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [refused] = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  await expect(Promise.reject(refused!.reason)).toFailWith('plan.max_free_products');
});

test('new buyers can buy in the trial and on a plan, but not on FREE', async () => {
  const owner = await make.creator();
  const accepts = () => acceptsBuyers(visitorCtx(), owner.creatorId);

  const found = [await accepts()];
  await endTrial(owner);
  found.push(await accepts());
  await choose(owner, 'BASIC');
  found.push(await accepts());

  expect(found).toEqual([true, false, true]);
});

test('a plan counts paying subscribers, shows, free episodes and contacts, and BASIC accepts 100 of the first', async () => {
  const owner = await make.creator();
  await choose(owner, 'BASIC');
  const [free, paid] = [await make.product(owner), await make.product(owner, { priceMinor: 500 })];
  await make.product(owner, { retiredAt: clock.now });
  await make.episodes(free, 3, (i) => (i === 0 ? { deletedAt: clock.now } : {}));
  await make.episodes(paid, 2);
  const listeners = await runtime.db
    .insert(users)
    .values(Array.from({ length: 100 }, (_, i) => listener(i)))
    .returning({ id: users.id });
  const grant = (i: number) => ({ userId: listeners[i]!.id, productId: paid.id, startsAt: clock.now });
  await runtime.db
    .insert(grants)
    .values([
      ...Array.from({ length: 98 }, (_, i) => ({ ...grant(i), source: 'subscription' as const })),
      { ...grant(98), source: 'subscription', endsAt: clock.now },
      { ...grant(99), productId: free.id, source: 'follow' },
    ]);

  const use = await countPlanUse(visitorCtx(), owner.creatorId);
  const found = [await acceptsBuyers(visitorCtx(), owner.creatorId)];
  await runtime.db.insert(grants).values([99, 98].map((i) => ({ ...grant(i), source: 'gift' as const })));
  found.push(await acceptsBuyers(visitorCtx(), owner.creatorId));

  const products = { freeProducts: 1, paidProducts: 1, freeEpisodes: 2 };
  expect(use).toEqual({ plays: 0, subscribers: 99, paidSubscribers: 98, ...products, contacts: 0 });
  expect(found).toEqual([true, false]);
});

const listener = (i: number) => ({
  name: `Oyente ${i}`,
  email: `plan-listener-${i}@mail.example`,
  language: 'es' as const,
  currency: 'eur' as const,
  termsAcceptedAt: clock.now,
});
