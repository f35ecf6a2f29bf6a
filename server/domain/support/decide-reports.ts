import { and, asc, desc, eq, isNotNull, type SQL } from 'drizzle-orm';
import { abuseReports } from '~/db/schema/support';
import type { ReportState } from '~/db/values/support';
import { CONTACT_PATH, languagePrefix } from '../../base/public-paths';
import { earlier } from '../../base/time';
import { REPORT_LIMITS } from '../../limits/support';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { lockAddress } from '../notifications/address-links';
import { countEmails, type OutgoingEmail, queueEmail, queueEmails } from '../notifications/outbox';
import { type AccountTopic, accountEmail } from '../notifications/templates/account-email';

export type ReportRow = typeof abuseReports.$inferSelect;
type Decision = { by: string; answer: string };

/** Open reports, the oldest first, or decided reports, the newest first. */
export function listReports({ db }: Pick<Ctx, 'db'>, { isOpen }: { isOpen: boolean }): Promise<ReportRow[]> {
  const rows = db.select().from(abuseReports).limit(REPORT_LIMITS.listed).$dynamic();
  if (isOpen) return rows.where(eq(abuseReports.state, 'open')).orderBy(asc(abuseReports.createdAt));
  return rows.where(isNotNull(abuseReports.decidedAt)).orderBy(desc(abuseReports.decidedAt));
}

/**
 * Dismisses a report and leaves its subject unchanged. Of two concurrent calls, one finds nothing. @returns the report,
 * if this call has decided it
 */
export async function dismissReport(tx: TxCtx, id: number, decision: Decision): Promise<ReportRow | null> {
  const [decided = null] = await decideReports(tx, eq(abuseReports.id, id), 'dismissed', decision);
  return decided;
}

type Thing = { creatorId: number; productId?: number; episodeId?: number };

/** Decides every report about the content that was taken down, and about its parts. */
export async function upholdReports(tx: TxCtx, { creatorId, productId, episodeId }: Thing, decision: Decision) {
  const about = and(
    eq(abuseReports.creatorId, creatorId),
    productId === undefined ? undefined : eq(abuseReports.productId, productId),
    episodeId === undefined ? undefined : eq(abuseReports.episodeId, episodeId),
  ) as SQL;
  await decideReports(tx, about, 'upheld', decision);
}

async function decideReports(tx: TxCtx, which: SQL, state: Exclude<ReportState, 'open'>, { by, answer }: Decision) {
  const decided = await tx.db
    .update(abuseReports)
    .set({ state, answer, decidedBy: by, decidedAt: tx.now() })
    .where(and(which, eq(abuseReports.state, 'open')))
    .returning();
  const byAddress = new Map(decided.map((report) => [report.reporterEmail, report]));
  const emails = [...byAddress.values()].flatMap((report) => emailTo(tx, report, `report_${state}`, answer));
  for (let from = 0; from < emails.length; from += REPORT_LIMITS.toldAtOnce)
    await queueEmails(tx, emails.slice(from, from + REPORT_LIMITS.toldAtOnce));
  return decided;
}

/** The reporter may have typed another person's address, so each address gets only some of these emails in a day. */
export async function confirmReport(tx: TxCtx, report: ReportRow): Promise<void> {
  const topic = 'report_received';
  for (const email of emailTo(tx, report, topic)) {
    await lockAddress(tx, email.to);
    const since = earlier(tx.now(), REPORT_LIMITS.window);
    if ((await countEmails(tx, { to: email.to, topic, since })) < REPORT_LIMITS.emails) await queueEmail(tx, email);
  }
}

/** Empty if the reporter gave no address. */
function emailTo(tx: TxCtx, report: ReportRow, topic: AccountTopic, answer = ''): OutgoingEmail[] {
  const { reporterEmail: to, reporterName, name: what, language, userId } = report;
  if (to === null) return [];
  const translate = (key: string, values?: Record<string, string | number>) => tx.translate(key, values, language);
  const url = tx.urls.app(languagePrefix(language) + CONTACT_PATH);
  const { subject, content } = accountEmail(translate, topic, { name: reporterName ?? '', what, answer, url });
  return [{ to, userId, topic, language, subject, content }];
}
