import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { listeningDays, machineDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { DIMENSIONS, type PlayFacts } from '~/db/values/statistics';
import { DAYS, earlier, HOURS, later, MINUTES, utcDay } from '../base/time';
import { addToRollups, FACTS, type Measure } from '../domain/listening/rollups';
import { type DemoListener, demoListeners } from './audiences';
import type { DemoPerson } from './demo-types';
import { seededRandom } from './random';

const DAYS_OF_HISTORY = 28;
const MAX_PLAYS_PER_DAY = 9;
const LISTENERS_OF_SHOW = 30;

type Released = { id: number; creatorId: number; productId: number; releaseAt: Date };
type Play = { at: Date; day: string; episode: Released; listener: number; facts: PlayFacts; isOnWeb: boolean };

/**
 * Adds four weeks of plays to the demo episodes of shows that are not archived, so that the charts are not empty: events,
 * and the sums of those that are new. They are inserted directly, because the rooms record plays only at the current
 * time. Each play is the same at every start, so a second run changes nothing.
 */
export async function seedPlays(db: Database, emails: string[], now: Date): Promise<void> {
  const released = await db
    .select({
      id: episodes.id,
      creatorId: episodes.creatorId,
      productId: episodes.productId,
      releaseAt: sql<Date>`${episodes.releaseAt}`.mapWith(episodes.releaseAt),
    })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(and(inArray(users.email, emails), lte(episodes.releaseAt, now), isNull(products.archivedAt)))
    .orderBy(episodes.id);
  const audiences = new Map<number, DemoListener[]>();
  for (const { productId } of released) audiences.set(productId, demoListeners(productId, LISTENERS_OF_SHOW));
  const plays = released.flatMap((episode) => playsOf(episode, audiences.get(episode.productId)!, now));
  await db.transaction(async (tx) => {
    await insertListens(
      tx,
      plays.filter(({ isOnWeb }) => isOnWeb),
    );
    await insertDownloads(tx, plays);
    const machines = machinesOf(plays);
    if (machines.length > 0) await tx.insert(machineDays).values(machines).onConflictDoNothing();
  });
}

/** Some requests of machines on each day with plays. */
function machinesOf(plays: Play[]): (typeof machineDays.$inferInsert)[] {
  const days = new Map(plays.map((play) => [`${play.episode.productId} ${play.day}`, play]));
  return [...days].map(
    ([
      key,
      {
        day,
        episode: { creatorId, productId },
      },
    ]) => {
      const random = seededRandom(`machines of ${key}`);
      const [bots, servers] = [random.integer(1, 9), random.integer(0, 4)];
      const agents = { googlebot: bots, 'okhttp 4.12.0': servers };
      return {
        creatorId,
        productId,
        day,
        requests: bots + servers,
        reasons: { bot: bots, data_center: servers },
        agents,
      };
    },
  );
}

/** Each listener plays an episode at most once a day. */
function playsOf(episode: Released, audience: DemoListener[], now: Date): Play[] {
  const random = seededRandom(`plays of ${episode.id}`);
  return Array.from({ length: DAYS_OF_HISTORY }, (_, daysAgo) => utcDay(earlier(now, DAYS(daysAgo)))).flatMap((day) => {
    const first = random.integer(0, audience.length - 1);
    return Array.from({ length: Math.floor(random.next() * MAX_PLAYS_PER_DAY) }, (_, i) => {
      const listener = (first + i) % audience.length;
      const { facts, isOnWeb, hour } = audience[listener]!;
      const at = later(new Date(day), HOURS(hour) + MINUTES(random.integer(0, 59)));
      return { at, day, episode, listener, facts, isOnWeb };
    }).filter(({ at }) => at >= episode.releaseAt && at <= now);
  });
}

async function insertListens(tx: Transaction, plays: Play[]): Promise<void> {
  const session = sql`'demo-' || episode_id || '-' || day || '-' || listener`;
  await insertPlays(
    tx,
    { measure: 'listens', plays },
    sql`insert into listens (day, creator_id, product_id, episode_id, session_id, at, ${FACTS})
      select day, creator_id, product_id, episode_id, ${session}, at, ${FACTS} from plays
      on conflict do nothing
      returning day, creator_id, product_id, episode_id, at, null::bytea as listener_key, ${FACTS}`,
  );
}

async function insertDownloads(tx: Transaction, plays: Play[]): Promise<void> {
  const key = sql`decode(md5(product_id || ' ' || day || ' ' || listener), 'hex')`;
  await insertPlays(
    tx,
    { measure: 'downloads', plays },
    sql`insert into downloads (day, creator_id, product_id, episode_id, listener_key, user_agent, spans, needed_bytes,
        first_at, counted_at, counted_in, ${FACTS})
      select day, creator_id, product_id, episode_id, ${key}, 'Demo', '{[0,1)}', 1, at, at, 1, ${FACTS} from plays
      on conflict do nothing
      returning day, creator_id, product_id, episode_id, first_at as at, listener_key, ${FACTS}`,
  );
}

/** @param insert returns the new ones of `plays`, of which only these are added to the sums */
async function insertPlays(tx: Transaction, { measure, plays }: { measure: Measure; plays: Play[] }, insert: SQL) {
  const rows = plays.map(({ at, day, episode: { id, creatorId, productId }, listener, facts }) => ({
    ...{ at, day, episode_id: id, creator_id: creatorId, product_id: productId, listener, ...facts },
  }));
  const columns = sql.raw(DIMENSIONS.map((name) => `${name} text`).join(', '));
  await tx.execute(sql`
    with plays as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as p(at timestamptz, day date,
        episode_id bigint, creator_id bigint, product_id bigint, listener int, ${columns})
    ), fresh_plays as (${insert}), ${addToRollups(measure, sql`select * from fresh_plays`)}
    select 1`);
}

/** Adds downloads of this month, dated today, to the first show of people with many downloads. */
export async function seedDownloads(db: Database, cast: readonly DemoPerson[], now: Date): Promise<void> {
  for (const { email, downloads } of cast) {
    if (!downloads) continue;
    const show = await firstShowOf(db, email);
    if (!show) continue;
    const { creatorId, productId, day } = listeningDays;
    await db
      .insert(listeningDays)
      .values({ ...show, day: utcDay(now), downloads })
      .onConflictDoUpdate({ target: [creatorId, productId, day], set: { downloads } });
  }
}

/** The oldest show of a person; undefined without one. */
export async function firstShowOf(db: Database, email: string) {
  const [show] = await db
    .select({ creatorId: products.creatorId, productId: products.id })
    .from(products)
    .innerJoin(creators, eq(creators.id, products.creatorId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(eq(users.email, email))
    .orderBy(products.id)
    .limit(1);
  return show;
}
