import { and, eq, sql } from 'drizzle-orm';
import { editions } from '~/db/schema/newsletter';
import type { EditionAudience, EditionState } from '~/db/values/editions';
import type { Page } from '../../base/paging';
import { EDITING_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { countEmailsLeft } from '../plans/quotas';
import { countReached, countsVisibleTo, tellsBuyers } from './edition-audience';
import { countsOf, type EditionCounts, sumEmails, toTally } from './edition-counts';
import { freeEditionSlug } from './edition-slugs';
import { editionUrl } from './edition-urls';
import { lookupNewsletter } from './newsletter-settings';
import { type EditionRow, findEditionRow, isOrdinary } from './queries';
import { isOpen, isTooLate, mayResume, sentPart, type Tally } from './rules';
import type { FindEdition, FindReach, ListEditions } from './schema';

/**
 * `isLate`: it was to be sent hours ago, and its creator is asked whether it still shall be. `recipients`: null if the
 * number tells how many people pay, and the user may not know that. `partly`: how many of its emails have left, if it was
 * cancelled or stopped before all had; null like `recipients`.
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
  partly: { done: number; of: number } | null;
};
export type EditionPage = Page<EditionItem> & { isDefined: boolean };

/**
 * The editions of the creator for whom the user works: those to come by their time, then drafts, the last changed first,
 * then those that were sent, the latest first.
 */
export async function listEditions(
  ctx: Ctx,
  { page, pageSize = EDITING_LIMITS.pageSize }: ListEditions,
): Promise<EditionPage> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const where = and(eq(editions.creatorId, creatorId), isOrdinary());
  const [rows, total, newsletter] = await Promise.all([
    ctx.db
      .select()
      .from(editions)
      .where(where)
      .orderBy(...LISTED)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    ctx.db.$count(editions, where),
    lookupNewsletter(ctx, creatorId),
  ]);
  const isVisible = await countsVisibleTo(ctx, creatorId);
  const halted = rows.filter(({ status }) => mayResume(status)).map(({ id }) => id);
  const sums = halted.length > 0 ? await sumEmails(ctx, halted) : [];
  const items = rows.map((row) => {
    const tally = toTally(sums.filter(({ editionId }) => editionId === row.id));
    return toItem(row, { now: ctx.now(), hasCounts: isVisible(row.audience), tally });
  });
  return { items, total, page, pageSize, isDefined: newsletter !== null };
}

/** As the index `editions_listed` has it. */
const LISTED = [
  sql`${editions.startedAt} desc nulls first`,
  sql`${editions.scheduledAt} asc nulls last`,
  sql`${editions.updatedAt} desc`,
  sql`${editions.id} desc`,
];

type Known = { now: Date; hasCounts: boolean; tally: Tally | null };

function toItem(row: EditionRow, { now, hasCounts, tally }: Known): EditionItem {
  const { id, title, status, scheduledAt, startedAt, updatedAt } = row;
  const recipients = hasCounts ? row.recipients : null;
  const isLate = status === 'scheduled' && scheduledAt !== null && isTooLate(scheduledAt, now);
  const partly = hasCounts && tally && mayResume(status) ? sentPart(tally) : null;
  return { id, title, status, scheduledAt, startedAt, updatedAt, recipients, isLate, partly };
}

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
    ...toItem(row, { now: ctx.now(), hasCounts: isVisible, tally: counts?.tally ?? null }),
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
