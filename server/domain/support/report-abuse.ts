import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { abuseReports } from '~/db/schema/support';
import { OPERATOR_REPORTS_PATH } from '../../base/account-paths';
import { earlier } from '../../base/time';
import { REPORT_LIMITS } from '../../limits/support';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueEmail } from '../notifications/outbox';
import { type Reported, reportedPage } from '../pages/reported-page';
import { confirmReport, type ReportRow } from './decide-reports';
import { alreadyReported } from './errors';
import type { Report } from './schema';

/** The content that the form reports. @throws as reportedPage */
export async function viewReported(ctx: Ctx, { page }: Pick<Report, 'page'>): Promise<Pick<Reported, 'name' | 'url'>> {
  const { name, url } = await reportedPage(ctx, page);
  return { name, url };
}

/**
 * Stores a report, confirms it to the reporter, and tells the operator about the first report on an object.
 * @throws as reportedPage, report.already_open
 */
export async function reportAbuse(ctx: Ctx, { page, isInGoodFaith: _, ...report }: Report): Promise<void> {
  const reported = await reportedPage(ctx, page);
  const userId = ctx.actor.type === 'user' ? ctx.actor.userId : null;
  await transact(ctx, async (tx) => {
    const { reason, text, name: reporterName, email: reporterEmail } = report;
    const facts = { ...reported, reason, text, userId, reporterName, reporterEmail, language: tx.language };
    const isFirst = (await countOpen(tx, reported.target)) === 0;
    const [stored] = await tx.db
      .insert(abuseReports)
      .values({ ...facts, createdAt: tx.now() })
      .onConflictDoNothing()
      .returning();
    if (!stored) throw alreadyReported();
    await confirmReport(tx, stored);
    if (isFirst) await tellOperator(tx, stored);
  });
}

const countOpen = ({ db }: TxCtx, target: string) =>
  db.$count(abuseReports, and(eq(abuseReports.target, target), eq(abuseReports.state, 'open')));

/** In the reporter's language, like the form's own texts. */
async function tellOperator(tx: TxCtx, { name, url, reason, text, reporterEmail }: ReportRow): Promise<void> {
  const { email } = tx.settings.operator;
  const said = tx.translate(`contact:report.reasons.${reason}`);
  await queueEmail(tx, {
    to: email,
    userId: null,
    topic: 'report',
    language: tx.language,
    subject: tx.translate('mail:report.subject', { name }),
    content: {
      heading: tx.translate('mail:report.subject', { name }),
      paragraphs: [said, url, ...text.split(/\n{2,}/)],
      button: { label: tx.translate('mail:report.action'), url: tx.urls.app(OPERATOR_REPORTS_PATH) },
      footer: tx.translate('mail:report.footer'),
    },
    ...(reporterEmail && { headers: { 'Reply-To': reporterEmail } }),
  });
}

/** Deletes reports that were decided longer ago than the privacy policy allows. */
export async function sweepReports(ctx: Ctx): Promise<void> {
  await ctx.db.delete(abuseReports).where(lt(abuseReports.decidedAt, earlier(ctx.now(), REPORT_LIMITS.kept)));
}

/**
 * Removes the reporter from reports, made while logged in or with the same verified address. Repeating it is harmless.
 */
export async function eraseReporter(ctx: Ctx, { userId }: { userId: number }): Promise<void> {
  const address = ctx.db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  await ctx.db
    .update(abuseReports)
    .set({ userId: null, reporterName: null, reporterEmail: null })
    .where(or(eq(abuseReports.userId, userId), sql`${abuseReports.reporterEmail} = (${address})`));
}
