import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { contactSegments, contactTags } from '~/db/schema/audience';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { MINUTES } from '../../base/time';
import { type EditionWords, editionWords } from '../../edition/model';
import { CONTACT_LIMITS } from '../../limits/audience';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import { whereKept, whereProductVisible } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { isAboutBuyers } from '../audience/contact-filter';
import type { ContactFilter } from '../audience/schema';
import { findCreator } from '../creators/queries';
import { takesDonations } from '../creators/rules';
import { coverUrls } from '../media/rules';
import { lookupNewsletter } from './newsletter-settings';

/** `shows`: empty for those who may not see who pays. `episodes`: the latest published ones, for cards and drafts. */
export type EditionChoices = {
  shows: { slug: string; name: string; isPaid: boolean }[];
  tags: string[];
  segments: { id: number; name: string }[];
  episodes: { id: number; name: string; show: string; cover: string | null; minutes: number | null }[];
  /** Whether a button can ask for donations. */
  takesDonations: boolean;
  /** The usual texts of buttons and cards, in the language of the newsletter. */
  words: EditionWords;
};

/** What an edition's form offers. */
export async function editionChoices(ctx: Ctx): Promise<EditionChoices> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const readsBuyers = may(ctx, 'product.readBuyers', { creatorId });
  const [shows, tags, segments, latest, creator, newsletter] = await Promise.all([
    readsBuyers ? listShows(ctx, creatorId) : [],
    ctx.db
      .select({ name: contactTags.name })
      .from(contactTags)
      .where(eq(contactTags.creatorId, creatorId))
      .orderBy(asc(contactTags.name))
      .limit(CONTACT_LIMITS.tags),
    ctx.db
      .select({ id: contactSegments.id, name: contactSegments.name, filter: contactSegments.filter })
      .from(contactSegments)
      .where(eq(contactSegments.creatorId, creatorId))
      .orderBy(asc(contactSegments.name))
      .limit(CONTACT_LIMITS.segments),
    listEpisodes(ctx, creatorId),
    findCreator(ctx, creatorId),
    lookupNewsletter(ctx, creatorId),
  ]);
  const language = newsletter?.language === 'es' ? 'es' : 'en';
  const chosen = segments.filter(({ filter }) => readsBuyers || !isAboutBuyers(filter as ContactFilter));
  return {
    shows,
    tags: tags.map(({ name }) => name),
    segments: chosen.map(({ id, name }) => ({ id, name })),
    episodes: latest,
    takesDonations: takesDonations(creator, ctx.settings),
    words: editionWords((key) => ctx.translate(key, undefined, language)),
  };
}

async function listShows({ db }: Ctx, creatorId: number): Promise<EditionChoices['shows']> {
  const rows = await db
    .select({ slug: products.slug, name: products.name, price: products.priceMinor })
    .from(products)
    .where(and(eq(products.creatorId, creatorId), whereProductVisible()))
    .orderBy(asc(products.name))
    .limit(EDITING_LIMITS.shows);
  return rows.map(({ price, ...show }) => ({ ...show, isPaid: price !== null }));
}

async function listEpisodes({ db }: Ctx, creatorId: number): Promise<EditionChoices['episodes']> {
  const isPublished = and(eq(episodes.creatorId, creatorId), eq(episodes.status, 'published'), whereKept());
  const rows = await db
    .select({
      id: episodes.id,
      name: episodes.name,
      show: products.name,
      durationMs: episodes.durationMs,
      coverKey: sql<string | null>`coalesce(${episodes.coverKey}, ${products.coverKey})`,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .where(and(isPublished, whereProductVisible()))
    .orderBy(desc(episodes.releaseAt))
    .limit(EDITING_LIMITS.offeredEpisodes);
  return rows.map(({ coverKey, durationMs, ...episode }) => ({
    ...episode,
    cover: coverKey && coverUrls(coverKey).webp[320],
    minutes: durationMs === null ? null : Math.max(1, Math.round(durationMs / MINUTES(1))),
  }));
}
