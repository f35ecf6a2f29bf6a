import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { contacts } from '~/db/schema/audience';
import { DAYS, earlier, later } from '~/server/base/time';
import { keepContact } from '~/server/domain/audience/keep-contact';
import { transact } from '~/server/runtime/ctx';
import { dateBuyers } from '~/server/seed/contacts';
import { shop } from '../support/shop';

const { runtime, ctx, clock, lucia, club, buyers } = await shop({ buyers: true });
const { db } = runtime;

test('no buyer of the demo is a contact for a shorter time than a subscriber', async () => {
  const userId = buyers.active.id;
  const own = and(eq(contacts.creatorId, lucia.creatorId), eq(contacts.userId, userId));
  const { buyer } = await lucia.api.buyers.get({ id: club.id, kind: 'podcast', userId });
  const sinceAfter = async (since: Date) => {
    await db.update(contacts).set({ since }).where(own);
    await dateBuyers(runtime);
    const [contact] = await db.select({ since: contacts.since }).from(contacts).where(own);
    return contact?.since;
  };
  const { creatorId } = lucia;
  const contact = {
    creatorId,
    email: buyers.active.email,
    name: '',
    userId,
    source: 'purchase',
    language: 'es',
  } as const;
  await transact(ctx, (tx) => keepContact(tx, contact));
  const before = earlier(buyer.since, DAYS(3));

  expect(await sinceAfter(later(clock.now, DAYS(30)))).toEqual(buyer.since);
  expect(await sinceAfter(before)).toEqual(before);
});
