import { and, count, desc, eq, gte, inArray, sql, sum } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { editionLinks, editionRecipients, editionSums } from '~/db/schema/newsletter';
import { DELIVERY_STATES, type DeliveryState } from '~/db/values/editions';
import { EDITING_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';
import { hasUnsubscribed } from '../audience/queries';
import type { EditionRow } from './queries';
import { type BounceReason, groupBounces, type Tally } from './rules';

/** `unsubscribed`: recipients who have left the list since it was sent. `bounces`: of bounced and failed emails, most first. */
export type EditionCounts = {
  opens: number;
  tally: Tally;
  unsubscribed: number;
  bounces: { reason: BounceReason; count: number }[];
  links: { position: number; href: string; clicks: number }[];
};

/** The results of an edition. */
export async function countsOf(ctx: Ctx, row: EditionRow): Promise<EditionCounts> {
  const [tally, unsubscribed, links, bounces] = await Promise.all([
    tallyOf(ctx, row.id),
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
    .where(and(eq(editionRecipients.editionId, id), sql`${editionRecipients.state} in ('bounced', 'failed')`))
    .groupBy(status)
    .orderBy(desc(count()))
    .limit(STATUS_CODES);
  return groupBounces(rows);
}

/**
 * From those who have left since, each looked up among the recipients: reading the recipients would take a second for a
 * long list, and statistics know nothing of an edition that was just sent.
 */
async function countLeft({ db }: Ctx, { id, creatorId, startedAt }: EditionRow): Promise<number> {
  if (startedAt === null) return 0;
  const { contactId, editionId } = editionRecipients;
  const received = db
    .select({ contactId })
    .from(editionRecipients)
    .where(and(eq(editionId, id), eq(contactId, contacts.id)))
    .limit(1)
    .as('received');
  const [row] = await db
    .select({ count: count() })
    .from(contacts)
    .crossJoinLateral(received)
    .where(and(eq(contacts.creatorId, creatorId), hasUnsubscribed(), gte(contacts.statusAt, startedAt)));
  return row?.count ?? 0;
}

const listLinks = ({ db }: Ctx, id: number) =>
  db
    .select({ position: editionLinks.position, href: editionLinks.href, clicks: editionLinks.clicks })
    .from(editionLinks)
    .where(eq(editionLinks.editionId, id))
    .orderBy(desc(editionLinks.clicks), editionLinks.position)
    .limit(EDITING_LIMITS.shownLinks);

const tallyOf = async (ctx: Ctx, id: number): Promise<Tally> => toTally(await sumEmails(ctx, [id]));

/** From the sums of one edition. */
export function toTally(rows: { state: DeliveryState; emails: number }[]): Tally {
  const inState = (state: DeliveryState) =>
    rows.filter((row) => row.state === state).reduce((total, { emails }) => total + emails, 0);
  return Object.fromEntries(DELIVERY_STATES.map((state) => [state, inState(state)])) as Tally;
}

/** How many emails of some editions are in each state, and why they were skipped. */
export const sumEmails = ({ db }: Pick<Ctx, 'db'>, ids: number[]) =>
  db
    .select({
      editionId: editionSums.editionId,
      state: editionSums.state,
      reason: editionSums.reason,
      emails: sum(editionSums.emails).mapWith(Number),
    })
    .from(editionSums)
    .where(inArray(editionSums.editionId, ids))
    .groupBy(editionSums.editionId, editionSums.state, editionSums.reason);
