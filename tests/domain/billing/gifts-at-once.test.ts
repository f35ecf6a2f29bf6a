import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { checkouts } from '~/db/schema/checkouts';
import { listMyGifts } from '~/server/domain/billing/gift-links';
import { redeemGift } from '~/server/domain/billing/redeeming';
import { syncCheckout } from '~/server/domain/billing/syncing';
import { lockWaits } from '../../support/lock-waits';
import { shop, showItem } from '../../support/shop';
import '../../support/matchers';

const { runtime, make, ctx, ctxOf, lucia, buy, settle, pauseAt } = await shop();
const { db } = runtime;
const series = await make.product(lucia, { kind: 'audio_series', name: 'Serie', priceMinor: 1500 });

/** The token of a gift that is paid. */
async function given(): Promise<string> {
  const giver = await make.person();
  const item = showItem(
    series,
    { userId: giver.id },
    { gift: { recipientName: 'Ana', recipientEmail: null, message: '', title: 'Regalo' } },
  );
  await buy({ ...item, purpose: 'gift' });
  await settle();
  const [gift] = await listMyGifts(ctxOf(giver));
  return new URL(gift!.url!).searchParams.get('token')!;
}

test('of two people who redeem a gift at once, one gets it', async () => {
  const [token, ...people] = [await given(), await make.person(), await make.person()] as const;
  const pause = pauseAt('gift.found', 2);
  const both = people.map((person) => redeemGift(ctxOf(person), { token }));
  await pause.reachedBy(Promise.any(both));

  pause.goOn();
  const outcomes = await Promise.allSettled(both);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'gift.redeemed' } });
  expect(await db.$count(grants, eq(grants.source, 'gift'))).toBe(1);
});

test('a gift that is redeemed while a purchase of the same show is settled is left for somebody else', async () => {
  const [token, person] = [await given(), await make.person()];
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
