import { and, eq, gt, lte, ne, or } from 'drizzle-orm';
import { sendingDomains } from '~/db/schema/sending-domains';
import { AppError } from '../../base/errors';
import type { DomainState } from '../../base/sending-records';
import { earlier } from '../../base/time';
import { DOMAIN_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { checkDomain } from '../../queue/jobs/newsletter';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { type DomainAnswers, isUnanswered, nextState, readRecords } from '../../sending-domains/read-records';
import { dkimHost, dmarcHosts, returnPathHost } from '../../sending-domains/wanted-records';
import { recordActivity } from '../team/activity';
import { domainNotFound, domainTaken } from './errors';
import type { FindSendingDomain } from './schema';
import { type DomainRow, factsOf, findDomainRow } from './sending-domains';
import { tellOfLostDomain } from './tell-of-domain';

/** `isUnanswered`: DNS gave no answer about a record, so that its former reading and the state stay. */
export type CheckedDomain = { state: DomainState; isUnanswered: boolean };

/**
 * Looks the records of a domain up, and uses it or stops using it accordingly.
 * @throws newsletter.domain_not_found, newsletter.domain_taken if another creator has verified it
 */
export async function checkSendingDomain(ctx: Ctx, { id }: FindSendingDomain): Promise<CheckedDomain> {
  const { id: creatorId } = authorize(ctx, 'creator.manageDomains', currentCreator(ctx));
  return check(ctx, await findDomainRow(ctx, { creatorId, id }));
}

/** The job: checks one domain. One that was removed meanwhile, or that another creator has, changes nothing. */
export async function recheckDomain(ctx: Ctx, { domainId }: { domainId: number }): Promise<void> {
  const [row] = await ctx.db.select().from(sendingDomains).where(eq(sendingDomains.id, domainId));
  if (!row) return;
  await check(ctx, row).catch((error) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/** The job: enqueues checks of domains that were not checked for a day. Forgotten ones are left alone after two weeks. */
export async function recheckDomains(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const isAwaited = or(
    ne(sendingDomains.state, 'pending'),
    gt(sendingDomains.updatedAt, earlier(now, DOMAIN_LIMITS.pendingFor)),
  );
  await transact(ctx, async (tx) => {
    const due = await tx.db
      .select({ domainId: sendingDomains.id })
      .from(sendingDomains)
      .where(and(lte(sendingDomains.askedAt, earlier(now, DOMAIN_LIMITS.checkEvery)), isAwaited))
      .orderBy(sendingDomains.askedAt)
      .limit(DOMAIN_LIMITS.batch);
    await tx.jobs.enqueueAll(checkDomain, due);
  });
}

async function check(ctx: Ctx, row: DomainRow): Promise<CheckedDomain> {
  const answers = await lookUpRecords(ctx, row);
  await ctx.reach('domain.looked');
  try {
    return await transact(ctx, (tx) => recordAnswers(tx, row, answers, true));
  } catch (error) {
    if (!violates(error, 'sending_domains_verified_once')) throw error;
    await transact(ctx, (tx) => recordAnswers(tx, row, answers, false));
    throw domainTaken({ domain: row.domain });
  }
}

async function lookUpRecords({ ports: { dns } }: Ctx, row: DomainRow): Promise<DomainAnswers> {
  const policies = dmarcHosts(row.domain).map(async (host) => ({
    domain: host.replace('_dmarc.', ''),
    texts: await dns.texts(host),
  }));
  const [dkim, returnPath, ...dmarc] = await Promise.all([
    dns.texts(dkimHost(row)),
    dns.aliases(returnPathHost(row.domain)),
    ...policies,
  ]);
  return { dkim, returnPath, dmarc };
}

/** Of several checks at once, each writes what it has found; the owner is told by the one that changes the state. */
async function recordAnswers(
  tx: TxCtx,
  { id, creatorId, domain }: DomainRow,
  answers: DomainAnswers,
  mayVerify: boolean,
): Promise<CheckedDomain> {
  const [row] = await tx.db.select().from(sendingDomains).where(eq(sendingDomains.id, id)).for('update');
  if (!row) throw domainNotFound();
  const now = tx.now();
  const readings = readRecords(factsOf(tx, row), answers, row.readings);
  const next = nextState(row.state, readings);
  const state = next === 'verified' && !mayVerify ? row.state : next;
  const unanswered = isUnanswered(answers);
  const isVerified = state === 'verified' && row.state !== 'verified';
  await tx.db
    .update(sendingDomains)
    .set({
      ...{ readings, state, askedAt: now, isUnanswered: unanswered },
      ...(!unanswered && { checkedAt: now }),
      ...(isVerified && { verifiedAt: now }),
    })
    .where(eq(sendingDomains.id, id));
  if (isVerified)
    await recordActivity(tx, { creatorId, action: 'newsletter.domain_verified', params: { name: domain } });
  if (state === 'lost' && row.state === 'verified') await tellOfLostDomain(tx, row);
  return { state, isUnanswered: unanswered };
}
