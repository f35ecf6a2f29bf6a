import { and, asc, count, desc, eq, gte, inArray, isNull, lte, ne, type SQL, sql, sum } from 'drizzle-orm';
import { contacts } from '~/db/schema/audience';
import { automationEnrolments, automations } from '~/db/schema/automations';
import { editionLinks, editionRecipients, editions } from '~/db/schema/newsletter';
import { products } from '~/db/schema/products';
import { type AutomationTrigger, SKIP_REASONS, type SkipReason } from '~/db/values/automations';
import type { EditionState } from '~/db/values/editions';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize, may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { hasUnsubscribed } from '../audience/queries';
import { sumEmails } from './edition-counts';
import { automationNotFound } from './errors';
import { lookupNewsletter } from './newsletter-settings';
import { type EditionRow, isStepOf } from './queries';
import type { FindAutomation } from './schema';

/** `show`: the name of the one that it is about. `enrolled`: null if it tells how many people pay. */
export type AutomationItem = {
  id: number;
  name: string;
  trigger: AutomationTrigger;
  show: string | null;
  isActive: boolean;
  /** Whether it is on, but one of its emails was stopped by bounces or complaints: nobody is enrolled meanwhile. */
  isStopped: boolean;
  steps: number;
  enrolled: number | null;
};
/** `mayReadBuyers`: automations about payments can be created. */
export type AutomationList = { items: AutomationItem[]; isDefined: boolean; mayReadBuyers: boolean };

/** The automations of the creator for whom the user works, the latest first. */
export async function listAutomations(ctx: Ctx): Promise<AutomationList> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const mayReadBuyers = may(ctx, 'product.readBuyers', { creatorId });
  const newsletter = await lookupNewsletter(ctx, creatorId);
  const rows = await selectItems(ctx, eq(automations.creatorId, creatorId));
  const items = rows.map((row) => ({ ...row, enrolled: isShown(row, mayReadBuyers) ? row.enrolled : null }));
  return { items, isDefined: newsletter !== null, mayReadBuyers };
}

const isShown = ({ trigger }: Pick<AutomationItem, 'trigger'>, mayReadBuyers: boolean): boolean =>
  trigger === 'sign_up' || mayReadBuyers;

function selectItems({ db }: Ctx, where: SQL | undefined) {
  const { id, name, trigger, isActive } = automations;
  const counted = (from: SQL) => sql<number>`(select count(*)::int from ${from})`;
  return db
    .select({
      ...{ id, name, trigger, isActive },
      show: products.name,
      isStopped: sql<boolean>`(${isActive} and exists (select from ${editions}
        where ${editions.automationId} = ${automations.id} and ${editions.status} = 'stopped'))`,
      steps: counted(
        sql`${editions} where ${editions.automationId} = ${automations.id} and ${editions.removedAt} is null`,
      ),
      enrolled: counted(sql`${automationEnrolments} where ${automationEnrolments.automationId} = ${automations.id}`),
    })
    .from(automations)
    .leftJoin(products, eq(products.id, automations.productId))
    .where(and(where, isNull(automations.removedAt)))
    .orderBy(desc(automations.id))
    .limit(AUTOMATION_LIMITS.automations);
}

/** `skipped`: emails that were not sent, by the reason. `clicks`: approximate like `opens`, since scanners follow links. */
export type StepCounts = {
  waiting: number;
  sent: number;
  bounced: number;
  complained: number;
  failed: number;
  unknown: number;
  unsubscribed: number;
  opens: number;
  clicks: number;
  skipped: Record<SkipReason, number>;
};
export type StepView = {
  id: number;
  title: string;
  status: EditionState;
  delayHours: number;
  counts: StepCounts | null;
};
/**
 * `doublesWelcome`: the newsletter's own welcome email goes to the same people at the same time. `alike`: the names of
 * others that are on and that the same event starts.
 */
export type AutomationView = AutomationItem & {
  steps: number;
  emails: StepView[];
  doublesWelcome: boolean;
  alike: string[];
};

