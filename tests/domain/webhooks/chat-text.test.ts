import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { monthReports } from '~/db/schema/statistics';
import { DAYS, later } from '~/server/base/time';
import { webhookStage } from './webhook-stage';

const { runtime, db, lucia, tom, podcast, paidPodcast, newPath, origin, at, deliver } = await webhookStage();
const { creatorId } = lucia;
const path = newPath();
const events = ['subscription.started', 'episode.published', 'report.ready'] as const;
const url = origin + path;
const { id: endpointId } = await lucia.api.webhooks.create({ kind: 'slack', url, events: [...events] });
const texts = () => at(path).map(({ body }) => JSON.parse(body).text as string);
const speak = (language: 'en' | 'es') => db.update(users).set({ language }).where(eq(users.id, lucia.id));

test('a new subscriber and a report are sentences in the language of the owner', async () => {
  await speak('es');
  const now = runtime.now();
  const period = { startedAt: now, periodStart: now, periodEnd: later(now, DAYS(30)), syncedAt: now };
  await db.insert(subscriptions).values({
    ...{ ...period, creatorId, productId: paidPodcast.id, userId: tom.id, purpose: 'show', status: 'active' },
    ...{ providerId: 'sub_chat', customerId: 'cus', priceMinor: 500, currency: 'eur', every: 'month' },
  });
  await deliver();
  await speak('en');
  await db.insert(monthReports).values({ creatorId, month: '2026-02', queuedAt: now });
  await db.update(monthReports).set({ doneAt: now }).where(eq(monthReports.creatorId, creatorId));
  await deliver();

  const [subscriber, report] = texts();
  expect(subscriber).toBe(`${paidPodcast.name} tiene un nuevo suscriptor.`);
  expect(report!.split('\n')[0]).toMatch(/ in February 2026: your monthly report is ready\.$/);
  expect(report!.split('\n').at(-1)).toBe(runtime.urls.app('/metric/report.pdf?month=2026-02'));
});

test.each(events)('a test of %s says that it is one', async (type) => {
  await lucia.api.webhooks.test({ endpointId, type });
  await deliver();

  expect(texts().at(-1)).toMatch(/^This is a test message from Altavoz\.\n/);
  expect(podcast.creatorId).toBe(creatorId);
});
