import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { soundbites } from '~/db/schema/soundbites';
import { lookupProductBySlug } from '../domain/products/queries';
import { addSoundbite } from '../domain/soundbites/add-soundbite';
import { requireCreator } from '../policy/actor';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoEpisode, DemoPerson } from './demo-types';
import { checkEpisode } from './episodes';

/** Adds the soundbites of the demo's spoken episodes. */
export async function seedSoundbites(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  for (const person of cast)
    for (const { slug, episodes: parts } of person.products)
      for (const part of parts) if (part.soundbites) await ensureSoundbites(runtime, person, slug, part);
}

async function ensureSoundbites(runtime: Runtime, person: DemoPerson, slug: string, part: DemoEpisode): Promise<void> {
  const ctx = await actAs(runtime, person);
  const show = await lookupProductBySlug(ctx, requireCreator(ctx).creatorId, slug);
  if (!show) return;
  const isIt = and(eq(episodes.productId, show.product.id), eq(episodes.name, part.name));
  const [episode] = await ctx.db.select({ id: episodes.id }).from(episodes).where(isIt);
  if (!episode) return;
  await checkEpisode(ctx, episode.id);
  for (const { title, ...span } of part.soundbites ?? []) {
    const isAdded = and(eq(soundbites.episodeId, episode.id), eq(soundbites.title, title));
    if ((await ctx.db.$count(soundbites, isAdded)) === 0)
      await addSoundbite(ctx, { episodeId: episode.id, title, ...span });
  }
}