/** An automation with its emails in their order. @throws newsletter.automation_not_found */
export async function findAutomation(ctx: Ctx, { id }: FindAutomation): Promise<AutomationView> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const [row] = await selectItems(ctx, and(eq(automations.creatorId, creatorId), eq(automations.id, id)));
  if (!row) throw automationNotFound();
  const isVisible = isShown(row, may(ctx, 'product.readBuyers', { creatorId }));
  const steps = await ctx.db
    .select()
    .from(editions)
    .where(isStepOf(id))
    .orderBy(asc(editions.delayHours), asc(editions.id))
    .limit(AUTOMATION_LIMITS.steps);
  const counts = isVisible && steps.length > 0 ? await countSteps(ctx, steps) : null;
  const newsletter = await lookupNewsletter(ctx, creatorId);
  const greets = row.trigger === 'sign_up' && steps.some(({ delayHours }) => (delayHours ?? 0) < WELCOME_HOURS);
  return {
    ...row,
    enrolled: isVisible ? row.enrolled : null,
    doublesWelcome: greets && newsletter?.sendsWelcome === true,
    alike: await namesAlike(ctx, creatorId, row),
    emails: steps.map(({ id: stepId, title, status, delayHours }) => ({
      ...{ id: stepId, title, status },
      delayHours: delayHours ?? 0,
      counts: counts?.(stepId) ?? null,
    })),
  };
}

/** An automation without a show is started by the events of all shows. */
async function namesAlike(ctx: Ctx, creatorId: number, { id, trigger, show }: AutomationItem): Promise<string[]> {
  const isAlike = and(eq(automations.creatorId, creatorId), eq(automations.trigger, trigger), ne(automations.id, id));
  const rows = await selectItems(ctx, and(isAlike, eq(automations.isActive, true)));
  return rows.filter((row) => show === null || row.show === null || row.show === show).map(({ name }) => name);
}

const WELCOME_HOURS = 1;

/** One query for each kind of number, for all steps. */
async function countSteps(ctx: Ctx, steps: EditionRow[]): Promise<(id: number) => StepCounts> {
  const ids = steps.map(({ id }) => id);
  const since = steps.reduce<Date | null>((first, { startedAt }) => earliest(first, startedAt), null);
  const [states, clicked, left] = await Promise.all([
    sumEmails(ctx, ids),
    ctx.db
      .select({ editionId: editionLinks.editionId, clicks: sum(editionLinks.clicks).mapWith(Number) })
      .from(editionLinks)
      .where(inArray(editionLinks.editionId, ids))
      .groupBy(editionLinks.editionId),
    since ? countLeft(ctx, { ids, creatorId: steps[0]!.creatorId, since }) : [],
  ]);
  return (id) => {
    const own = states.filter((row) => row.editionId === id);
    const inState = (...wanted: string[]) => total(own.filter((row) => wanted.includes(row.state)));
    const skippedFor = (reason: SkipReason) => total(own.filter((row) => row.reason === reason));
    return {
      waiting: inState('waiting', 'leased'),
      sent: inState('sent'),
      bounced: inState('bounced'),
      complained: inState('complained'),
      failed: inState('failed'),
      unknown: inState('unknown'),
      unsubscribed: left.find((row) => row.editionId === id)?.count ?? 0,
      opens: steps.find((step) => step.id === id)?.opens ?? 0,
      clicks: clicked.find((row) => row.editionId === id)?.clicks ?? 0,
      skipped: Object.fromEntries(SKIP_REASONS.map((reason) => [reason, skippedFor(reason)])) as Record<
        SkipReason,
        number
      >,
    };
  };
}

const total = (rows: { emails: number }[]): number => rows.reduce((sum, row) => sum + row.emails, 0);

const earliest = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b < a) ? b : a);

/** Who has left after an email of a step: from them, as for editions, because its recipients are many. */
function countLeft({ db }: Ctx, { ids, creatorId, since }: { ids: number[]; creatorId: number; since: Date }) {
  const { editionId, contactId, state, settledAt } = editionRecipients;
  const received = db
    .select({ editionId })
    .from(editionRecipients)
    .where(
      and(eq(contactId, contacts.id), inArray(editionId, ids), eq(state, 'sent'), lte(settledAt, contacts.statusAt)),
    )
    .limit(AUTOMATION_LIMITS.steps)
    .as('received');
  return db
    .select({ editionId: received.editionId, count: count() })
    .from(contacts)
    .crossJoinLateral(received)
    .where(and(eq(contacts.creatorId, creatorId), hasUnsubscribed(), gte(contacts.statusAt, since)))
    .groupBy(received.editionId);
}
