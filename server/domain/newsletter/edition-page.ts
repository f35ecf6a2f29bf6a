import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
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
import type { ArchivePlace, FindArchive, FindArchived } from './schema';

/** An edition in the list of the archive. `startedAt`: when it was sent. */
export type ArchivedItem = { slug: string; title: string; description: string; startedAt: Date };
/** `after`: the cursor of the next page; null at the end. */
export type Archive = {
  name: string;
  description: string;
  language: string;
  logo: CoverUrls | null;
  items: ArchivedItem[];
  after: string | null;
};

/** The editions that a creator's archive shows, the latest first. @throws newsletter.edition_not_found without any */
export async function findArchive(ctx: Ctx, { domain, after }: FindArchive): Promise<Archive> {
  const creatorId = await findPublisher(ctx, domain);
  const newsletter = await lookupNewsletter(ctx, creatorId);
  const rows = await ctx.db
    .select()
    .from(editions)
    .where(and(isArchived(creatorId), after && sql`${PLACE} < ${placeOf(after)}`))
    .orderBy(desc(editions.startedAt), desc(editions.id))
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
    after: isMore ? cursorOf(shown.at(-1)!) : null,
  };
}

/** Several editions may have started in one millisecond. */
const PLACE = sql`(${editions.startedAt}, ${editions.id})`;
const placeOf = ({ at, id }: ArchivePlace): SQL => sql`(${new Date(at).toISOString()}::timestamptz, ${id}::bigint)`;
const cursorOf = ({ startedAt, id }: EditionRow): string => `${startedAt!.getTime()}-${id}`;

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

async function findNeighbours({ db }: Ctx, { creatorId, startedAt, id }: EditionRow) {
  const place = placeOf({ at: startedAt!.getTime(), id });
  const nearest = (side: SQL, order: typeof asc) =>
    db
      .select({ slug: editions.slug, title: editions.title })
      .from(editions)
      .where(and(isArchived(creatorId), side))
      .orderBy(order(editions.startedAt), order(editions.id))
      .limit(1);
  const [before, after] = await Promise.all([
    nearest(sql`${PLACE} < ${place}`, desc),
    nearest(sql`${PLACE} > ${place}`, asc),
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
