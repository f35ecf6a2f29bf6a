import { and, count, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { editionLinks, editionRecipients, editions } from '~/db/schema/newsletter';
import { DELIVERY_STATES, type EditionAudience, type EditionState } from '~/db/values/editions';
import type { Page } from '../../base/paging';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { countEmailsLeft } from '../plans/quotas';
import { countReached, countsVisibleTo, tellsBuyers } from './edition-audience';
import { freeEditionSlug } from './edition-slugs';
import { editionUrl } from './edition-urls';
import { lookupNewsletter } from './newsletter-settings';
import { type EditionRow, findEditionRow, isOrdinary } from './queries';
import { type BounceReason, groupBounces, isOpen, isTooLate, mayResume, type Tally } from './rules';
import type { FindEdition, FindReach, ListEditions } from './schema';

/**
 * `isLate`: it was to be sent hours ago, and its creator is asked whether it still shall be. `recipients`: null if the
 * number tells how many people pay, and the user may not know that.
 */
export type EditionItem = {
  id: number;
  title: string;
  status: EditionState;
  scheduledAt: Date | null;
  startedAt: Date | null;
  updatedAt: Date;
  recipients: number | null;
  isLate: boolean;
};
export type EditionPage = Page<EditionItem> & { isDefined: boolean };

/** The editions of the creator for whom the user works, the latest first. */
export async function listEditions(ctx: Ctx, { page }: ListEditions): Promise<EditionPage> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const { pageSize } = EDITING_LIMITS;
  const where = and(eq(editions.creatorId, creatorId), isOrdinary());
  const [rows, total, newsletter] = await Promise.all([
    ctx.db
      .select()
      .from(editions)
      .where(where)
      .orderBy(desc(editions.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(editions, where),
    lookupNewsletter(ctx, creatorId),
  ]);
  const isVisible = await countsVisibleTo(ctx, creatorId);
  const items = rows.map((row) => toItem(row, ctx.now(), isVisible(row.audience)));
  return { items, total, page, pageSize, isDefined: newsletter !== null };
}

function toItem(row: EditionRow, now: Date, hasCounts: boolean): EditionItem {
  const { id, title, status, scheduledAt, startedAt, updatedAt } = row;
  const recipients = hasCounts ? row.recipients : null;
  const isLate = status === 'scheduled' && scheduledAt !== null && isTooLate(scheduledAt, now);
  return { id, title, status, scheduledAt, startedAt, updatedAt, recipients, isLate };
}

/** `unsubscribed`: recipients who have left the list since it was sent. `bounces`: of bounced and failed emails, most first. */
export type EditionCounts = {
  opens: number;
  tally: Tally;
  unsubscribed: number;
  bounces: { reason: BounceReason; count: number }[];
  links: { position: number; href: string; clicks: number }[];
};

/** `reach`: how many people get it now; null if the user may not know, because it tells who pays. */
export type EditionView = EditionItem & {
  slug: string | null;
  preheader: string;
  description: string;
  content: string;
  tags: string[];
  seoTitle: string;
  seoDescription: string;
  audience: EditionAudience;
  isInArchive: boolean;
  revision: number;
  problem: string | null;
  /** Of a step. */
  automationId: number | null;
  reach: number | null;
  /** Null like `recipients`. */
  counts: EditionCounts | null;
  /** In the archive; null before it is sent. */
  url: string | null;
  /** What the address begins with, and the slug that follows from the title while none is chosen. */
  address: { base: string; proposed: string };
  /** Whether the user may send it to the rest of its recipients, and how many wait. */
  resumable: number | null;
};

/** @throws newsletter.edition_not_found */
export async function findEdition(ctx: Ctx, { id }: FindEdition): Promise<EditionView> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const row = await findEditionRow(ctx, { creatorId, id });
  // of a step, its automation has the counts
  const isVisible = row.automationId === null && (await countsVisibleTo(ctx, creatorId))(row.audience);
  const [reach, counts, creator, proposed] = await Promise.all([
    isOpen(row.status) && row.automationId === null ? reachOf(ctx, row) : null,
    isVisible ? countsOf(ctx, row) : null,
    findCreator(ctx, creatorId),
    isOpen(row.status) ? freeEditionSlug(ctx, row) : (row.slug ?? ''),
  ]);
  const { slug, preheader, description, content, tags, seoTitle, seoDescription, audience } = row;
  const { isInArchive, revision, problem, automationId } = row;
  return {
    ...toItem(row, ctx.now(), isVisible),
    ...{ slug, preheader, description, content, tags, seoTitle, seoDescription, audience },
    ...{ isInArchive, revision, problem, automationId, reach, counts },
    url: row.startedAt === null || slug === null ? null : editionUrl(ctx, creator.domain, slug),
    address: { base: `${editionUrl(ctx, creator.domain, null)}/`, proposed },
    resumable:
      counts && mayResume(row.status) && may(ctx, 'creator.resumeEdition', { id: creatorId })
        ? waitingOf(counts)
        : null,
  };
}

/** How many people an audience has now; null if the user may not know. */
export async function findReach(ctx: Ctx, { audience }: FindReach): Promise<{ reach: number | null }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  return { reach: await reachOf(ctx, { creatorId, audience }) };
}

