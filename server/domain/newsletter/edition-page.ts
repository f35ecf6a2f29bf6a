import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import { editions } from '~/db/schema/newsletter';
import { renderWeb, withFallbacks } from '../../edition/render-web';
import { EDITING_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { lookupCreatorByDomain } from '../creators/queries';
import { type CoverUrls, coverUrls } from '../media/rules';
import { isOfBuyers } from './edition-audience';
import { findReader } from './edition-reader';
import { editionNotFound } from './errors';
import { lookupNewsletter } from './newsletter-settings';
import { type EditionRow, isOrdinary } from './queries';
import { toRenderable } from './render-edition';
import type { FindArchive, FindArchived } from './schema';

/** An edition in the list of the archive. `startedAt`: when it was sent. */
export type ArchivedItem = { slug: string; title: string; description: string; startedAt: Date };
/** `after`: the cursor of the next page, in milliseconds; null at the end. */
export type Archive = {
  name: string;
  description: string;
  language: string;
  logo: CoverUrls | null;
  items: ArchivedItem[];
  after: number | null;
};

/** The editions that a creator's archive shows, the latest first. @throws newsletter.edition_not_found without any */
export async function findArchive(ctx: Ctx, { domain, after }: FindArchive): Promise<Archive> {
  const creatorId = await findPublisher(ctx, domain);
  const newsletter = await lookupNewsletter(ctx, creatorId);
  const rows = await ctx.db
    .select()
    .from(editions)
    .where(and(isArchived(creatorId), after === undefined ? undefined : lt(editions.startedAt, new Date(after))))
    .orderBy(desc(editions.startedAt))
    .limit(EDITING_LIMITS.archivePage + 1);
  if (!newsletter || (rows.length === 0 && after === undefined)) throw editionNotFound();
  const shown = rows.slice(0, EDITING_LIMITS.archivePage);
  const { name, description, language, logoKey } = newsletter;
  const isMore = rows.length > shown.length;
  return {
    name,
    description,
    language,
    logo: logoKey === null ? null : coverUrls(logoKey),
    items: shown.map(toItem),
    after: isMore ? shown.at(-1)!.startedAt!.getTime() : null,
  };
}

/** `html`: without scripts and styles; the part for everyone, unless the visitor may read all. */
export type ArchivedEdition = ArchivedItem & {
  name: string;
  language: string;
  html: string;
  seoTitle: string;
  preheader: string;
  seoDescription: string;
  isInArchive: boolean;
  /** Whether emails of this newsletter already reach the visitor. */
  getsNewsletter: boolean;
  /** The editions in the archive before and after it. */
  earlier: Neighbour | null;
  later: Neighbour | null;
};
type Neighbour = Pick<ArchivedItem, 'slug' | 'title'>;

/**
 * An edition on the web, as the link in the email shows it: the part for everyone, or all of it for a user who pays. Editions
 * that the archive leaves out can be read by those who have the link. @throws newsletter.edition_not_found
 */
export async function findArchived(ctx: Ctx, { domain, slug }: FindArchived): Promise<ArchivedEdition> {
  const creatorId = await findPublisher(ctx, domain);
  const isSent = and(
    eq(editions.creatorId, creatorId),
    eq(editions.slug, slug),
    sql`${editions.startedAt} is not null`,
    isOrdinary(),
  );
  const [row] = await ctx.db.select().from(editions).where(isSent);
  if (!row) throw editionNotFound();
  const { edition } = await toRenderable(ctx, row, { counts: false, unsubscribe: '' });
  const isUndivided = edition.blocks.every(({ kind }) => kind !== 'free_end');
  const isClosed = isUndivided && (await isOfBuyers(ctx, creatorId, row.audience));
  const { readsAll, getsNewsletter } = await findReader(ctx, row, isClosed);
  const blocks = isClosed ? [FREE_END, ...edition.blocks] : edition.blocks;
  const { name } = edition.publication;
  const { seoTitle, seoDescription, isInArchive } = row;
  const preheader = withFallbacks(row.preheader);
  const { language } = edition;
  return {
    ...toItem(row),
    name,
    language,
    html: renderWeb({ ...edition, blocks }, readsAll ? 'paid' : 'free'),
    seoTitle,
    seoDescription,
    preheader,
    isInArchive,
    getsNewsletter,
    ...(await findNeighbours(ctx, row)),
  };
}

async function findNeighbours({ db }: Ctx, { creatorId, startedAt }: EditionRow) {
  const nearest = (side: SQL, order: SQL) =>
    db
      .select({ slug: editions.slug, title: editions.title })
      .from(editions)
      .where(and(isArchived(creatorId), side))
      .orderBy(order)
      .limit(1);
  const [before, after] = await Promise.all([
    nearest(lt(editions.startedAt, startedAt!), desc(editions.startedAt)),
    nearest(gt(editions.startedAt, startedAt!), asc(editions.startedAt)),
  ]);
  const toNeighbour = ([row]: typeof before): Neighbour | null =>
    row ? { slug: row.slug!, title: withFallbacks(row.title) } : null;
  return { earlier: toNeighbour(before), later: toNeighbour(after) };
}

const FREE_END = { kind: 'free_end' } as const;

function toItem({ slug, title, description, startedAt }: EditionRow): ArchivedItem {
  return { slug: slug!, title: withFallbacks(title), description, startedAt: startedAt! };
}

/** Literal, so that the partial index is used. */
const isArchived = (creatorId: number): SQL | undefined =>
  and(
    eq(editions.creatorId, creatorId),
    isOrdinary(),
    sql`${editions.startedAt} is not null and ${editions.isInArchive}`,
  );

/** Neither closed nor taken down. @throws newsletter.edition_not_found */
async function findPublisher(ctx: Ctx, domain: string): Promise<number> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator || creator.closedAt || creator.takenDownAt) throw editionNotFound();
  return creator.id;
}
