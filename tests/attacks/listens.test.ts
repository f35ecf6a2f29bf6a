import { and, eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodePositions, episodeTotals, legacyPlays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DAYS, earlier, later, SECONDS } from '~/server/base/time';
import { recordListen } from '~/server/domain/listening/listens';
import { openEpisode } from '~/server/domain/listening/open-episode';
import { positionIn, savePosition } from '~/server/domain/listening/positions';
import { startPlaying } from '~/server/domain/listening/start-play';
import { LISTEN_LIMITS } from '~/server/limits/listening';
import { cast } from '../support/cast';
import '../support/matchers';
import { BASE_TIME } from '../support/runtime';

const { runtime, make, tom, ada, ctxOf, visitorCtx } = await cast();
const { db } = runtime;
await db.execute(sql`select make_listening_partitions('2026-02-01', 4)`);
const owner = await make.creator();
const show = await make.product(owner, {});
const [one, two] = (await make.episodes(show, 2)).map(({ id }) => ({ id })) as [{ id: number }, { id: number }];

const at = (seconds: number) => visitorCtx({ now: later(BASE_TIME, SECONDS(seconds)) });
const session = 'a-session';
const started = async (id: number, from = session) => (await startPlaying(at(0), { id, session: from })).ticket;

test('a listen is accepted only with its own ticket, more than a minute and less than a day old', async () => {
  const ticket = await started(one.id);
  const [issuedAt, signature] = ticket.split('.') as [string, string];
  const listen = (over: object, seconds = 61) => recordListen(at(seconds), { id: one.id, session, ticket, ...over });
  const forged = `${issuedAt}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

  for (const wrong of [undefined, '', 'x', forged, `${Number(issuedAt) - 60_000}.${signature}`, await started(two.id)])
    await expect(listen({ ticket: wrong })).toFailWith('listening.ticket_invalid');
  await expect(listen({ session: 'another-session' })).toFailWith('listening.ticket_invalid');
  await expect(listen({}, DAYS(1) / SECONDS(1))).toFailWith('listening.ticket_invalid');
  await expect(listen({}, 60)).rejects.toMatchObject({ code: 'listening.ticket_too_early', params: { seconds: 1 } });
  await expect(listen({}, -60)).toFailWith('listening.ticket_too_early');

  expect(await listen({})).toEqual({ counted: true });
  expect(await listen({}, 62)).toEqual({ counted: false });
  expect(await listen({}, DAYS(1) / SECONDS(1) - 1)).toEqual({ counted: false });
  const [total] = await db.select().from(episodeTotals).where(eq(episodeTotals.episodeId, one.id));
  expect(total).toMatchObject({ listens: 1 });
});

test('a ticket is of no use after access has ended', async () => {
  const [episode] = await make.episodes(show, 1, () => ({ type: 'private', slug: 'secret' }));
  await db.update(products).set({ priceMinor: 500 }).where(eq(products.id, show.id));
  const member = ctxOf(owner, { now: BASE_TIME });
  const { ticket } = await startPlaying(member, { id: episode!.id, session });

  const listen = recordListen(at(61), { id: episode!.id, session, ticket });

  await expect(listen).toFailWith('episode.subscription_required');
});

test('a legacy client’s listen counts only for a caller who started to play, once for each play', async () => {
  const legacy = (seconds: number, address = '198.51.100.4') => {
    const ctx = at(seconds);
    return { ...ctx, client: { ...ctx.client, channel: 'rest' as const, address } };
  };
  const listen = (from: string, ctx: ReturnType<typeof legacy>) =>
    recordListen(ctx, { id: two.id, session: from, seconds: 61 });
  const nobody = await listen('legacy-1', legacy(100));
  await openEpisode(legacy(0), { id: two.id });
  await openEpisode(legacy(1), { id: two.id });

  const early = await listen('legacy-1', legacy(60));
  const elsewhere = await listen('legacy-1', legacy(100, '198.51.100.5'));
  const both = await Promise.all(['legacy-1', 'legacy-2', 'legacy-3'].map((from) => listen(from, legacy(100))));

  expect([nobody, early, elsewhere]).toEqual([{ counted: false }, { counted: false }, { counted: false }]);
  expect(both.filter(({ counted }) => counted)).toHaveLength(2);
});

test('a legacy client cannot fill the table of plays', async () => {
  const ctx = at(0);
  const legacy = { ...ctx, client: { ...ctx.client, channel: 'rest' as const, address: '198.51.100.9' } };
  const before = await db.$count(legacyPlays);

  for (let i = 0; i < LISTEN_LIMITS.legacyPlays + 5; i += 1) await openEpisode(legacy, { id: one.id });

  expect((await db.$count(legacyPlays)) - before).toBe(LISTEN_LIMITS.legacyPlays);
});

test('the newest report of a position wins, on the listener’s own account only', async () => {
  const input = { id: one.id };
  const save = (age: number, seconds: number, over = {}) =>
    savePosition(ctxOf(tom, { now: BASE_TIME }), { ...input, seconds, age, ...over });

  expect(await save(5000, 90)).toEqual({ saved: true });
  expect(await save(9000, 10)).toEqual({ saved: false });
  expect(await save(5000, 11)).toEqual({ saved: false });
  expect(await save(1000, 120.5)).toEqual({ saved: true });
  expect(await positionIn(ctxOf(tom), input)).toEqual({ seconds: 120.5, at: earlier(BASE_TIME, 1000) });
  expect(await positionIn(ctxOf(ada), input)).toBeNull();
  expect(await positionIn(visitorCtx(), input)).toBeNull();
  expect((await startPlaying(ctxOf(tom), { ...input, session })).position).toMatchObject({ seconds: 120.5 });

  await save(0, 600, { finished: true });

  const own = and(eq(episodePositions.userId, tom.id), eq(episodePositions.episodeId, one.id));
  const [row] = await db.select().from(episodePositions).where(own);
  expect(row).toMatchObject({ positionMs: 0, finishedAt: BASE_TIME });
});
