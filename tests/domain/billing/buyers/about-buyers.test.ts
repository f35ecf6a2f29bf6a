import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { subscriptions } from '~/db/schema/billing';
import { buyerNotes } from '~/db/schema/buyers';
import { listeningDays } from '~/db/schema/listening';
import { activity } from '~/db/schema/team';
import { DAYS, earlier, later, utcDay } from '~/server/base/time';
import { eraseBuyerNotes } from '~/server/domain/billing/buyers/note-buyer';
import { refundSplit } from '~/server/domain/payouts/rules';
import { shop, showItem } from '../../../support/shop';
import '../../../support/matchers';

const { runtime, make, ctx, lucia, ada, clock, buy, settle, club, buyers: people } = await shop({ buyers: true });
const { db } = runtime;
const ref = { id: club.id, kind: 'podcast' as const };
const { buyers, listening } = lucia.api;

test('a note about a person is kept for all shows of the creator, and an empty one is deleted', async () => {
  const userId = people.active.id;
  const noted = async () => (await buyers.get({ ...ref, userId })).note;
  expect(await noted()).toBe('');

  await buyers.note({ ...ref, userId, note: '  Met at the fair  ' });
  expect(await noted()).toBe('Met at the fair');
  await buyers.note({ ...ref, userId, note: 'Writes letters' });
  expect(await noted()).toBe('Writes letters');
  await buyers.note({ ...ref, userId, note: 'Writes letters' });
  await buyers.note({ ...ref, userId, note: '' });
  await buyers.note({ ...ref, userId, note: '' });

  expect(await db.$count(buyerNotes)).toBe(0);
  // the log has what has changed
  const isNoted = and(eq(activity.action, 'buyer.noted'), eq(activity.subjectId, userId));
  expect(await db.$count(activity, isNoted)).toBe(3);
});

test('notes are about the buyers of one’s own shows only', async () => {
  const unknown = await make.person();
  const note = { ...ref, userId: people.active.id, note: 'x' };

  await expect(buyers.note({ ...note, userId: unknown.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(ada.api.buyers.note(note)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(buyers.note({ ...note, note: 'x'.repeat(2001) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });

  expect(await db.$count(buyerNotes)).toBe(0);
});

test('the notes about a deleted account go, and those of a deleted creator', async () => {
  const [one, other] = [people.active.id, people.yearly.id];
  for (const userId of [one, other]) await buyers.note({ ...ref, userId, note: 'x' });

  await eraseBuyerNotes(ctx, { userId: one });
  expect(await db.select({ userId: buyerNotes.userId }).from(buyerNotes).limit(1)).toEqual([{ userId: other }]);
  await eraseBuyerNotes(ctx, { userId: lucia.id });

  expect(await db.$count(buyerNotes)).toBe(0);
});

test('the page of a person says what follows a failed renewal: the next reminder, the end of access, the end', async () => {
  const [since, userId] = [clock.now, people.overdue.id];
  await db.update(subscriptions).set({ pastDueSince: since }).where(eq(subscriptions.userId, userId));
  const overdueAfter = async (days: number) => {
    clock.now = later(since, DAYS(days));
    return (await buyers.get({ ...ref, userId })).overdue;
  };
  const dates = { accessUntil: later(since, DAYS(7)), endsAt: later(since, DAYS(14)) };

  expect(await overdueAfter(0)).toEqual({ ...dates, reminderAt: later(since, DAYS(3)), hasAccess: true });
  expect(await overdueAfter(8)).toEqual({ ...dates, reminderAt: later(since, DAYS(12)), hasAccess: false });
  expect(await overdueAfter(13)).toEqual({ ...dates, reminderAt: null, hasAccess: false });
  clock.now = since;
  expect((await buyers.get({ ...ref, userId: people.active.id })).overdue).toBeNull();
});

test('only a subscription that can be paused is offered on the page of its person', async () => {
  const pauseOf = async (userId: number) => (await buyers.get({ ...ref, userId })).pause;

  expect(await pauseOf(people.active.id)).toMatchObject({ pausedFrom: null, pausedUntil: null });
  expect(await pauseOf(people.paused.id)).toMatchObject({ pausedUntil: expect.any(Date) });
  for (const { id } of [people.yearly, people.trial, people.overdue, people.cancelled, people.gift])
    expect([id, await pauseOf(id)]).toEqual([id, null]);
});

test('the revenue of a podcast is a month of its running subscriptions', async () => {
  const [show] = [await make.product(lucia, { priceMinor: 500, annualPriceMinor: 5000 })];
  const shown = { id: show.id, kind: 'podcast' as const };
  expect(await buyers.revenue(shown)).toEqual([{ minor: 0, currency: 'eur' }]);

  await buy(showItem(show, { userId: (await make.person()).id }));
  await buy(showItem(show, { userId: (await make.person()).id }, { every: 'year', priceMinor: 5000 }));
  await settle();

  expect(await buyers.revenue(shown)).toEqual([{ minor: 500 + Math.round(5000 / 12), currency: 'eur' }]);
  await expect(ada.api.buyers.revenue(shown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the revenue of an audio series is the share of this month’s sales, less refunds', async () => {
  const series = await make.product(lucia, { kind: 'audio_series', priceMinor: 1500 });
  const shown = { id: series.id, kind: 'audio_series' as const };
  const userId = (await make.person()).id;
  await buy(showItem(series, { userId }));
  await settle();
  const [sale] = (await buyers.get({ ...shown, userId })).payments;
  const share = sale!.amountMinor - sale!.vatMinor - sale!.commissionMinor;
  expect(await buyers.revenue(shown)).toEqual([{ minor: share, currency: 'eur' }]);

  await buyers.refund({ ...shown, saleId: sale!.id, amount: '5', refundedMinor: 0 });
  await settle();

  const { shareMinor } = refundSplit(sale!, 500);
  expect(await buyers.revenue(shown)).toEqual([{ minor: share - shareMinor, currency: 'eur' }]);
});

test('the plays of a show are those of the last 28 days', async () => {
  const show = await make.product(lucia);
  const shown = { id: show.id, kind: 'podcast' as const };
  const own = { creatorId: lucia.creatorId, productId: show.id };
  const day = (ago: number) => utcDay(earlier(clock.now, DAYS(ago)));
  await db.insert(listeningDays).values([
    { ...own, day: day(0), listens: 1, downloads: 10 },
    { ...own, day: day(27), listens: 2, downloads: 20 },
    { ...own, day: day(28), listens: 4, downloads: 40 },
  ]);

  const several = { productIds: [show.id, club.id] };
  expect(await listening.playsOfShow(shown)).toEqual({ listens: 3, downloads: 30 });
  expect(await listening.playsOfShows(several)).toEqual([{ id: show.id, listens: 3, downloads: 30 }]);
  expect(await ada.api.listening.playsOfShows(several)).toEqual([]);
  await expect(ada.api.listening.playsOfShow(shown)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
