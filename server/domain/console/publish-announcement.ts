import { later } from '../../base/time';
import { ANNOUNCEMENT_LIMITS } from '../../limits/operators';
import { type Ctx, transact } from '../../runtime/ctx';
import { type Operator, recordOperation } from '../operators/record-operation';
import { endAnnouncement, insertAnnouncement } from '../reference/announcements';
import { announcementTime } from './errors';
import type { PublishAnnouncement } from './schema';

const targetOf = (id: number) => `announcement/${id}`;

/** Shows a text to every creator in the studio, at most for some weeks. @throws console.announcement_time */
export function publishAnnouncement(ctx: Ctx, { operator, from, until, ...texts }: PublishAnnouncement & Step) {
  const startsAt = from ?? ctx.now();
  if (until <= startsAt || until <= ctx.now() || until > later(startsAt, ANNOUNCEMENT_LIMITS.shownFor))
    throw announcementTime();
  return transact(ctx, async (tx) => {
    const id = await insertAnnouncement(tx, { ...texts, startsAt, endsAt: until }, operator.name);
    const details = { text: texts.textEn };
    await recordOperation(tx, operator, { action: 'announcements.published', target: targetOf(id), details });
    return { id };
  });
}
type Step = { operator: Operator };

/** @throws announcement.not_found */
export function withdrawAnnouncement(ctx: Ctx, { operator, id }: Step & { id: number }): Promise<void> {
  return transact(ctx, async (tx) => {
    await endAnnouncement(tx, id);
    await recordOperation(tx, operator, { action: 'announcements.withdrawn', target: targetOf(id), details: {} });
  });
}
