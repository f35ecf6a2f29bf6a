import { and, eq, gt, lt } from 'drizzle-orm';
import { dmarcReports } from '~/db/schema/newsletter';
import { DAYS, earlier } from '../../base/time';
import type { DmarcReport } from '../../bounces/dmarc-report';
import { INBOUND_LIMITS } from '../../limits/newsletter';
import type { Ctx } from '../../runtime/ctx';

/**
 * Keeps a report about a domain that emails leave from here, each once. Anyone can send reports, so a domain has a
 * limited number of them a day. @returns whether it is about such a domain
 */
export async function recordDmarcReport(ctx: Ctx, report: DmarcReport): Promise<boolean> {
  const { db, now } = ctx;
  if (!isSendingDomain(ctx, report.domain)) return false;
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

/** The domain of our senders, or one above it, whose policy covers it. */
function isSendingDomain({ ports }: Ctx, domain: string): boolean {
  const own = ports.mail.domain.toLowerCase();
  return own === domain || own.endsWith(`.${domain}`);
}

/** Deletes reports that no page shows any more. */
export async function sweepDmarcReports({ db, now }: Ctx): Promise<void> {
  await db.delete(dmarcReports).where(lt(dmarcReports.createdAt, earlier(now(), INBOUND_LIMITS.dmarcKept)));
}
