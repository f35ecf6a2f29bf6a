import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts, trackingConsents } from '~/db/schema/audience';
import { creators } from '~/db/schema/creators';
import { DAYS, earlier, utcDay } from '~/server/base/time';
import { whereFound } from '~/server/domain/audience/contact-filter';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../../support/cast';

const { runtime, clock, lucia, ada } = await cast();
const { db } = runtime;
const ctx = systemCtx(runtime, 'audience.forget-readers');
const ago = (days: number) => earlier(clock.now, DAYS(days));

/** People who agreed a year ago, of whom `gone` have not read for half a year, and the others did yesterday. */
async function addReaders({ creatorId }: { creatorId: number }, count: number, gone: number): Promise<string[]> {
  const own = { creatorId, status: 'active', source: 'form', language: 'en' } as const;
  const emails = Array.from({ length: count }, (_, i) => `reader${i}@mail.example`);
  const rows = await db
    .insert(contacts)
    .values(emails.map((email) => ({ ...own, email })))
    .returning();
  const consents = rows.map(({ id }, i) => ({
    ...{ contactId: id, text: 'She may', givenAt: ago(365) },
    lastSeenOn: i < gone ? (i % 2 === 0 ? null : utcDay(ago(183))) : utcDay(ago(1)),
  }));
  // as the former release does it, without the creator
  await db.insert(trackingConsents).values(consents);
  await db
    .update(creators)
    .set({ tracksReadersSince: ago(400) })
    .where(eq(creators.id, creatorId));
  return emails.slice(0, gone);
}

test('who has not read is found by an index of the creator, among many who have', async () => {
  const gone = await addReaders(lucia, 2000, 4);
  await addReaders(ada, 10, 10);
  await db.execute(sql`vacuum analyze ${trackingConsents}, ${contacts}`);
  const where = await whereFound(ctx, lucia.creatorId, { unseen: 3 });

  const found = await db.select({ email: contacts.email }).from(contacts).where(where).orderBy(contacts.email);
  const rows = await db.transaction(async (tx) => {
    // a small table is read faster without an index
    await tx.execute(sql`set local enable_seqscan = off`);
    return tx.execute<{ 'QUERY PLAN': string }>(sql`explain select id from ${contacts} where ${where} limit 10001`);
  });
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');

  expect(found.map(({ email }) => email)).toEqual(gone);
  expect(plan).toContain('tracking_consents_unseen');
  expect(plan).not.toContain('Seq Scan');
});
