import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { sales } from '~/db/schema/billing';
import { checkouts } from '~/db/schema/checkouts';
import { outbox } from '~/db/schema/notifications';
import { monthsLater } from '~/server/base/time';
import { listMyGifts } from '~/server/domain/billing/base/gift-links';
import { reportEndedGifts } from '~/server/domain/billing/gifts/endings';
import { redeemGift } from '~/server/domain/billing/gifts/redeem-gift';
import { syncCheckout } from '~/server/domain/billing/provider-sync/sync-checkout';
import { syncRefunds } from '~/server/domain/billing/refunds/refunds';
import { lockWaits } from '../../../support/lock-waits';
import { shop, showItem } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, make, ctx, ctxOf, lucia, clock, payments, buy, settle, pauseAt } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });

const podcast = await make.product(lucia, { name: 'Mensual', priceMinor: 500 });

/** A paid gift; a gift of a podcast has a number of months. */
async function given(show = series) {
  const giver = await make.person();
  const gift = { recipientName: 'Ana', recipientEmail: null, message: '', title: 'Regalo' };
  const terms = show === podcast ? { gift, giftMonths: 3 as const } : { gift };
  await buy({ ...showItem(show, { userId: giver.id }, { ...terms, every: null }), purpose: 'gift' });
  await settle();
  const [row] = await listMyGifts(ctxOf(giver));
  const [sale] = await db.select().from(sales).where(eq(sales.userId, giver.id));
  return { token: new URL(row!.url!).searchParams.get('token')!, paymentId: sale!.paymentId };
}
const endOf = async ({ id }: { id: number }) =>
  (
    await db
      .select()
      .from(grants)
      .where(and(eq(grants.userId, id), eq(grants.source, 'gift')))
  )[0]!.endsAt;

test('one of two listeners who redeem a gift at once gets it', async () => {
  const [{ token }, ...people] = [await given(), await make.person(), await make.person()] as const;
  const pause = pauseAt('gift.found', 2);
  const both = people.map((person) => redeemGift(ctxOf(person), { token }));
  await pause.reachedBy(Promise.any(both));

  pause.goOn();
  const outcomes = await Promise.allSettled(both);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'gift.redeemed' } });
  expect(await db.$count(grants, eq(grants.source, 'gift'))).toBe(1);
});

test('a gift that is redeemed while a purchase of the same show is settled stays unused', async () => {
  const [{ token }, person] = [await given(), await make.person()];
  const id = await buy(showItem(series, { userId: person.id }));
  const [row] = await db.select().from(checkouts).where(eq(checkouts.id, id));
  const pause = pauseAt('settle.decided');
  const settled = syncCheckout(ctx, row!.providerId!);
  await pause.reachedBy(settled);
  const redeemed = redeemGift(ctxOf(person), { token });
  await Promise.race([redeemed, lockWaits(db)]);

  pause.goOn();

  await Promise.all([settled, expect(redeemed).toFailWith('gift.not_needed')]);
});

test('a refunded gift takes its own months back once, and leaves those of the other', async () => {
  const [first, second, person] = [await given(podcast), await given(podcast), await make.person()];
  for (const { token } of [first, second]) await redeemGift(ctxOf(person), { token });
  expect(await endOf(person)).toEqual(monthsLater(clock.now, 6));
  await payments.refund(second.paymentId, { reference: {} }, 'gift');
  await settle();
  const left = monthsLater(clock.now, 3);
  expect(await endOf(person)).toEqual(left);

  await syncRefunds(ctx, second.paymentId);

  expect(await endOf(person)).toEqual(left);
});

test('one of two jobs that have listed the same ended gift reports it', async () => {
  const [{ token }, person] = [await given(podcast), await make.person()];
  await redeemGift(ctxOf(person), { token });
  clock.now = monthsLater(clock.now, 4);
  const pause = pauseAt('gift-ends.listed');
  const slow = reportEndedGifts(ctx);
  await pause.reachedBy(slow);
  await reportEndedGifts(ctx);

  pause.goOn();
  await slow;

  expect(await db.$count(outbox, and(eq(outbox.userId, person.id), eq(outbox.topic, 'gift_ended')))).toBe(1);
});

test('the months that follow those of a refunded gift begin sooner, and so does the news of their end', async () => {
  const [first, second, person] = [await given(podcast), await given(podcast), await make.person()];
  for (const { token } of [first, second]) await redeemGift(ctxOf(person), { token });
  await payments.refund(first.paymentId, { reference: {} }, 'first');
  await settle();
  clock.now = monthsLater(clock.now, 4);

  await reportEndedGifts(ctx);

  expect((await endOf(person))! < clock.now).toBe(true);
  expect(await db.$count(outbox, and(eq(outbox.userId, person.id), eq(outbox.topic, 'gift_ended')))).toBe(1);
});
