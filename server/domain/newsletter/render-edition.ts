import { and, eq, inArray } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { episodes } from '~/db/schema/episodes';
import { editionLinks } from '~/db/schema/newsletter';
import { products } from '~/db/schema/products';
import type { Language } from '~/locales/languages';
import { donationPath } from '../../base/account-paths';
import { MINUTES } from '../../base/time';
import { addressesOf } from '../../edition/find-problems';
import { type Edition, type EpisodeCard, editionWords } from '../../edition/model';
import { readBlocks } from '../../edition/read-blocks';
import { whereEpisodeOffered } from '../../policy/visibility';
import type { Ctx } from '../../runtime/ctx';
import { type CreatorRow, findCreatorRecord } from '../creators/queries';
import { brandOf, takesDonations } from '../creators/rules';
import { emailPicture } from '../media/email-pictures';
import { coverUrls } from '../media/rules';
import { clickUrl, editionUrl, openUrl } from './edition-urls';
import { lookupNewsletter, type NewsletterRow } from './newsletter-settings';
import type { EditionRow } from './queries';

/** What a rendering needs of an edition. */
export type RenderableRow = Pick<
  EditionRow,
  'id' | 'creatorId' | 'title' | 'preheader' | 'content' | 'slug' | 'startedAt'
> & {
  /** Of a step; undefined for a welcome. */
  automationId?: number | null;
};
export type Rendered = { edition: Edition; creator: CreatorRow; newsletter: NewsletterRow | null };

/**
 * Everything that an edition's renderings need. `counts`: whether links count clicks, as in emails that are sent.
 * `isEmail`: logo and covers are JPEGs, which are made now if they are missing, so not within a transaction. Before the
 * settings are defined, the creator's name stands for that of the publication.
 */
export async function toRenderable(
  ctx: Ctx,
  row: RenderableRow,
  { counts, unsubscribe, isEmail = false }: { counts: boolean; unsubscribe: string; isEmail?: boolean },
): Promise<Rendered> {
  const [creator, newsletter] = await Promise.all([
    findCreatorRecord(ctx, row.creatorId),
    lookupNewsletter(ctx, row.creatorId),
  ]);
  const blocks = readBlocks(row.content);
  const language: Language = newsletter?.language === 'es' ? 'es' : 'en';
  const positions = counts
    ? new Map((await linkRows(ctx, row.id)).map(({ href, position }) => [href, position]))
    : null;
  const page = ctx.urls.creator(creator.domain);
  const view = editionUrl(ctx, creator.domain, row.startedAt === null ? null : row.slug);
  const pictureOf = async (base: string) =>
    ctx.urls.media(isEmail ? await emailPicture(ctx, base) : coverUrls(base).webp[320]);
  const brand = brandOf(creator);
  const edition: Edition = {
    language: newsletter?.language ?? language,
    title: row.title,
    preheader: row.preheader,
    blocks,
    publication: {
      name: newsletter?.name ?? creator.name,
      header: newsletter?.header ?? '',
      footer: newsletter?.footer ?? '',
      ...(newsletter?.logoKey && { logo: await pictureOf(newsletter.logoKey) }),
      colours: brand ? { button: brand.button, buttonText: brand.text } : DEFAULT_COLOURS,
    },
    links: {
      // only editions have a page
      view: row.automationId === null ? view : null,
      unsubscribe,
      share: view,
      subscribe: page,
      donate: takesDonations(creator, ctx.settings) ? ctx.urls.app(donationPath(creator.id)) : null,
      ...(counts && { pixel: openUrl(ctx, row.id) }),
      click: (href) => {
        const position = positions?.get(href);
        return position === undefined ? href : clickUrl(ctx, row.id, position);
      },
      picture: (src) => ctx.urls.media(src),
    },
    episodes: await cardsOf(ctx, row, pictureOf),
    isTracked: false,
    words: editionWords((key) => ctx.translate(key, undefined, language)),
  };
  return { edition, creator, newsletter };
}

/** Addresses whose clicks are counted, each once: those in the text, and the pages of episodes with a card. */
export async function countedLinks(ctx: Ctx, row: RenderableRow): Promise<string[]> {
  const { edition } = await toRenderable(ctx, row, { counts: false, unsubscribe: '' });
  const cards = [...edition.episodes.values()].map(({ href }) => href);
  return [...new Set([...addressesOf(edition.blocks), ...cards])];
}

/** Those of creators who have chosen none: the platform's. */
const DEFAULT_COLOURS = { button: '#C93A27', buttonText: '#FFFFFF' };

const linkRows = ({ db }: Ctx, editionId: number) =>
  db
    .select({ href: editionLinks.href, position: editionLinks.position })
    .from(editionLinks)
    .where(eq(editionLinks.editionId, editionId))
    .orderBy(editionLinks.position);

/** Episodes of other creators, and those that are gone, have no card. */
async function cardsOf(
  { db, urls }: Ctx,
  { creatorId, content }: RenderableRow,
  pictureOf: (base: string) => Promise<string>,
): Promise<Map<number, EpisodeCard>> {
  const ids = readBlocks(content).flatMap((block) => (block.kind === 'episode' ? [block.id] : []));
  if (ids.length === 0) return new Map();
  const isShown = and(eq(episodes.creatorId, creatorId), eq(episodes.status, 'published'), whereEpisodeOffered());
  const rows = await db
    .select({
      id: episodes.id,
      title: episodes.name,
      slug: episodes.slug,
      durationMs: episodes.durationMs,
      coverKey: episodes.coverKey,
      show: products.name,
      showSlug: products.slug,
      showCover: products.coverKey,
      domain: creators.domain,
    })
    .from(episodes)
    .innerJoin(products, eq(products.id, episodes.productId))
    .innerJoin(creators, eq(creators.id, episodes.creatorId))
    .where(and(inArray(episodes.id, ids), isShown))
    .orderBy(episodes.id);
  // cards of one show share a cover
  const bases = [...new Set(rows.map(({ coverKey, showCover }) => coverKey ?? showCover))];
  const covers = new Map(
    await Promise.all(bases.map(async (base) => [base, base && (await pictureOf(base))] as const)),
  );
  const cards = rows.map(({ id, title, show, ...row }): [number, EpisodeCard] => {
    const cover = covers.get(row.coverKey ?? row.showCover) ?? null;
    const minutes = row.durationMs === null ? null : Math.max(1, Math.round(row.durationMs / MINUTES(1)));
    const href = urls.episode(row.domain, row.showSlug, row.slug);
    return [id, { title, show, cover, minutes, href }];
  });
  return new Map(cards);
}
