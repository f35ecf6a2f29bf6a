import { eq } from 'drizzle-orm';
import { episodeChapters, promos } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import type { Chapter } from '~/db/values/episodes';
import { may } from '../../policy/authorize';
import { actorInQuery, availableAt, whereGranted } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { factsOf } from '../episodes/queries';
import { audibleChapters } from '../episodes/rules';
import { hasInsertions } from '../insertions/hold-rendition';
import { soundbiteFiles } from '../soundbites/queries';

type StoredFile = { key: string; bytes: number };

/** The files of an episode's audio, as far as the caller may have them. */
export type SoundFiles = {
  peaksKey: string | null;
  chapters: Chapter[];
  promo: StoredFile | null;
  soundbites: StoredFile[];
  creatorId: number;
  /** Whether the caller may hear clips in it, which move its chapters. */
  hasInsertions: boolean;
};

const FACTS = {
  creatorId: episodes.creatorId,
  status: episodes.status,
  type: episodes.type,
  earlyUntil: episodes.earlyUntil,
  audioKey: episodes.audioKey,
  audioBytes: episodes.audioBytes,
  deletedAt: episodes.deletedAt,
  takenDownAt: episodes.takenDownAt,
};

/** Null if the caller may not know that the episode exists. */
export async function lookupSoundFiles(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
  episodeId: number,
): Promise<SoundFiles | null> {
  const { priceMinor, archivedAt, takenDownAt, retiredAt } = products;
  const product = { priceMinor, archivedAt, takenDownAt, retiredAt };
  const actor = actorInQuery(ctx);
  const { peaksKey, durationMs } = episodes;
  const [row] = await ctx.db
    .select({
      ...{ episode: FACTS, product, hasGrant: whereGranted(actor), availableAt: availableAt(actor) },
      ...{
        peaksKey,
        durationMs,
        chapters: episodeChapters.chapters,
        promo: { key: promos.audioKey, bytes: promos.audioBytes },
        soundbites: soundbiteFiles,
        hasInsertions: hasInsertions(ctx.now()),
      },
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .leftJoin(episodeChapters, eq(episodeChapters.episodeId, episodes.id))
    .leftJoin(promos, eq(promos.episodeId, episodes.id))
    .where(eq(episodes.id, episodeId));
  if (!row || !may(ctx, 'episode.see', factsOf(row))) return null;
  const promo = may(ctx, 'episode.play_promo', factsOf(row)) ? row.promo : null;
  const { creatorId } = row.episode;
  if (!may(ctx, 'episode.play', factsOf(row)))
    return { peaksKey: null, chapters: [], promo, soundbites: [], creatorId, hasInsertions: false };
  const chapters = audibleChapters(row.chapters ?? [], row.durationMs);
  const { peaksKey: peaks, soundbites, hasInsertions: has } = row;
  return { peaksKey: peaks, chapters, promo, soundbites: soundbites ?? [], creatorId, hasInsertions: has };
}
