import { and, eq, gt, inArray, lt, notInArray } from 'drizzle-orm';
import { dmarcReports, sendingDomains } from '~/db/schema/newsletter';
import { DAYS, earlier } from '../../base/time';
import type { DmarcReport } from '../../bounces/dmarc-report';
import { INBOUND_LIMITS } from '../../limits/newsletter';
import type { Ctx, TxCtx } from '../../runtime/ctx';

/**
 * Keeps a report about a domain that emails leave from here, each once. Anyone can send reports, so a domain has a
 * limited number of them a day. @returns whether it is about such a domain
 */
export async function recordDmarcReport(ctx: Ctx, report: DmarcReport): Promise<boolean> {
  const { db, now } = ctx;
  if (!(await isSendingDomain(ctx, report.domain))) return false;
  const isRecent = gt(dmarcReports.createdAt, earlier(now(), DAYS(1)));
  const recent = await db.$count(dmarcReports, and(eq(dmarcReports.domain, report.domain), isRecent));
  if (recent >= INBOUND_LIMITS.dmarcReports) {
    ctx.log.warn({ domain: report.domain }, 'too many DMARC reports');
    return false;
  }
  await db
    .insert(dmarcReports)
    .values({ ...report, createdAt: now() })
    .onConflictDoNothing();
  return true;
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
