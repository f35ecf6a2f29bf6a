import { sql } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { episodeMonths, listeningDays, machineDays } from '~/db/schema/listening';
import { listeningMonths } from '~/db/schema/listening-months';
import { type Delivery, recordDelivery } from '~/server/domain/listening/downloads';
import type { Ctx } from '~/server/runtime/ctx';
import type { cast } from './cast';

export const PHONE = { address: '203.0.113.9', userAgent: 'AntennaPod/3.1.2' };
/** The head of 1000 bytes and half of a two-minute episode. */
export const MINUTE = 961_000;

type Make = Awaited<ReturnType<typeof cast>>['make'];

export async function twoMinuteEpisodes(make: Make, count = 1): Promise<Delivery['episode'][]> {
  const product = await make.product(await make.creator());
  return (await make.episodes(product, count)).map(({ id, creatorId, productId }) => ({
    ...{ id, creatorId, productId },
    ...{ bytes: 1_921_000, headBytes: 1000, durationMs: 120_000 },
  }));
}

export const twoMinuteEpisode = async (make: Make) => (await twoMinuteEpisodes(make))[0]!;

/** A whole episode for an app, unless another delivery is given. */
export function delivery(episode: Delivery['episode'], over: Partial<Delivery> = {}): Delivery {
  const whole = { from: 0, to: episode.bytes };
  return {
    ...{ episode, method: 'GET', status: 200, requested: null, delivered: whole, client: PHONE, source: 'feed' },
    ...over,
  };
}

/** A part of an episode that the client has requested. */
export const part = (episode: Delivery['episode'], from: number, to: number, over: Partial<Delivery> = {}): Delivery =>
  delivery(episode, { status: 206, requested: { from, to }, delivered: { from, to }, ...over });

type Clock = (options: { now: Date }) => Ctx;

/** Delivers at a time, as `2026-03-02 23:50` in UTC. */
export const deliverAt = (clock: Clock, time: string, given: Delivery): Promise<void> =>
  recordDelivery(clock({ now: new Date(`${time.replace(' ', 'T')}Z`) }), given);

/** The downloads of an episode: in its total, in the days of its product, and as rows. */
export async function downloadsOf(db: Database, episodeId: number) {
  const [row] = await db.execute<{ total: number; days: number; rows: number }>(sql`
    select coalesce((select downloads from episode_totals where episode_id = ${episodeId}), 0)::int as total,
      coalesce((select sum(downloads) from listening_days d join episodes e using (product_id) where e.id = ${episodeId}), 0)::int as days,
      (select count(*) from downloads where episode_id = ${episodeId} and counted_at is not null)::int as rows`);
  return row!;
}

/** The stored sums of a product and its episodes. */
export async function sumsOf(db: Database, productId: number) {
  const [days, showMonths, months, machines] = await Promise.all([
    db.select().from(listeningDays).where(sql`product_id = ${productId}`).orderBy(listeningDays.day),
    db.select().from(listeningMonths).where(sql`product_id = ${productId}`).orderBy(listeningMonths.month),
    db
      .select()
      .from(episodeMonths)
      .where(sql`product_id = ${productId}`)
      .orderBy(episodeMonths.episodeId, episodeMonths.month),
    db.select().from(machineDays).where(sql`product_id = ${productId}`).orderBy(machineDays.day),
  ]);
  return { days, showMonths, months, machines };
}
