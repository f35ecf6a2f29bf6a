import { and, eq, inArray } from 'drizzle-orm';
import { copiedCustomers } from '~/db/schema/moving';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { type Ctx, transact } from '../../../runtime/ctx';
import { lookupCreatorByDomain } from '../../creators/queries';
import { type Operator, recordOperation } from '../../operators/record-operation';
import { creatorUnknown } from '../../payouts/errors';

type Copy = { creatorId: number; customers: string[] };

/**
 * Stores for which creator the payment provider has copied customers into our account: otherwise, a list could name
 * another creator's customers. Repeating it is harmless; a customer that was copied for another creator stays theirs.
 * @returns how many belong to the creator now
 */
export async function claimCopiedCustomers(ctx: Pick<Ctx, 'db' | 'now'>, copy: Copy): Promise<number> {
  const { creatorId, customers } = copy;
  const { batch } = SUBSCRIBER_IMPORT_LIMITS;
  let claimed = 0;
  for (let from = 0; from < customers.length; from += batch) {
    const part = customers.slice(from, from + batch);
    const rows = part.map((providerId) => ({ providerId, creatorId, createdAt: ctx.now() }));
    await ctx.db.insert(copiedCustomers).values(rows).onConflictDoNothing();
    const isOwn = and(inArray(copiedCustomers.providerId, part), eq(copiedCustomers.creatorId, creatorId));
    claimed += await ctx.db.$count(copiedCustomers, isOwn);
  }
  return claimed;
}

type Told = { operator: Operator; domain: string; customers: string[] };

/**
 * Claims customers for a creator on behalf of the operator, who has asked the provider for the copy. @throws
 * payout.creator_unknown
 */
export async function copiedCustomersFor(ctx: Ctx, { operator, domain, customers }: Told): Promise<number> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorUnknown();
  return transact(ctx, async (tx) => {
    const noted = await claimCopiedCustomers(tx, { creatorId: creator.id, customers });
    const details = { customers: customers.length, noted };
    await recordOperation(tx, operator, { action: 'subscribers.copied', target: `creator/${domain}`, details });
    return noted;
  });
}