/** Which revision is stored, for a form that is open in two windows. @throws newsletter.edition_not_found */
export async function findRevision(ctx: Ctx, { id }: FindEdition): Promise<{ revision: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const { revision } = await findEditionRow(ctx, { creatorId, id });
  return { revision };
}

/** How many emails the plan has left this month; null without a limit. */
export async function findEmailsLeft(ctx: Ctx): Promise<{ left: number; of: number } | null> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  return countEmailsLeft(ctx, creatorId);
}

const waitingOf = ({ tally }: EditionCounts): number => tally.waiting + tally.leased;

type Reached = { creatorId: number; audience: EditionAudience };
async function reachOf(ctx: Ctx, { creatorId, audience }: Reached): Promise<number | null> {
  const isHidden = (await tellsBuyers(ctx, creatorId, audience)) && !may(ctx, 'product.readBuyers', { creatorId });
  return isHidden ? null : countReached(ctx, creatorId, audience);
}

async function countsOf(ctx: Ctx, row: EditionRow): Promise<EditionCounts> {
  const [tally, unsubscribed, links, bounces] = await Promise.all([
    tallyOf(ctx, eq(editionRecipients.editionId, row.id)),
    countLeft(ctx, row),
    listLinks(ctx, row.id),
    listBounces(ctx, row.id),
  ]);
  return { opens: row.opens, tally, unsubscribed, bounces, links };
}

/** Status codes are few, but a server may answer anything. */
const STATUS_CODES = 100;

async function listBounces({ db }: Ctx, id: number): Promise<EditionCounts['bounces']> {
  const status = sql<string | null>`substring(${editionRecipients.answer} from '\\m[245]\\.\\d{1,3}\\.\\d{1,3}\\M')`;
  const rows = await db
    .select({ status, count: count() })
    .from(editionRecipients)
    .where(and(eq(editionRecipients.editionId, id), inArray(editionRecipients.state, ['bounced', 'failed'])))
    .groupBy(status)
    .orderBy(desc(count()))
    .limit(STATUS_CODES);
  return groupBounces(rows);
}

async function countLeft({ db }: Ctx, { id, startedAt }: EditionRow): Promise<number> {
  if (startedAt === null) return 0;
  const hasLeft = and(eq(contacts.inactiveAs, 'unsubscribed'), gte(contacts.statusAt, startedAt));
  const [row] = await db
    .select({ count: count() })
    .from(editionRecipients)
    .innerJoin(contacts, eq(contacts.id, editionRecipients.contactId))
    .where(and(eq(editionRecipients.editionId, id), hasLeft));
  return row?.count ?? 0;
}

const listLinks = ({ db }: Ctx, id: number) =>
  db
    .select({ position: editionLinks.position, href: editionLinks.href, clicks: editionLinks.clicks })
    .from(editionLinks)
    .where(eq(editionLinks.editionId, id))
    .orderBy(desc(editionLinks.clicks), editionLinks.position)
    .limit(EDITING_LIMITS.shownLinks);

/** How many emails of an edition are in each state. */
export async function tallyOf({ db }: Pick<Ctx, 'db'>, where: SQL | undefined): Promise<Tally> {
  const rows = await db
    .select({ state: editionRecipients.state, count: count() })
    .from(editionRecipients)
    .where(and(where, inArray(editionRecipients.state, DELIVERY_STATES)))
    .groupBy(editionRecipients.state);
  const none = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as Tally;
  return { ...none, ...Object.fromEntries(rows.map(({ state, count: number }) => [state, number])) };
}
