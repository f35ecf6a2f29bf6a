import { and, asc, eq, like } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { subscriptions } from '~/db/schema/billing';
import { outbox } from '~/db/schema/notifications';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { remindAllOverdue, remindOrEnd } from '~/server/domain/billing/payers/overdue';
import { recordDonation as record } from '~/server/domain/donations/record-donation';
import { remindOverdue } from '~/server/queue/jobs/billing';
import { recordDonation } from '~/server/queue/jobs/donations';
import { pagesApp } from '../../support/pages-app';
import { runJobs } from '../../support/run-jobs';
import { shop } from '../../support/shop';

/** Its bank asks for a confirmation of every payment. */
const ASKS_ALWAYS = '4000002760003184';
const RENEWAL_FAILS = '4000000000000044';
const { runtime, ctx, env, make, lucia, fetch, settle, pass, clock } = await shop();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const { appUrl } = env.urls;
await lucia.api.creators.update({ acceptsDonations: true, donationText: 'Gracias' });

type Person = Awaited<ReturnType<typeof make.person>>;

/** A monthly donation whose next payment fails. @returns the time of that payment */
async function giveMonthly(person: Person, number: string): Promise<Date> {
  await db.update(users).set({ emailVerifiedAt: clock.now, language: 'en' }).where(eq(users.id, person.id));
  const answer = await app.request(`${appUrl}/register/donation-payment?creator=${lucia.creatorId}`, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'other', amount: '4', currency: 'eur', every: 'month', isAnonymous: 'false' }),
    headers: { cookie: `token=${person.token}` },
  });
  await payByForms(fetch, answer.headers.get('location')!, { number, proven: true });
  await settle();
  await runJobs(runtime, recordDonation.name, (payload, job) => record(job, payload));
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, person.id));
  return row!.periodEnd;
}

async function remindOn(due: Date, days: number): Promise<void> {
  await pass(later(due, DAYS(days) + MINUTES(90)));
  await remindAllOverdue(ctx);
  await runJobs(runtime, remindOverdue.name, (payload, of) => remindOrEnd(of, payload));
  await settle();
}

const emailsTo = ({ id }: Person) =>
  db
    .select()
    .from(outbox)
    .where(and(eq(outbox.userId, id), like(outbox.topic, 'donation_un%')))
    .orderBy(asc(outbox.createdAt), asc(outbox.id));
/** The content of a page, without the texts for its script. */
async function read(path: string, { token }: { token: string }): Promise<string> {
  const url = path.startsWith('http') ? path : appUrl + path;
  const html = await (await app.request(url, { headers: { cookie: `token=${token}` } })).text();
  return /<main[\s\S]*<\/main>/.exec(html)![0];
}

test('a monthly donation that the bank wants confirmed says so, with a link, and speaks of no access', async () => {
  const donor = await make.person();
  const due = await giveMonthly(donor, ASKS_ALWAYS);

  for (const day of [0, 3, 7]) await remindOn(due, day);
  const emails = await emailsTo(donor);
  const page = await read(/http\S+\/card\?token=\S+/.exec(emails[0]!.text)![0], donor);
  const [mine] = await donor.api.donations.mine();
  const { items } = await lucia.api.donations.donors({ creatorId: lucia.creatorId });

  expect(emails.map(({ topic }) => topic)).toEqual(Array(3).fill('donation_unconfirmed'));
  for (const text of [...emails.map(({ text }) => text), page]) {
    expect(text).toContain('bank wants you to confirm');
    expect(text).not.toMatch(/access|declined/);
  }
  expect(mine).toMatchObject({ state: 'unconfirmed', confirmationUrl: expect.stringContaining('/invoices/') });
  expect(await read('/en/feed?view=donations', donor)).toContain(`href="${mine!.confirmationUrl}"`);
  expect(await read('/es/feed?view=donations', donor)).toContain('Tu banco quiere que confirmes el último pago');
  expect(items[0]).toMatchObject({ state: 'unconfirmed' });
  expect(items[0]).not.toHaveProperty('confirmationUrl');
});

test('a monthly donation that fails leads to the cards, and ends after two weeks', async () => {
  const donor = await make.person();
  const due = await giveMonthly(donor, RENEWAL_FAILS);

  await remindOn(due, 0);
  const [mine] = await donor.api.donations.mine();
  const page = await read('/en/feed?view=donations', donor);
  await remindOn(due, 14);

  expect(mine).toMatchObject({ state: 'overdue', confirmationUrl: null });
  expect(page).toMatch(/<a [^>]*href="\/en\/account\/billing\/payment-methods">Update your card/);
  expect((await emailsTo(donor)).map(({ topic }) => topic)).toEqual(['donation_unpaid']);
});
