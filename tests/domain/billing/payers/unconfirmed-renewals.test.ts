import { and, asc, desc, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { remindAllOverdue, remindOrEnd } from '~/server/domain/billing/payers/overdue';
import {
  findOverdue,
  finishOverdueCard,
  overdueToken,
  startOverdueCard,
} from '~/server/domain/billing/payers/overdue-links';
import { listMySubscriptions } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { remindOverdue } from '~/server/queue/jobs/billing';
import { runJobs } from '../../../support/run-jobs';
import { GOOD_CARD, shop, showItem } from '../../../support/shop';

/** Its bank asks for a confirmation of every payment. */
const ASKS_ALWAYS = '4000002760003184';
const { runtime, ctx, ctxOf, visitorCtx, make, paidPodcast, fetch, clock, settle, buy, pass } = await shop();
const { db } = runtime;

const rowOf = async (userId: number) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, userId)))[0]!;

async function subscriber(language: 'en' | 'es' = 'en') {
  const { id } = await make.person();
  await db.update(users).set({ emailVerifiedAt: clock.now, language }).where(eq(users.id, id));
  await buy(showItem(paidPodcast, { userId: id }), ASKS_ALWAYS);
  await settle();
  const row = await rowOf(id);
  return { id, due: row.periodEnd, token: overdueToken(ctx, row) };
}

async function remind(): Promise<void> {
  await remindAllOverdue(ctx);
  await runJobs(runtime, remindOverdue.name, (payload, of) => remindOrEnd(of, payload));
  await settle();
}

async function emailsTo(userId: number) {
  const rows = await db
    .select()
    .from(outbox)
    .where(eq(outbox.userId, userId))
    .orderBy(asc(outbox.createdAt), asc(outbox.id));
  return rows.filter(({ topic }) => /^(?:payment_|access_|subscription_unpaid)/.test(topic));
}

/** Pays on the provider's page of the invoice, and confirms to the bank. */
async function confirm(url: string): Promise<void> {
  const page = await fetch(url, { method: 'POST', redirect: 'manual' });
  await fetch(page.headers.get('location')!, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'yes' }),
    redirect: 'manual',
  });
  await settle();
}

test.each([
  ['en', 'Confirm your payment for', 'Your bank wants you to confirm', /declined|try again/],
  ['es', 'Confirma el pago de', 'Tu banco quiere que confirmes', /rechazada|Volveremos/],
] as const)(
  'a renewal that the bank wants confirmed says so until it is confirmed (%s)',
  async (language, subject, why, never) => {
    const { id, due, token } = await subscriber(language);
    for (const day of [0, 3, 7, 12]) {
      await pass(later(due, DAYS(day) + MINUTES(90)));
      await remind();
    }
    const emails = await emailsTo(id);
    const { confirmationUrl } = await findOverdue(visitorCtx(), { token });
    await confirm(confirmationUrl!);

    expect(emails.map(({ topic }) => topic)).toEqual([
      'payment_unconfirmed',
      'payment_still_unconfirmed',
      'access_ended_unconfirmed',
      'access_ended_unconfirmed',
    ]);
    expect(emails[0]!.subject).toContain(subject);
    expect(emails[0]!.html).toContain(why);
    for (const { html } of emails) expect(html).not.toMatch(never);
    expect(await findOverdue(visitorCtx(), { token })).toMatchObject({ isPaid: true, confirmationUrl: null });
    expect(await rowOf(id)).toMatchObject({ status: 'active', pastDueSince: null, confirmationUrl: null });
    const [grant] = await db.select().from(grants).where(eq(grants.userId, id));
    expect(grant!.endsAt! > later(clock.now, DAYS(10))).toBe(true);
  },
);

test('another card that asks too is confirmed on the same page, and another one pays at once', async () => {
  const { id, due, token } = await subscriber();
  const visitor = visitorCtx();
  await pass(later(due, MINUTES(90)));
  const cards = and(eq(checkouts.userId, id), eq(checkouts.purpose, 'card'));
  const enterCard = async (number: string) => {
    const { url } = await startOverdueCard(visitor, { token });
    await payByForms(fetch, url, { number, email: 'oyente@mail.example', proven: true });
    const [checkout] = await db.select().from(checkouts).where(cards).orderBy(desc(checkouts.createdAt)).limit(1);
    await finishOverdueCard(visitor, { token, checkout: checkout!.id });
  };

  await expect(enterCard(ASKS_ALWAYS)).rejects.toMatchObject({ code: 'payments.authentication_required' });
  clock.now = later(clock.now, MINUTES(1));
  const [listed] = await listMySubscriptions(ctxOf({ id, creatorId: null }));
  expect(listed).toMatchObject({ phase: 'past_due', confirmationUrl: expect.stringContaining('/invoices/') });
  await enterCard(GOOD_CARD);

  expect(await rowOf(id)).toMatchObject({ status: 'active', confirmationUrl: null });
});

test('a declined card asks for no confirmation', async () => {
  const { id } = await make.person();
  await buy(showItem(paidPodcast, { userId: id }), '4000000000000044');
  await settle();
  await pass(later((await rowOf(id)).periodEnd, MINUTES(90)));

  expect(await rowOf(id)).toMatchObject({ status: 'past_due', confirmationUrl: null });
});
