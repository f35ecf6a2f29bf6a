import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { pick } from '~/server/base/fields';
import { DAYS, later } from '~/server/base/time';
import { type BuyablePlan, PLANS } from '~/server/limits/plans';
import type { Creator } from '../../../support/make';
import { shop } from '../../../support/shop';

const { make, fetch, clock, settle, pass } = await shop();
const CONFIRMED_EACH_TIME = '4000002760003184';
const priceOf = (plan: BuyablePlan) => PLANS[plan].priceMinor!;

async function change(owner: Creator, plan: BuyablePlan) {
  const shown = await owner.api.plans.preview({ plan });
  const { url } = await owner.api.plans.change({ plan, ...pick(shown, ['dueMinor', 'creditMinor', 'at']) });
  if (url) await payByForms(fetch, url, { number: CONFIRMED_EACH_TIME, proven: true });
  await settle();
  return { ...shown, url };
}

test('an upgrade that was paid on a page gives the credit of its own time at a downgrade in the same month', async () => {
  const owner = await make.creator();
  const { dueMinor } = await owner.api.plans.preview({ plan: 'BASIC' });
  const { url } = await owner.api.plans.start({ plan: 'BASIC', dueMinor, payWith: 'page' });
  await payByForms(fetch, url!, { number: CONFIRMED_EACH_TIME, proven: true });
  await settle();
  const { subscription } = await owner.api.plans.overview();
  const end = subscription!.periodEnd;
  const rest = (at: Date) => (end.getTime() - at.getTime()) / (end.getTime() - begin.getTime());
  const begin = clock.now;

  await pass(later(clock.now, DAYS(5)));
  const up = await change(owner, 'PRO');
  await pass(later(clock.now, DAYS(5)));
  const down = await change(owner, 'BASIC');

  const between = (at: Date) => Math.round(priceOf('PRO') * rest(at)) - Math.round(priceOf('BASIC') * rest(at));
  expect(up.url).not.toBeNull();
  expect(up.dueMinor).toBe(between(up.at));
  expect(down).toMatchObject({ url: null, dueMinor: 0, creditMinor: between(down.at) });
  await pass(later(end, DAYS(1)));
  const renewed = await owner.api.plans.overview();
  expect(renewed.subscription).toMatchObject({ plan: 'BASIC' });
  expect(await owner.api.plans.credit()).toBeNull();
});
