import { and, desc, eq } from 'drizzle-orm';
import { payByForms } from 'stripe-sandbox/testing/pay-by-forms';
import { expect, test } from 'vitest';
import { sessions } from '~/db/schema/accounts';
import { outbox } from '~/db/schema/notifications';
import { queuePasswordReset } from '~/server/domain/accounts/logins/passwords';
import { queueEmailChange } from '~/server/domain/accounts/settings/email-change';
import { claimCards } from '~/server/domain/billing/payers/claim-cards';
import { listMyCards } from '~/server/domain/billing/payers/payment-methods';
import { giveDonation } from '~/server/domain/donations/give-donation';
import { giveDonation as schema } from '~/server/domain/donations/schema';
import { sendEmailChange, sendPasswordReset } from '~/server/queue/jobs/accounts';
import { claimSavedCards } from '~/server/queue/jobs/billing';
import '../support/matchers';
import { runJobs } from '../support/run-jobs';
import { GOOD_CARD, shop } from '../support/shop';

const { runtime, make, lucia, visitor, ctxOf, visitorCtx, fetch, clock, settle } = await shop();
await lucia.api.creators.update({ acceptsDonations: true, donationText: 'Gracias' });

/** A guest who saves a card, and has no account. */
async function donate(email: string): Promise<void> {
  const input = { creatorId: lucia.creatorId, amount: '5', currency: 'eur', every: 'once', email, saveCard: 'on' };
  const { url } = await giveDonation(visitorCtx({ now: clock.now }), schema.parse(input), 'browser');
  await payByForms(fetch, url, { number: GOOD_CARD });
  await work();
}

async function work(): Promise<void> {
  await settle();
  await runJobs(runtime, claimSavedCards.name, (payload, job) => claimCards(job, payload));
  await settle();
}

async function tokenTo(to: string, topic: string): Promise<string> {
  const about = and(eq(outbox.to, to), eq(outbox.topic, topic));
  const [mail] = await runtime.db.select().from(outbox).where(about).orderBy(desc(outbox.createdAt)).limit(1);
  return /token=([\w-]+)/.exec(mail!.text)![1]!;
}

const cardsOf = async ({ id }: { id: number }) =>
  (await listMyCards(ctxOf({ id, creatorId: null }))).map(({ last4 }) => last4);

test('a squatter gets nothing of the owner who clicks their verification link, and the owner takes the account', async () => {
  const email = 'owner@mail.example';
  await donate(email);
  const squatter = await make.person({ email });
  const [token, bystander] = [await tokenTo(email, 'verify_email'), await make.person()];

  for (const api of [visitor, bystander.api])
    await expect(api.accounts.verifyEmail({ token })).toFailWith('account.link_of_other_account');
  await work();

  expect(await visitor.accounts.verificationLink({ token })).toEqual({ isVerified: false, isOfSession: false });
  expect(await squatter.api.accounts.me()).toMatchObject({ isEmailVerified: false });
  expect(await cardsOf(squatter)).toEqual([]);

  await visitor.accounts.requestPasswordReset({ email });
  await runJobs(runtime, sendPasswordReset.name, (payload, job) => queuePasswordReset(job, payload));
  await visitor.accounts.resetPassword({
    token: await tokenTo(email, 'reset_password'),
    password: 'battery horse correct',
  });
  await work();

  expect(await cardsOf(squatter)).toEqual(['4242']);
  expect(await runtime.db.$count(sessions, eq(sessions.userId, squatter.id))).toBe(0);
});

test('a person who verifies in their own session gets the card that they saved as a guest', async () => {
  const email = 'donor@mail.example';
  await donate(email);
  const person = await make.person({ email });

  await person.api.accounts.verifyEmail({ token: await tokenTo(email, 'verify_email') });
  await work();

  expect(await cardsOf(person)).toEqual(['4242']);
});

test('nobody moves their account to another person’s address with that person’s click', async () => {
  const email = 'target@mail.example';
  await donate(email);
  const squatter = await make.person();
  await squatter.api.accounts.requestEmailChange({ email });
  await runJobs(runtime, sendEmailChange.name, (payload, job) => queueEmailChange(job, payload));
  const old = { token: await tokenTo(squatter.email, 'confirm_old_email'), side: 'old' } as const;
  const fresh = { token: await tokenTo(email, 'confirm_new_email'), side: 'new' } as const;
  await visitor.accounts.confirmEmailChange(old);

  await expect(visitor.accounts.confirmEmailChange(fresh)).toFailWith('account.link_of_other_account');
  await work();

  expect(await squatter.api.accounts.me()).toMatchObject({ email: squatter.email });
  expect(await cardsOf(squatter)).toEqual([]);
  expect(await squatter.api.accounts.confirmEmailChange(fresh)).toEqual({ isDone: true });
});
