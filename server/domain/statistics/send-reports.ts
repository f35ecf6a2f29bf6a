import { and, asc, eq, exists, gt, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { listeningDays } from '~/db/schema/listening';
import { monthReports } from '~/db/schema/statistics';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { NOTIFICATIONS_PATH } from '../../base/account-paths';
import { localeOfUser } from '../../base/formats';
import { languagePrefix } from '../../base/public-paths';
import { dayAfter, earlier, HOURS, later, toWallClock, utcMonth } from '../../base/time';
import { REPORT_LIMITS } from '../../limits/statistics';
import { sendMonthReports as sendAllJob, sendMonthReport as sendJob } from '../../queue/jobs/statistics';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { findUser, type UserRow } from '../accounts/base/queries';
import { type CreatorRow, findCreatorRecord } from '../creators/queries';
import { queueEmail } from '../notifications/outbox';
import { accountEmail } from '../notifications/templates/account-email';
import { figuresOfMonth, monthPeriod } from './month-figures';
import { lastMonth } from './month-report';
import { monthName, reportText } from './report-text';

/** The zones of the world are up to 14 hours ahead of UTC and 12 behind. */
const FARTHEST = HOURS(14);

/**
 * Finds creators for whom a month with plays has ended, some at a time, and enqueues their emails. Each job enqueues the
 * one for the next creators. An email that was not sent in spite of its attempts is enqueued again.
 */
export async function sendMonthReports(ctx: Ctx, { after = 0 }: { after?: number }): Promise<void> {
  const now = ctx.now();
  const month = utcMonth(earlier(now, HOURS(24 * REPORT_LIMITS.days + 12)));
  if (after === 0) await sweepReports(ctx);
  if (utcMonth(later(now, FARTHEST)) === month) return;
  const found = await listCandidates(ctx, { month, after });
  const due = found.filter(({ timeZone }) => isDue(now, timeZone, month));
  await transact(ctx, async (tx) => {
    const fresh =
      due.length === 0
        ? []
        : await claim(
            tx,
            due.map(({ id: creatorId }) => ({ creatorId, month })),
          );
    await tx.jobs.enqueueAll(sendJob, fresh);
    const last = found.at(-1);
    if (last && found.length === REPORT_LIMITS.creatorsAtOnce) await tx.jobs.enqueue(sendAllJob, { after: last.id });
  });
}

/** From the morning of the 1st in the creator's zone. */
function isDue(now: Date, zone: string, month: string): boolean {
  const local = toWallClock(now, zone);
  const [day, hour] = [Number(local.slice(8, 10)), Number(local.slice(11, 13))];
  return lastMonth(now, zone) === month && day <= REPORT_LIMITS.days && (day > 1 || hour >= REPORT_LIMITS.fromHour);
}

/** Creators with plays in the month, without a report. Days of other zones may be UTC days before or after the month. */
function listCandidates({ db }: Ctx, { month, after }: { month: string; after: number }) {
  const { from, to } = monthPeriod(month, 'UTC');
  const played = db
    .select({ one: sql`1` })
    .from(listeningDays)
    .where(
      and(
        eq(listeningDays.creatorId, creators.id),
        gt(listeningDays.day, dayAfter(from, -2)),
        lt(listeningDays.day, dayAfter(to, 2)),
      ),
    );
  const done = db
    .select({ one: sql`1` })
    .from(monthReports)
    .where(and(eq(monthReports.creatorId, creators.id), eq(monthReports.month, month), isNotNull(monthReports.doneAt)));
  return db
    .select({ id: creators.id, timeZone: creators.timeZone })
    .from(creators)
    .where(and(gt(creators.id, after), isNull(creators.closedAt), exists(played), notExists(done)))
    .orderBy(asc(creators.id))
    .limit(REPORT_LIMITS.creatorsAtOnce);
}

type Report = { creatorId: number; month: string };

/** The reports that no other job is working on. */
function claim(tx: TxCtx, reports: Report[]): Promise<Report[]> {
  const queuedAt = tx.now();
  const isLost = and(
    isNull(monthReports.doneAt),
    lt(monthReports.queuedAt, earlier(queuedAt, REPORT_LIMITS.lostAfter)),
  );
  return tx.db
    .insert(monthReports)
    .values(reports.map((report) => ({ ...report, queuedAt })))
    .onConflictDoUpdate({ target: [monthReports.creatorId, monthReports.month], set: { queuedAt }, setWhere: isLost })
    .returning({ creatorId: monthReports.creatorId, month: monthReports.month });
}

/** Emails the report to the owner, once, in their language. A month without plays in the creator's zone has none. */
export async function sendMonthReport(ctx: Ctx, report: Report): Promise<void> {
  const creator = await findCreatorRecord(ctx, report.creatorId);
  const owner = await findUser(ctx, creator.userId);
  const email = creator.closedAt || !owner.emailVerifiedAt ? null : await writeEmail(ctx, report, { creator, owner });
  await transact(ctx, async (tx) => {
    const { creatorId, month } = report;
    const own = and(eq(monthReports.creatorId, creatorId), eq(monthReports.month, month));
    const [claimed] = await tx.db
      .update(monthReports)
      .set({ doneAt: tx.now() })
      .where(and(own, isNull(monthReports.doneAt)))
      .returning({ month: monthReports.month });
    if (claimed && email) await queueEmail(tx, email);
  });
}

type People = { creator: CreatorRow; owner: UserRow };

async function writeEmail(ctx: Ctx, { creatorId, month }: Report, { creator, owner }: People) {
  const figures = await figuresOfMonth(ctx, { creatorId, month, zone: creator.timeZone });
  if (figures.all.days.every(({ plays }) => plays === 0)) return null;
  const language = owner.language ?? DEFAULT_LANGUAGE;
  const locale = localeOfUser(owner);
  const t = (key: string, params?: Record<string, string | number>) => ctx.translate(key, params, language);
  const page = (path: string) => ctx.urls.app(languagePrefix(language) + path);
  const facts = { name: owner.name, creator: creator.name, month: monthName(month, locale) };
  const { subject, content } = accountEmail(t, 'month_report', { ...facts, url: page(reportPath(month)) });
  const { parts } = reportText({ figures, creator: creator.name }, { t, language, locale });
  return {
    ...{ to: owner.email, userId: owner.id, topic: 'month_report', language, subject },
    content: {
      ...content,
      paragraphs: [...content.paragraphs, ...(parts[0]?.sentences ?? [])],
      footerLink: { label: t('mail:donation.settings'), url: page(NOTIFICATIONS_PATH) },
    },
  };
}

const reportPath = (month: string) => `/metric/report.pdf?month=${month}`;

async function sweepReports({ db, now }: Ctx): Promise<void> {
  await db.delete(monthReports).where(lt(monthReports.queuedAt, earlier(now(), REPORT_LIMITS.kept)));
}
