import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sales } from '~/db/schema/billing';
import { DAYS, later } from '~/server/base/time';
import { findPrivateFeeds } from '~/server/domain/feeds/private-feed';
import { privateLinks } from '~/server/domain/feeds/private-links';
import { GOOD_CARD, shop, showItem } from '../../support/shop';

const { runtime, ctx, ctxOf, clock, payments, make, lucia, paidPodcast, buy, settle, pass } = await shop();
const { db } = runtime;
const FAILS_AT_RENEWAL = '4000000000000044';

const series = await make.product(lucia, { kind: 'audio_series', priceMinor: 900, slug: 'serie' });
await make.episodes(series, 2, () => ({ type: 'private' }));

/** Buys the show. @returns a function that lists the buyer's feed */
async function listen(show: typeof series, card = GOOD_CARD) {
  const person = await make.person();
  await buy(showItem(show, { userId: person.id }), card);
  await settle();
  const [link] = await privateLinks(ctxOf(person), { productId: show.id });
  const token = link!.url.slice(link!.url.lastIndexOf('/') + 1);
  const read = async () => (await findPrivateFeeds(ctx, [token]))[0]!;
  const titles = async () => {
    const feed = await read();
    const { pages } = await feed.read(feed.personal());
    const found: string[] = [];
    for await (const page of pages) found.push(...page.map(({ title }) => title));
    return found;
  };
  return { person, read, titles };
}

test('a feed has the episodes with the payment, and a notice after the refund', async () => {
  const { person, titles } = await listen(series);
  const paid = await titles();
  const [sale] = await db.select().from(sales).where(eq(sales.userId, person.id));

  const amount = { minor: 900, currency: 'eur' } as const;
  await payments.refund(sale!.paymentId, { amount, reference: {} }, 'by-hand');
  await settle();

  expect(paid).toHaveLength(2);
  expect(await titles()).toEqual(['You have no access to this show at the moment']);
});

test('after a failed renewal the feed works for a week, and then says what to do', async () => {
  const { titles } = await listen(paidPodcast, FAILS_AT_RENEWAL);
  const paid = await titles();
  const due = later(clock.now, DAYS(32));

  await pass(due);
  const inGrace = await titles();
  await pass(later(due, DAYS(8)));

  expect(paid.length).toBeGreaterThan(1);
  expect(inGrace).toEqual(paid);
  expect(await titles()).toEqual(['Your last payment failed']);
});

test('another name of the creator is another version of the feeds', async () => {
  const { read } = await listen(series);
  const before = await read();

  await lucia.api.creators.update({ name: 'Lucía Gómez' });

  const after = await read();
  expect([after.version === before.version, after.shared === before.shared]).toEqual([false, false]);
});
