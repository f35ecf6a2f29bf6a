import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { episodes as episodeRows } from '~/db/schema/episodes';
import { episodeMinutes, heardMinutes } from '~/db/schema/heard-minutes';
import { listeningDays } from '~/db/schema/listening';
import type { HeardReport } from '~/db/values/listening';
import { DAYS, later, MINUTES } from '~/server/base/time';
import { insertMinutes, recordMinutes } from '~/server/domain/listening/heard-minutes';
import { recountStatistics } from '~/server/domain/listening/recount-statistics';
import { issueTicket } from '~/server/domain/listening/tickets';
import { RATE_LIMITS } from '~/server/limits/http';
import { cast } from '../../support/cast';
import '../../support/matchers';

const { runtime, make, visitor, visitorCtx, pauseAt } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);

const START = new Date('2026-03-02T12:00:00Z');
const LENGTH = 90;
const product = await make.product(await make.creator());

async function episodeOf(minutes = LENGTH) {
  const [episode] = await make.episodes(product, 1, () => ({ slug: randomUUID() }));
  await db
    .update(episodeRows)
    .set({ durationMs: MINUTES(minutes) })
    .where(eq(episodeRows.id, episode!.id));
  return episode!;
}

const ticketOf = (id: number, session: string, at = START) => issueTicket(visitorCtx({ now: at }), { id, session });

/** Reports minutes so long after the ticket that all of them are possible, unless another time is given. */
function report(id: number, minutes: number[], { session = 'one', at = later(START, MINUTES(60)), ticket = '' } = {}) {
  const heard = [...new Set(minutes.map((minute) => Math.floor(minute / 60)))].map((hour): [number, string] => {
    const bits = minutes
      .filter((minute) => Math.floor(minute / 60) === hour)
      .reduce((sum, m) => sum | (1n << BigInt(m % 60)), 0n);
    return [hour, bits.toString(16)];
  });
  return recordMinutes(visitorCtx({ now: at }), { id, session, heard, ticket: ticket || ticketOf(id, session) });
}

async function sumsOf(id: number) {
  const rows = await db
    .select()
    .from(episodeMinutes)
    .where(eq(episodeMinutes.episodeId, id))
    .orderBy(episodeMinutes.month);
  return rows.map(({ month, listeners, minutes, heard }) => ({ month, listeners, minutes, heard }));
}

test('each minute counts once for a session, whatever it repeats, and listeners are sessions that began', async () => {
  const { id } = await episodeOf();

  const counted = [
    await report(id, [0, 1, 59, 60]),
    await report(id, [0, 1, 2]),
    await report(id, [0, 1, 2]),
    await report(id, [89], { session: 'two' }),
  ];

  expect(counted).toEqual([{ counted: 4 }, { counted: 1 }, { counted: 0 }, { counted: 1 }]);
  expect(await sumsOf(id)).toEqual([
    { month: '2026-03-01', listeners: 2, minutes: 6, heard: { '0': 1, '1': 1, '2': 1, '59': 1, '60': 1, '89': 1 } },
  ]);
});

test('reports of one session that arrive at once, in several processes, count each minute once', async () => {
  const { id, creatorId, productId } = await episodeOf();
  const of = (hours: [number, bigint][], session = 'race'): HeardReport => ({
    ...{ creatorId, productId, episodeId: id, session, hours: new Map(hours), since: START },
    at: later(START, MINUTES(60)),
  });
  const one = of([[0, 0b111n]]);
  const other = of([
    [0, 0b110n],
    [1, 0b1n],
  ]);

  const results = await Promise.all(
    [one, other, one, of([[1, 0b11n]]), one].map((each) => insertMinutes(db, [each, each])),
  );

  expect(results.flat().reduce<number>((sum, counted) => sum + (counted ?? 0), 0)).toBe(5);
  expect(await sumsOf(id)).toMatchObject([{ listeners: 1, minutes: 5 }]);
});

