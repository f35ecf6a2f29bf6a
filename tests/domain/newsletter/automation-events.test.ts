import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { contacts } from '~/db/schema/audience';
import { automationEnrolments, automations } from '~/db/schema/automations';
import type { AutomationTrigger } from '~/db/values/automations';
import { DAYS, earlier, later, MINUTES } from '~/server/base/time';
import { grantAccess } from '~/server/domain/access/grant-access';
import { confirmJoin } from '~/server/domain/audience/join-newsletter';
import { keepListener } from '~/server/domain/audience/keep-contact';
import { endQueued } from '~/server/domain/billing/subscriptions/end-subscriptions';
import { cancelSubscription, listMySubscriptions } from '~/server/domain/billing/subscriptions/my-subscriptions';
import { enrolContact } from '~/server/domain/newsletter/enrol-contact';
import { addressToken } from '~/server/domain/notifications/address-links';
import { keepListener as keepJob } from '~/server/queue/jobs/audience';
import { endSubscription } from '~/server/queue/jobs/billing';
import { enrolContact as enrolJob } from '~/server/queue/jobs/newsletter';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { runJobs } from '../../support/run-jobs';
import { shop, showItem } from '../../support/shop';

const { runtime, make, ctxOf, visitorCtx, lucia, paidPodcast, clock, settle, buy } = await shop();
const { db } = runtime;

/** An automation of Lucía's that is on. */
async function automation(trigger: AutomationTrigger): Promise<number> {
  const { creatorId } = lucia;
  const [row] = await db
    .insert(automations)
    .values({ creatorId, name: trigger, trigger, isActive: true, activeSince: earlier(clock.now, MINUTES(1)) })
    .returning({ id: automations.id });
  return row!.id;
}

async function work(): Promise<void> {
  await settle();
  await runJobs(runtime, endSubscription.name, (payload, ctx) => endQueued(ctx, payload));
  await settle();
  await runJobs(runtime, keepJob.name, (payload, ctx) => keepListener(ctx, payload));
  await runJobs(runtime, enrolJob.name, (payload, ctx) => enrolContact(ctx, payload));
}
await work();

async function enrolledIn(id: number): Promise<string[]> {
  const rows = await db
    .select({ email: contacts.email })
    .from(automationEnrolments)
    .innerJoin(contacts, eq(contacts.id, automationEnrolments.contactId))
    .where(eq(automationEnrolments.automationId, id))
    .orderBy(contacts.email);
  return rows.map(({ email }) => email);
}

test('who subscribes is thanked, and who cancels is asked, both when it happens', async () => {
  const [thanks, why] = [await automation('purchase'), await automation('cancellation')];
  const person = await make.person();
  await buy(showItem(paidPodcast, { userId: person.id }));
  await work();
  expect([await enrolledIn(thanks), await enrolledIn(why)]).toEqual([[person.email], []]);

  const ctx = ctxOf({ id: person.id, creatorId: null });
  const [subscription] = await listMySubscriptions(ctx);
  await cancelSubscription(ctx, { id: subscription!.id } as never);
  await work();

  expect([await enrolledIn(thanks), await enrolledIn(why)]).toEqual([[person.email], [person.email]]);
});

test('a gift is no purchase; a subscription that begins again after its end is one', async () => {
  const id = await automation('purchase');
  const [friend, back] = [await make.person(), await make.person()];
  const { creatorId } = lucia;
  const key = { productId: paidPodcast.id, source: 'subscription' as const };
  const contact = { creatorId, source: 'subscription', status: 'active', language: 'en' } as const;
  for (const { id: userId, email } of [friend, back])
    await db.insert(contacts).values({ ...contact, userId, email, statusAt: clock.now });
  const past = { startsAt: earlier(clock.now, DAYS(90)), dripsFrom: clock.now, endsAt: earlier(clock.now, DAYS(60)) };
  await db.insert(grants).values({ ...key, ...past, userId: back.id });
  const ctx = systemCtx(runtime, 'test');

  const endsAt = later(clock.now, DAYS(30));
  await transact(ctx, (tx) => grantAccess(tx, { ...key, source: 'gift', userId: friend.id, endsAt }));
  await transact(ctx, (tx) => grantAccess(tx, { ...key, userId: back.id, endsAt, renews: true }));
  await work();

  expect(await enrolledIn(id)).toEqual([back.email]);
});

test('a job that comes late enrols nobody in an automation that was switched on after the purchase', async () => {
  const before = await automation('purchase');
  const person = await make.person();
  await transact(systemCtx(runtime, 'test'), (tx) =>
    grantAccess(tx, { userId: person.id, productId: paidPodcast.id, source: 'purchase' }),
  );
  const after = await automation('purchase');
  const minute = MINUTES(1);
  await db
    .update(automations)
    .set({ activeSince: later(clock.now, minute) })
    .where(eq(automations.id, after));
  const late = { ...systemCtx(runtime, 'test'), now: () => later(clock.now, 2 * minute) };

  await runJobs(runtime, keepJob.name, (payload) => keepListener(late, payload));
  await runJobs(runtime, enrolJob.name, (payload) => enrolContact(late, payload));

  expect([await enrolledIn(before), await enrolledIn(after)]).toEqual([[person.email], []]);
});

test('who confirms the form is enrolled, also if they were a contact before', async () => {
  const id = await automation('sign_up');
  const { creatorId } = lucia;
  const rows = [
    { email: 'new@mail.example', status: 'pending' as const, source: 'form' as const },
    { email: 'follower@mail.example', status: 'active' as const, source: 'follow' as const },
  ];
  for (const row of rows) await db.insert(contacts).values({ ...row, creatorId, language: 'en', statusAt: clock.now });

  for (const { email } of rows) {
    const token = addressToken(runtime, { email, id: creatorId, issuedAt: clock.now }, 'join a newsletter');
    await confirmJoin(visitorCtx(), { token });
    await confirmJoin(visitorCtx(), { token });
  }
  await work();

  expect(await enrolledIn(id)).toEqual(['follower@mail.example', 'new@mail.example']);
});
