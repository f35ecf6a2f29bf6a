import { and, desc, eq, gt, isNull, lte, notExists } from 'drizzle-orm';
import { studioNoticeDismissals as dismissals, studioNotices as notices } from '~/db/schema/studio-notices';
import { ANNOUNCEMENT_LIMITS } from '../../limits/operators';
import { requireUser } from '../../policy/actor';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { announcementNotFound } from './errors';

type NoticeRow = typeof notices.$inferSelect;
/** An announcement in the studio, in the language of the page. */
export type Announcement = Pick<NoticeRow, 'id' | 'level' | 'link'> & { text: string };
export type AnnouncementRow = Omit<NoticeRow, 'updatedAt'>;

const isCurrent = (now: Date) => and(isNull(notices.withdrawnAt), lte(notices.startsAt, now), gt(notices.endsAt, now));

/** Announcements that the user has not hidden, the newest first. */
export async function currentAnnouncements({ db, now, actor, language }: Ctx): Promise<Announcement[]> {
  const { userId } = requireUser({ actor });
  const own = and(eq(dismissals.noticeId, notices.id), eq(dismissals.userId, userId));
  const rows = await db
    .select()
    .from(notices)
    .where(and(isCurrent(now()), notExists(db.select({ id: dismissals.userId }).from(dismissals).where(own))))
    .orderBy(desc(notices.id))
    .limit(ANNOUNCEMENT_LIMITS.shown);
  return rows.map(({ id, level, link, textEn, textEs }) => ({
    id,
    level,
    link,
    text: { en: textEn, es: textEs }[language],
  }));
}

/**
 * Hides an announcement for the user. Repeating it is harmless. @throws announcement.not_found, also if it is not shown
 * now
 */
export async function dismissAnnouncement({ db, now, actor }: Ctx, { id }: { id: number }): Promise<void> {
  const { userId } = requireUser({ actor });
  const found = await db.$count(notices, and(eq(notices.id, id), isCurrent(now())));
  if (found === 0) throw announcementNotFound();
  await db.insert(dismissals).values({ noticeId: id, userId, createdAt: now() }).onConflictDoNothing();
}

/** All announcements, for operators, the newest first. */
export function listAnnouncements({ db }: Pick<Ctx, 'db'>): Promise<AnnouncementRow[]> {
  return db.select().from(notices).orderBy(desc(notices.id)).limit(ANNOUNCEMENT_LIMITS.listed);
}

export type NewAnnouncement = Pick<NoticeRow, 'textEn' | 'textEs' | 'level' | 'link' | 'startsAt' | 'endsAt'>;

export async function insertAnnouncement(tx: TxCtx, values: NewAnnouncement, createdBy: string): Promise<number> {
  const times = { createdAt: tx.now(), updatedAt: tx.now() };
  const [row] = await tx.db
    .insert(notices)
    .values({ ...values, createdBy, ...times })
    .returning({ id: notices.id });
  return row!.id;
}

/** @throws announcement.not_found, also if it has ended or was withdrawn */
export async function endAnnouncement(tx: TxCtx, id: number): Promise<void> {
  const isOpen = and(eq(notices.id, id), isNull(notices.withdrawnAt), gt(notices.endsAt, tx.now()));
  const ended = await tx.db
    .update(notices)
    .set({ withdrawnAt: tx.now(), updatedAt: tx.now() })
    .where(isOpen)
    .returning({ id: notices.id });
  if (ended.length === 0) throw announcementNotFound();
}
