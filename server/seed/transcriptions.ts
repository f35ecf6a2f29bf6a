import { and, eq } from 'drizzle-orm';
import { episodes } from '~/db/schema/episodes';
import { transcriptionRuns } from '~/db/schema/transcription';
import { lookupProductBySlug } from '../domain/products/queries';
import { startTranscription } from '../domain/transcription/start-transcription';
import { requireCreator } from '../policy/actor';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import type { DemoPerson } from './demo-types';
import { checkEpisode } from './episodes';

/** Has the spoken episodes of the demo transcribed by the local engine, once the worker runs. */
export async function seedTranscriptions(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  if (!runtime.settings.transcribes) return;
  for (const person of cast) {
    for (const { slug, episodes: parts } of person.products) {
      for (const { name, isTranscribed } of parts)
        if (isTranscribed) await ensureTranscription(runtime, person, { slug, name });
    }
  }
}

async function ensureTranscription(
  runtime: Runtime,
  person: DemoPerson,
  { slug, name }: { slug: string; name: string },
) {
  const ctx = await actAs(runtime, person);
  const show = await lookupProductBySlug(ctx, requireCreator(ctx).creatorId, slug);
  if (!show) return;
  const isIt = and(eq(episodes.productId, show.product.id), eq(episodes.name, name));
  const [episode] = await ctx.db.select({ id: episodes.id }).from(episodes).where(isIt);
  if (!episode) return;
  if ((await ctx.db.$count(transcriptionRuns, eq(transcriptionRuns.episodeId, episode.id))) > 0) return;
  await checkEpisode(ctx, episode.id);
  await startTranscription(ctx, { id: episode.id, language: null, replaces: false });
}
