import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contactSources, contacts } from '~/db/schema/audience';
import { followShow } from '~/server/domain/access/follow-show';
import { grantAccess } from '~/server/domain/access/grant-access';
import { markEmailVerified } from '~/server/domain/accounts/logins/mark-verified';
import { keepContact, keepFollower, keepListener } from '~/server/domain/audience/keep-contact';
import { leaveLink, leaveNewsletter } from '~/server/domain/audience/leave-newsletter';
import { transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';
import { runJobs } from '../../support/run-jobs';

const { runtime, make, ctxOf, visitorCtx, lucia, paidPodcast, podcast } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'test');
const { creatorId } = lucia;

async function keepAll(): Promise<void> {
  await runJobs(runtime, 'audience.keep-follower', (job, ctx) => keepFollower(ctx, job));
  await runJobs(runtime, 'audience.keep-listener', (job, ctx) => keepListener(ctx, job));
}
await keepAll();

type Source = 'follow' | 'subscription' | 'purchase' | 'gift';
const give = (userId: number, source: Source, endsAt: Date | null = null) =>
  transact(ctx, (tx) => grantAccess(tx, { userId, productId: paidPodcast.id, source, endsAt }));
const verify = (userId: number) => transact(ctx, (tx) => markEmailVerified(tx, userId));

async function found(email: string) {
  const sources = sql<string>`(select string_agg(${contactSources.source}, ' ' order by ${contactSources.source})
    from ${contactSources} where ${contactSources.contactId} = ${contacts.id})`;
  const [row] = await db
    .select({ name: contacts.name, status: contacts.status, reason: contacts.statusReason, sources })
    .from(contacts)
    .where(and(eq(contacts.creatorId, creatorId), eq(contacts.email, email)));
  return row ?? null;
}

test('whoever pays is a contact, with each source once, and a renewal adds no one again', async () => {
  const reader = await make.person({ name: 'Nora' });

  for (const endsAt of ['2026-04-01', '2026-05-01']) await give(reader.id, 'subscription', new Date(endsAt));
  await keepAll();
  await give(reader.id, 'purchase');
  await keepAll();

  expect(await found(reader.email)).toEqual({
    ...{ name: 'Nora', status: 'active', reason: 'subscription', sources: 'purchase subscription' },
  });
  await db.delete(contacts).where(eq(contacts.email, reader.email));
  await give(reader.id, 'subscription', new Date('2026-06-01'));
  await keepAll();
  expect(await found(reader.email)).toBeNull();
});

test('a follower comes to the list with the verified address only, guests and the creator never', async () => {
  const [follower, guest] = [await make.person(), await make.person()];
  await followShow(ctxOf(follower), { productId: podcast.id });
  await followShow(ctxOf(lucia), { productId: podcast.id });
  await give(guest.id, 'gift');

  await keepAll();
  expect(await found(follower.email)).toBeNull();
  await verify(follower.id);
  await verify(guest.id);
  await keepAll();

  expect(await found(follower.email)).toMatchObject({ status: 'active', sources: 'follow' });
  expect([await found(guest.email), await found(lucia.email)]).toEqual([null, null]);
});

test('who has left stays inactive when they buy, even after the contact was deleted', async () => {
  const reader = await make.person();
  await give(reader.id, 'purchase');
  await keepAll();
  const { url } = leaveLink(visitorCtx(), { creatorId, email: reader.email }, 'en');
  await leaveNewsletter(visitorCtx(), { token: new URL(url).searchParams.get('list')! });

  await give(reader.id, 'subscription');
  await keepAll();
  expect(await found(reader.email)).toMatchObject({
    status: 'inactive',
    reason: 'link',
    sources: 'purchase subscription',
  });
  await db.delete(contacts).where(eq(contacts.email, reader.email));
  await transact(ctx, (tx) =>
    keepContact(tx, { creatorId, email: reader.email, name: '', userId: null, language: 'es', source: 'donation' }),
  );

  expect(await found(reader.email)).toMatchObject({ status: 'inactive', reason: 'suppressed', sources: 'donation' });
});

test('a pending contact becomes active when its person pays, and keeps its own name', async () => {
  const reader = await make.person({ name: 'Account name' });
  const asked = { creatorId, email: reader.email, name: 'Own name', language: 'es', source: 'form' } as const;
  await db.insert(contacts).values({ ...asked, status: 'pending' });

  await give(reader.id, 'purchase');
  await keepAll();

  expect(await found(reader.email)).toMatchObject({ name: 'Own name', status: 'active', reason: 'purchase' });
});
