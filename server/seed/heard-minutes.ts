import { and, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { users } from '~/db/schema/accounts';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { HeardReport } from '~/db/values/listening';
import { DAYS, earlier, HOURS, later, MINUTES, utcDay } from '../base/time';
import { insertMinutes } from '../domain/listening/heard-minutes';
import { seededRandom } from './random';

const DAYS_OF_HISTORY = 21;
const MOST_LISTENERS = 4;

type Released = { id: number; creatorId: number; productId: number; releaseAt: Date | null; durationMs: number | null };

/**
 * Adds three weeks of listeners of the web player, who stop at different minutes. The same at every start, so a second
 * run changes nothing.
 */
export async function seedHeardMinutes(db: Database, emails: string[], now: Date): Promise<void> {
  const released = await db
    .select({
      ...{ id: episodes.id, creatorId: episodes.creatorId, productId: episodes.productId },
      ...{ releaseAt: episodes.releaseAt, durationMs: episodes.durationMs },
    })
    .from(episodes)
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(users, eq(users.id, creators.userId))
    .where(
      and(
        inArray(users.email, emails),
        lte(episodes.releaseAt, now),
        isNotNull(episodes.durationMs),
        isNull(products.archivedAt),
      ),
    )
    .orderBy(episodes.id);
  const reports = released.flatMap((episode) => reportsOf(episode, now));
  if (reports.length > 0) await insertMinutes(db, reports);
}

function reportsOf(episode: Released, now: Date): HeardReport[] {
  const { id: episodeId, creatorId, productId, releaseAt, durationMs } = episode;
  const length = Math.ceil((durationMs ?? 0) / MINUTES(1));
  const days = Array.from({ length: DAYS_OF_HISTORY }, (_, ago) => utcDay(earlier(now, DAYS(ago))));
  return days.flatMap((day) => {
    const random = seededRandom(`heard of ${episodeId} on ${day}`);
    return Array.from({ length: random.integer(0, MOST_LISTENERS) }, (_, listener) => {
      const at = later(new Date(day), HOURS(random.integer(10, 22)));
      const hours = hoursOf(minutesHeard(random, length));
      const session = `demo-${episodeId}-${day}-${listener}`;
      return { creatorId, productId, episodeId, session, hours, since: earlier(at, HOURS(8)), at };
    }).filter(({ at }) => releaseAt !== null && at >= releaseAt && at <= now);
  });
}

/** Half of the listeners stay to the end; some begin in the middle, and some skip minutes. */
function minutesHeard(random: ReturnType<typeof seededRandom>, length: number): number[] {
  const from = random.next() < 0.15 ? random.integer(0, Math.floor(length / 2)) : 0;
  const to = random.next() < 0.5 ? length : Math.max(from + 1, Math.ceil(length * random.next()));
  const heard = Array.from({ length: to - from }, (_, i) => from + i);
  return heard.filter((minute) => minute === from || random.next() > 0.05);
}

function hoursOf(minutes: number[]): Map<number, bigint> {
  const hours = new Map<number, bigint>();
  for (const minute of minutes) {
    const hour = Math.floor(minute / 60);
    hours.set(hour, (hours.get(hour) ?? 0n) | (1n << BigInt(minute % 60)));
  }
  return hours;
}