test('a repeated report that was checked before the first one is written changes nothing', async () => {
  const { id } = await episodeOf();
  const pause = pauseAt('minutes.checked');
  const ticket = ticketOf(id, 'one');
  const input = { id, session: 'one', ticket, heard: [[0, '3']] as [number, string][] };
  const first = recordMinutes(visitorCtx({ now: later(START, MINUTES(5)) }), input);
  await pause.reachedBy(first);

  const second = await recordMinutes(visitorCtx({ now: later(START, MINUTES(5)) }), input);
  pause.goOn();

  expect([second, await first]).toEqual([{ counted: 2 }, { counted: 0 }]);
  expect(await sumsOf(id)).toMatchObject([{ listeners: 1, minutes: 2 }]);
});

test('a session that goes on after midnight counts what it had not heard on the day before', async () => {
  const { id } = await episodeOf();
  const evening = new Date('2026-03-31T23:50:00Z');
  const ticket = ticketOf(id, 'late', new Date('2026-03-31T23:00:00Z'));

  await report(id, [0, 1], { session: 'late', ticket, at: evening });
  await report(id, [1, 2], { session: 'late', ticket, at: later(evening, MINUTES(20)) });

  expect(await sumsOf(id)).toEqual([
    { month: '2026-03-01', listeners: 1, minutes: 2, heard: { '0': 1, '1': 1 } },
    { month: '2026-04-01', listeners: 0, minutes: 1, heard: { '2': 1 } },
  ]);
});

test('a listener hears at most three minutes in a minute, and none after the end of the episode', async () => {
  const { id } = await episodeOf(10);
  const at = later(START, MINUTES(1));
  const minutes = (count: number) => Array.from({ length: count }, (_, i) => i);

  await expect(report(id, minutes(6), { at })).toFailWith('listening.too_many_minutes');
  expect(await report(id, minutes(5), { at })).toEqual({ counted: 5 });
  // not with a second ticket either, which allows nothing more
  await expect(report(id, [5, 6], { at, ticket: ticketOf(id, 'one', at) })).toFailWith('listening.too_many_minutes');
  expect(await report(id, [5, 6], { at: later(at, MINUTES(1)) })).toEqual({ counted: 2 });
  for (const beyond of [10, 59, 60, 16_000])
    await expect(report(id, [beyond])).toFailWith('listening.minute_beyond_end');
  expect(await report(id, [9])).toEqual({ counted: 1 });
  expect(await sumsOf(id)).toMatchObject([{ listeners: 1, minutes: 8 }]);
});

test('machines are not counted', async () => {
  const { id } = await episodeOf();
  const ctx = visitorCtx({ now: later(START, MINUTES(5)) });
  const bot = { ...ctx, client: { ...ctx.client, userAgent: 'Googlebot/2.1' } };

  const counted = await recordMinutes(bot, { id, session: 'bot', ticket: ticketOf(id, 'bot'), heard: [[0, '1']] });

  expect(counted).toEqual({ counted: 0 });
  expect(await sumsOf(id)).toEqual([]);
});

test('a recount equals what is stored, repairs what is not, and keeps months whose rows are deleted', async () => {
  const { id } = await episodeOf();
  const reports = fc.array(
    fc.record({
      session: fc.constantFrom('a', 'b', 'c'),
      minutes: fc.array(fc.nat(LENGTH - 1), { minLength: 1, maxLength: 12 }),
      day: fc.integer({ min: 2, max: 5 }),
    }),
    { minLength: 8, maxLength: 12 },
  );
  for (const { session, minutes, day } of fc.sample(reports, { numRuns: 1, seed: 5 }).flat()) {
    const at = new Date(`2026-03-0${day}T20:00:00Z`);
    const ticket = ticketOf(id, session, later(at, -MINUTES(60)));
    await report(id, minutes, { session, ticket, at });
  }
  const stored = await sumsOf(id);
  expect(stored[0]!.listeners).toBeGreaterThan(2);
  const recount = () =>
    recountStatistics(visitorCtx({ now: new Date('2026-03-20T12:00:00Z') }), {
      ...{ operator: { name: 'olga' }, from: '2026-02', to: '2026-03', productId: product.id },
    });

  await recount();
  expect(await sumsOf(id)).toEqual(stored);

  await db
    .update(episodeMinutes)
    .set({ listeners: 900, minutes: 1, heard: { '7': 3 } })
    .where(eq(episodeMinutes.episodeId, id));
  await recount();
  expect(await sumsOf(id)).toEqual(stored);

  await db.delete(episodeMinutes).where(eq(episodeMinutes.episodeId, id));
  await recount();
  expect(await sumsOf(id)).toEqual(stored);

  await db.delete(heardMinutes).where(eq(heardMinutes.episodeId, id));
  await recount();
  expect(await sumsOf(id)).toEqual(stored);
});

