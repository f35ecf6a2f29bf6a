import { and, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { episodePositions } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { earlier, HOURS } from '../base/time';
import type { Runtime } from '../runtime/runtime';
import type { DemoPerson } from './demo-types';

/**
 * Where listeners stopped, the first one last. Inserted directly, because the player's report is refused until the audio
 * has been checked. A second run changes nothing.
 */
export async function seedPositions({ db, now }: Pick<Runtime, 'db' | 'now'>, cast: readonly DemoPerson[]) {
  for (const { email, heard = [] } of cast)
    for (const [i, { show, episode, seconds }] of heard.entries()) {
      const found = await db
        .select({ userId: users.id, episodeId: episodes.id })
        .from(episodes)
        .innerJoin(products, eq(products.id, episodes.productId))
        .innerJoin(users, eq(users.email, email))
        .where(and(eq(products.slug, show), eq(episodes.slug, episode)))
        .orderBy(episodes.id);
      const updatedAt = earlier(now(), HOURS(i + 1));
      const stopped = { positionMs: (seconds ?? 0) * 1000, finishedAt: seconds === null ? updatedAt : null, updatedAt };
      if (found.length > 0)
        await db
          .insert(episodePositions)
          .values(found.map((row) => ({ ...row, ...stopped })))
          .onConflictDoNothing();
    }
}
