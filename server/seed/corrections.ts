import { eq } from 'drizzle-orm';
import type { Database } from '~/db/client';
import { statisticsChanges } from '~/db/schema/listening';
import { DAYS, earlier, utcDay } from '../base/time';
import type { DemoPerson } from './demo-types';
import { firstShowOf } from './plays';

/** A correction of last week in the first show of people with removed downloads. */
export async function seedCorrections(db: Database, cast: readonly DemoPerson[], now: Date): Promise<void> {
  for (const { email, removedDownloads } of cast) {
    const show = removedDownloads && (await firstShowOf(db, email));
    if (!show || (await db.$count(statisticsChanges, eq(statisticsChanges.productId, show.productId))) > 0) continue;
    const ago = (days: number) => utcDay(earlier(now, DAYS(days)));
    const days = { day: ago(6), fromDay: ago(27), toDay: ago(9) };
    await db
      .insert(statisticsChanges)
      .values({ ...show, ...days, reason: 'machines', listens: 0, downloads: -removedDownloads });
  }
}
