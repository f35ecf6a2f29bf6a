import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales, subscriptions } from '~/db/schema/billing';
import { listeningDays } from '~/db/schema/listening';
import { outbox } from '~/db/schema/notifications';
import { monthReports } from '~/db/schema/statistics';
import { members } from '~/db/schema/team';
import { sendMonthReport as send } from '~/server/domain/statistics/send-reports';
import type { TeamRole } from '~/server/policy/roles';
import { sendMonthReport } from '~/server/queue/jobs/statistics';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, clock, make, as } = await cast({ empty: true });
const { db } = runtime;
clock.now = new Date('2026-12-01T12:00:00Z');

const owner = await make.creator({ name: 'Marta' });
const api = await as(owner);
const show = await make.product(owner, { name: 'Olas', priceMinor: 500 });
const scope = { creatorId: owner.creatorId, productId: show.id };
const at = (day: string) => new Date(`${day}T10:00:00Z`);

await db.insert(listeningDays).values([
  { ...scope, day: '2026-10-01', downloads: 1 },
  { ...scope, day: '2026-11-20', downloads: 3 },
]);
for (const [startedAt, endedAt, currency] of [
  ['2026-09-01', null, 'eur'],
  ['2026-09-02', '2026-11-20', 'eur'],
  ['2026-11-10', null, 'usd'],
  ['2026-11-11', null, 'eur'],
] as const) {
  const { id: userId } = await make.person();
  await db.insert(subscriptions).values({
    ...{ ...scope, userId, providerId: randomUUID(), customerId: 'cus', purpose: 'show', status: 'active' },
    ...{ priceMinor: 500, currency, every: 'month', startedAt: at(startedAt), periodStart: at(startedAt) },
    ...{ periodEnd: at('2026-12-10'), endedAt: endedAt && at(endedAt), syncedAt: clock.now },
  });
  await db.insert(sales).values({
    ...{ ...scope, userId, paymentId: randomUUID(), purpose: 'show', name: 'Club', plan: 'PRO', amountMinor: 500 },
    ...{ currency, commissionMinor: 0, commissionBasisPoints: 0, commissionFixedMinor: 0, legalEntity: 'report' },
    ...{ paidAt: at(startedAt < '2026-11' ? '2026-10-05' : startedAt), receiptNumber: userId, seller: 'Altavoz' },
    buyer: { name: 'Ana' } as never,
  });
}

async function member(role: TeamRole) {
  const person = await make.person();
  await db.insert(members).values({ creatorId: owner.creatorId, userId: person.id, role });
  await runtime.sessions.workFor(person.token, owner.creatorId);
  return as(person, 'web');
}

test.each(['owner', 'finance'] as const)(
  'the report for the %s has subscribers and revenue after the plays',
  async (role) => {
    const { parts } = await (role === 'owner' ? api : await member(role)).statistics.monthReport({});

    expect(parts.map(({ title }) => title)).toEqual([show.name, 'Subscribers and revenue']);
    expect(parts[1]!.figures.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      'Subscribers at the end: 3',
      'Gained: 2',
      'Lost: 1',
      'Revenue: €5.00',
      'Revenue: $5.00',
    ]);
    expect(parts[1]!.sentences.slice(0, -1)).toEqual([
      'At the end of November 2026 you had 3 subscribers.',
      'You gained 2 subscribers.',
      'You lost one subscriber.',
      'People paid €5.00 for your shows in November 2026, and €10.00 in October 2026.',
      'People paid $5.00 for your shows in November 2026, and $0.00 in October 2026.',
    ]);
  },
);

test.each(['editor', 'analyst'] as const)('the report for an %s has plays and no money', async (role) => {
  const report = await (await member(role)).statistics.monthReport({});

  expect(report.parts.map(({ title }) => title)).toEqual([show.name]);
  expect(JSON.stringify(report)).not.toMatch(/€|\$|subscri/i);
});

test('a month without sales has no part about them', async () => {
  const { parts } = await api.statistics.monthReport({ month: '2026-08' });

  expect(parts.map(({ title }) => title)).toEqual([null]);
});

test('the email, which is forwarded, has no money', async () => {
  const report = { creatorId: owner.creatorId, month: '2026-11' };
  await db.insert(monthReports).values({ ...report, queuedAt: clock.now });
  await send(systemCtx(runtime, sendMonthReport.name), report);
  const [sent] = await db.select().from(outbox).where(eq(outbox.topic, 'month_report'));

  expect(sent!.text).toContain('Your episodes were played 3 times');
  expect(sent!.text).not.toMatch(/€|\$|subscri/i);
});
