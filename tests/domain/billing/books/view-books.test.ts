import { expect, test } from 'vitest';
import { operators } from '~/db/schema/operators';
import { HOURS, later, MINUTES, utcMonth } from '~/server/base/time';
import { reconcileBooks } from '~/server/domain/billing/books/reconcile-books';
import { protect } from '../../../support/second-factors';
import { shop, showItem } from '../../../support/shop';

const { runtime, ctx, make, lucia, paidPodcast, clock, settle, buy, pass } = await shop();
const month = utcMonth(clock.now);

async function sell() {
  await buy(showItem(paidPodcast, { userId: (await make.person()).id }));
  await settle();
}

/** By an operator with a fresh proof. */
async function viewBooks() {
  const olga = await protect({ runtime, make });
  await runtime.db.insert(operators).values({ userId: olga.id, addedAt: clock.now, addedBy: 'test' });
  return olga.api.operators.books({ month });
}

test('a sale after the last comparison is not compared yet, which is no difference', async () => {
  await sell();
  await pass(later(clock.now, HOURS(26)));
  await reconcileBooks(ctx);
  const [agreed] = (await viewBooks()).shows;
  clock.now = later(clock.now, MINUTES(1));
  await sell();

  const { differences, shows } = await viewBooks();

  expect(agreed).toMatchObject({ creatorId: lucia.creatorId, differenceMinor: 0, uncomparedMinor: 0 });
  expect(differences).toEqual([]);
  const { oursMinor, theirsMinor } = shows[0]!;
  expect(theirsMinor).toBe(agreed!.theirsMinor);
  expect(oursMinor).toBeGreaterThan(theirsMinor);
  expect(shows).toMatchObject([{ differenceMinor: 0, uncomparedMinor: oursMinor - theirsMinor }]);

  await pass(later(clock.now, HOURS(26)));
  await reconcileBooks(ctx);
  expect((await viewBooks()).shows).toMatchObject([{ oursMinor, differenceMinor: 0, uncomparedMinor: 0 }]);
});