test('a month whose sums contain those of a backup keeps them, with what was heard since', async () => {
  const { id } = await episodeOf();
  const scope = { creatorId: product.creatorId, productId: product.id };
  await db.insert(listeningDays).values({ ...scope, day: '2026-03-01', listens: 40 });
  await db
    .insert(episodeMinutes)
    .values({ ...scope, episodeId: id, month: '2026-03-01', listeners: 40, minutes: 60, heard: { '0': 40, '1': 20 } });
  await report(id, [0, 1]);
  const stored = await sumsOf(id);
  expect(stored).toMatchObject([{ listeners: 41, minutes: 62 }]);

  const { kept } = await recountStatistics(visitorCtx({ now: new Date('2026-03-20T12:00:00Z') }), {
    ...{ operator: { name: 'olga' }, from: '2026-03', to: '2026-03', productId: product.id },
  });
  await db.delete(listeningDays).where(eq(listeningDays.productId, product.id));

  expect(kept).toBe(1);
  expect(await sumsOf(id)).toEqual(stored);
});

test('a report during a recount is in the sums once', async () => {
  const { id } = await episodeOf();
  await report(id, [0, 1]);
  const pause = pauseAt('recount.minutes_locked');
  const ctx = visitorCtx({ now: new Date('2026-03-20T12:00:00Z') });
  const recounted = recountStatistics(ctx, {
    operator: { name: 'olga' },
    from: '2026-03',
    to: '2026-03',
    productId: product.id,
  });
  await pause.reachedBy(recounted);

  const reported = report(id, [1, 2], { session: 'two' });
  pause.goOn();
  await Promise.all([recounted, reported]);

  expect(await sumsOf(id)).toEqual([
    { month: '2026-03-01', listeners: 2, minutes: 4, heard: { '0': 1, '1': 2, '2': 1 } },
  ]);
});

test('a ticket of another session or episode, a forged one and an old one count nothing', async () => {
  const [{ id }, other] = [await episodeOf(), await episodeOf()];
  const ticket = ticketOf(id, 'one');
  const forged = `${ticket.slice(0, -1)}${ticket.endsWith('A') ? 'B' : 'A'}`;

  for (const wrong of ['x', forged, ticketOf(id, 'two'), ticketOf(other.id, 'one')])
    await expect(report(id, [0], { ticket: wrong })).toFailWith('listening.ticket_invalid');
  await expect(report(id, [0], { ticket, at: later(START, DAYS(1)) })).toFailWith('listening.ticket_invalid');
  for (const heard of [[], [[0, '']], [[0, 'f'.repeat(16)]], [[-1, '1']], [[0.5, '1']], Array(5).fill([0, '1'])])
    await expect(
      visitor.listening.countMinutes({ id, session: 'one', ticket, heard: heard as never }),
    ).rejects.toThrow();
  expect(await sumsOf(id)).toEqual([]);
});

test('the players of a network don’t block its forms', async () => {
  const { id } = await episodeOf();
  const person = await make.person();
  await db.execute('delete from rate_limits');
  const minute = { id, session: 'one', ticket: 'x', heard: [[0, '1']] as [number, string][] };

  for (let i = 0; i < RATE_LIMITS.publicWrite.points; i += 1) {
    await expect(visitor.listening.countMinutes(minute)).toFailWith('listening.ticket_invalid');
    await person.api.listening.savePosition({ id, seconds: i, finished: false });
  }

  await visitor.accounts.chooseLanguage({ language: 'es' });
});
