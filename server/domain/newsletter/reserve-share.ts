import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { editionRecipients } from '~/db/schema/newsletter';
import { sendingDomainDays, sendingDomains } from '~/db/schema/sending-domains';
import { utcDay } from '../../base/time';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { shareOf, warmUpDay } from '../../sending-domains/warm-up';

type Batch = { editionId: number; domainId: number; contactIds: number[] };

/**
 * Decides which of these leased emails leave from the creator's own domain: as many as its day still allows, and all
 * after its warm-up. An email that is tried again counts once. None if the domain is no longer verified.
 * @returns the contacts of these emails
 */
export async function reserveShare(ctx: Ctx, batch: Batch): Promise<Set<number>> {
  if (batch.contactIds.length === 0) return new Set();
  return transact(ctx, async (tx) => {
    // locked, so that workers reserve one after the other
    const [domain] = await tx.db
      .select({ state: sendingDomains.state, startedAt: sendingDomains.warmUpStartedAt })
      .from(sendingDomains)
      .where(eq(sendingDomains.id, batch.domainId))
      .for('update');
    if (domain?.state !== 'verified') return new Set<number>();
    const now = tx.now();
    if (!domain.startedAt) await startWarmUp(tx, batch.domainId, now);
    const share = shareOf(warmUpDay(domain.startedAt ?? now, now));
    if (share === null) return new Set(batch.contactIds);
    const already = await reservedBefore(tx, batch);
    const wanted = batch.contactIds.filter((id) => !already.has(id));
    const granted = wanted.slice(0, await reserve(tx, { domainId: batch.domainId, share, wanted: wanted.length }));
    await remember(tx, batch.editionId, granted);
    return new Set([...already, ...granted]);
  });
}

async function startWarmUp({ db }: TxCtx, domainId: number, now: Date): Promise<void> {
  await db.update(sendingDomains).set({ warmUpStartedAt: now }).where(eq(sendingDomains.id, domainId));
}

async function reservedBefore({ db }: TxCtx, { editionId, contactIds }: Batch): Promise<Set<number>> {
  const rows = await db
    .select({ contactId: editionRecipients.contactId })
    .from(editionRecipients)
    .where(
      and(
        eq(editionRecipients.editionId, editionId),
        inArray(editionRecipients.contactId, contactIds),
        eq(editionRecipients.usesOwnDomain, true),
      ),
    );
  return new Set(rows.map(({ contactId }) => contactId));
}

/** @returns how many emails of those that are wanted may leave today */
async function reserve(
  { db, now }: TxCtx,
  { domainId, share, wanted }: { domainId: number; share: number; wanted: number },
): Promise<number> {
  const key = { domainId, day: utcDay(now()) };
  await db.insert(sendingDomainDays).values(key).onConflictDoNothing();
  const isIts = and(eq(sendingDomainDays.domainId, domainId), eq(sendingDomainDays.day, key.day));
  const [today] = await db.select({ reserved: sendingDomainDays.reserved }).from(sendingDomainDays).where(isIts);
  const count = Math.max(0, Math.min(wanted, share - today!.reserved));
  if (count === 0) return 0;
  const changed = await db
    .update(sendingDomainDays)
    .set({ reserved: sql`${sendingDomainDays.reserved} + ${count}` })
    .where(and(isIts, lte(sendingDomainDays.reserved, share - count)))
    .returning({ day: sendingDomainDays.day });
  return changed.length > 0 ? count : 0;
}

async function remember({ db }: TxCtx, editionId: number, contactIds: number[]): Promise<void> {
  if (contactIds.length === 0) return;
  await db
    .update(editionRecipients)
    .set({ usesOwnDomain: true })
    .where(and(eq(editionRecipients.editionId, editionId), inArray(editionRecipients.contactId, contactIds)));
}
