import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { creatorPlans } from '~/db/schema/plans';
import { choosePlan } from '~/server/domain/plans/choose-plan';
import type { PlanCode } from '~/server/limits/plans';
import { transact } from '~/server/runtime/ctx';
import { cast } from '../../support/cast';

const { runtime, make, ctxOf } = await cast();

const day = (of: number) => new Date(Date.UTC(2026, 4, of));
type Step = [plan: PlanCode | null, day: number];

test.each<[string, Step[], PlanCode, number]>([
  ['the first plan', [['BASIC', 1]], 'BASIC', 1],
  [
    'an upgrade',
    [
      ['BASIC', 1],
      ['PRO', 3],
    ],
    'PRO',
    3,
  ],
  [
    'an upgrade at the same moment',
    [
      ['BASIC', 1],
      ['PRO', 1],
    ],
    'PRO',
    1,
  ],
  [
    'the same plan again keeps its first day',
    [
      ['PRO', 1],
      ['PRO', 5],
    ],
    'PRO',
    1,
  ],
  [
    'the end',
    [
      ['PRO', 1],
      [null, 9],
    ],
    'FREE',
    9,
  ],
  [
    'the late end of a former subscription',
    [
      ['BASIC', 4],
      [null, 2],
    ],
    'BASIC',
    4,
  ],
  [
    'the late start of a former subscription',
    [
      ['PLUS', 4],
      ['BASIC', 2],
    ],
    'PLUS',
    4,
  ],
  ['an end without a beginning', [[null, 2]], 'FREE', 2],
  [
    'the end of a subscription before a contract',
    [
      ['ULTRA', 4],
      [null, 8],
    ],
    'ULTRA',
    4,
  ],
  [
    'the end of the old plan',
    [
      ['OLD_PRO_PLAN', 4],
      [null, 8],
    ],
    'FREE',
    8,
  ],
])('%s', async (_, steps, plan, since) => {
  const owner = await make.creator();

  for (const [chosen, on] of steps) {
    const input = { creatorId: owner.creatorId, plan: chosen, since: day(on) };
    await transact(ctxOf(owner), (tx) => choosePlan(tx, input));
  }

  const found = await runtime.db
    .select()
    .from(creatorPlans)
    .where(eq(creatorPlans.creatorId, owner.creatorId))
    .orderBy(creatorPlans.creatorId);
  expect(found).toEqual([{ creatorId: owner.creatorId, plan, since: day(since), endsAt: null }]);
});
