import { and, eq, gt, lt } from 'drizzle-orm';
import { formerSendingDomains, sendingDomainDays, sendingDomains } from '~/db/schema/sending-domains';
import { earlier, utcDay } from '../../base/time';
import { DOMAIN_LIMITS } from '../../limits/newsletter';
import type { Ctx, TxCtx } from '../../runtime/ctx';
import { whereDomain } from './sending-domains';

/** Notes how far the warm-up of a domain is that is about to be removed. Nothing to note before its first email. */
export async function keepWarmUp(tx: TxCtx, key: { creatorId: number; id: number }): Promise<void> {
  const now = tx.now();
  // locked, so that no worker reserves a share meanwhile
  const [row] = await tx.db.select().from(sendingDomains).where(whereDomain(key)).for('update');
  if (!row?.warmUpStartedAt) return;
  const isToday = and(eq(sendingDomainDays.domainId, row.id), eq(sendingDomainDays.day, utcDay(now)));
  const [today] = await tx.db.select({ reserved: sendingDomainDays.reserved }).from(sendingDomainDays).where(isToday);
  const { creatorId, domain, warmUpStartedAt } = row;
  const known = { warmUpStartedAt, day: utcDay(now), reserved: today?.reserved ?? 0, removedAt: now };
  await tx.db
    .insert(formerSendingDomains)
    .values({ creatorId, domain, ...known })
    .onConflictDoUpdate({ target: [formerSendingDomains.creatorId, formerSendingDomains.domain], set: known });
}

/** Continues the warm-up of a domain that its creator has removed not long ago, with what is reserved of its day. */
export async function continueWarmUp(tx: TxCtx, { id, creatorId, domain }: Added): Promise<void> {
  const isIts = and(eq(formerSendingDomains.creatorId, creatorId), eq(formerSendingDomains.domain, domain));
  const isRecent = gt(formerSendingDomains.removedAt, earlier(tx.now(), DOMAIN_LIMITS.warmUpKept));
  const [former] = await tx.db.delete(formerSendingDomains).where(and(isIts, isRecent)).returning();
  if (!former) return;
  const { warmUpStartedAt, day, reserved } = former;
  await tx.db.update(sendingDomains).set({ warmUpStartedAt }).where(eq(sendingDomains.id, id));
  await tx.db.insert(sendingDomainDays).values({ domainId: id, day, reserved });
}

type Added = { id: number; creatorId: number; domain: string };

/** Forgets warm-ups after which receivers know the domain no longer. */
export async function sweepWarmUps({ db, now }: Ctx): Promise<void> {
  await db
    .delete(formerSendingDomains)
    .where(lt(formerSendingDomains.removedAt, earlier(now(), DOMAIN_LIMITS.warmUpKept)));
}
