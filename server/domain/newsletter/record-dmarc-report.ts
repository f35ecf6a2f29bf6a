import { and, eq, gt, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm';
import { dmarcReports, sendingDomains } from '~/db/schema/sending-domains';
import { DAYS, earlier } from '../../base/time';
import type { DmarcReport } from '../../bounces/dmarc-report';
import { INBOUND_LIMITS } from '../../limits/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';

/**
 * Keeps a report about a domain that emails leave from here, each once. Anyone can send reports, so a domain has a limited
 * number of them a day, and each reporter a part of it. A reporter is the domain that has signed the report, or a name that
 * anybody can use: reports under it take no place of signed ones. Once the day is full, a signed one takes the place of one that is
 * not, and reporters that have reported for longer take the places of newer ones.
 * @param signedBy the domain whose signature was verified @returns whether it was kept
 */
export async function recordDmarcReport(
  ctx: Ctx,
  report: DmarcReport,
  signedBy: string | null = null,
): Promise<boolean> {
  const { domain, org } = report;
  const reporter = { domain, org, signedBy };
  if (!(await isSendingDomain(ctx, domain))) return false;
  return transact(ctx, async (tx) => {
    const dayAgo = earlier(tx.now(), DAYS(1));
    const isRecent = and(eq(dmarcReports.domain, domain), gt(dmarcReports.createdAt, dayAgo));
    const ofReporter = await tx.db.$count(dmarcReports, and(isRecent, isReporter(reporter)));
    const isFull = (await tx.db.$count(dmarcReports, isRecent)) >= INBOUND_LIMITS.dmarcReports;
    if (ofReporter >= INBOUND_LIMITS.dmarcPerReporter || (isFull && !(await displaceNewer(tx, reporter, dayAgo)))) {
      tx.log.warn({ domain, org, signedBy }, 'too many DMARC reports');
      return false;
    }
    await tx.db
      .insert(dmarcReports)
      .values({ ...report, signedBy, createdAt: tx.now() })
      .onConflictDoNothing();
    return true;
  });
}

type Reporter = { domain: string; org: string; signedBy: string | null };

const isReporter = ({ org, signedBy }: Reporter) =>
  signedBy === null
    ? and(eq(dmarcReports.org, org), isNull(dmarcReports.signedBy))
    : eq(dmarcReports.signedBy, signedBy);

/**
 * Deletes the latest report of the reporter that came last, if that was after this one; unsigned reporters come after all signed
 * ones. @returns whether there was one
 */
async function displaceNewer(tx: TxCtx, { domain, org, signedBy }: Reporter, dayAgo: Date): Promise<boolean> {
  const rows = await tx.db.execute(sql`
    with reporters as (
      select signed_by is null as is_open, coalesce(signed_by, org) as name, min(created_at) as since
      from ${dmarcReports} where domain = ${domain} group by 1, 2
    ), own as (
      select ${signedBy === null}::boolean as is_open, coalesce((select since from reporters
        where is_open = ${signedBy === null}::boolean and name = ${signedBy ?? org}::text), 'infinity') as since
    )
    delete from ${dmarcReports} where id = (
      select r.id from ${dmarcReports} r
      join reporters on reporters.is_open = (r.signed_by is null) and reporters.name = coalesce(r.signed_by, r.org)
      where r.domain = ${domain} and r.created_at > ${dayAgo.toISOString()}::timestamptz
        and (reporters.is_open, reporters.since) > (select is_open, since from own)
      order by reporters.is_open desc, reporters.since desc, r.id desc limit 1)
    returning id`);
  return rows.length > 0;
}

/**
 * The domain of our senders, or one above it, whose policy covers it; or a creator's domain. A domain above a creator's
 * may belong to somebody else, whose emails are none of their business.
 */
async function isSendingDomain({ db, ports }: Ctx, domain: string): Promise<boolean> {
  const own = ports.mail.domain.toLowerCase();
  if (own === domain || own.endsWith(`.${domain}`)) return true;
  const isIts = and(eq(sendingDomains.domain, domain), eq(sendingDomains.state, 'verified'));
  return (await db.$count(sendingDomains, isIts)) > 0;
}

type Removed = { domain: string; state: string };

/** Deletes the reports about domains that were removed. Somebody else may have verified one meanwhile, and keeps them. */
export async function eraseReports({ db }: TxCtx, removed: Removed[]): Promise<void> {
  const names = removed.filter(({ state }) => state !== 'pending').map(({ domain }) => domain);
  if (names.length === 0) return;
  const kept = db
    .select({ domain: sendingDomains.domain })
    .from(sendingDomains)
    .where(and(inArray(sendingDomains.domain, names), eq(sendingDomains.state, 'verified')));
  await db.delete(dmarcReports).where(and(inArray(dmarcReports.domain, names), notInArray(dmarcReports.domain, kept)));
}

/** Deletes reports that no page shows any more. */
export async function sweepDmarcReports({ db, now }: Ctx): Promise<void> {
  await db.delete(dmarcReports).where(lt(dmarcReports.createdAt, earlier(now(), INBOUND_LIMITS.dmarcKept)));
}
