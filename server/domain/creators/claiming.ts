import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { creators, domains } from '~/db/schema/creators';
import { type Ctx, type TxCtx, transact, violates } from '../../ctx';
import { DOMAIN_LIMITS } from '../../limits/creators';
import { requireUser } from '../../policy/actor';
import { alreadyClaimed, domainTaken, tooManyDomains } from './errors';
import { type CreatorRow, findCreator, isDomainFree } from './queries';
import { domainFault } from './rules';
import type { ClaimDomain } from './schema';

/**
 * Makes the user who acts a creator: one account has at most one creator page, and a domain only ever one creator.
 * The trial begins here. @throws creator.already_claimed, creator.domain_taken
 */
export async function claimCreatorPage(ctx: Ctx, input: ClaimDomain): Promise<CreatorRow> {
  const { userId } = requireUser(ctx);
  if (!(await isDomainFree(ctx, input.domain, null))) throw domainTaken();

  const creator = await transact(ctx, async (tx) => {
    const { name, domain, timeZone = 'UTC' } = input;
    const claimedAt = tx.now();
    const [row] = await tx.db.insert(creators).values({ userId, name, domain, timeZone, claimedAt }).returning();
    await tx.db.insert(domains).values({ domain, creatorId: row!.id, claimedAt });
    return row!;
  }).catch(asConflict);
  ctx.sessions.remember({ creatorId: creator.id });
  return creator;
}

/**
 * Gives a creator another domain; the old one stays theirs and redirects for good.
 * @throws creator.domain_taken, creator.too_many_domains
 */
export async function moveDomain(tx: TxCtx, creator: CreatorRow, domain: string): Promise<void> {
  if (!(await isDomainFree(tx, domain, creator.id))) throw domainTaken();
  await assertMayMove(tx, creator.id, domain);
  const now = tx.now();
  const held = and(eq(domains.creatorId, creator.id), isNull(domains.retiredAt));
  await tx.db.update(domains).set({ retiredAt: now }).where(held);
  const moved = await tx.db
    .insert(domains)
    .values({ domain, creatorId: creator.id, claimedAt: now })
    .onConflictDoUpdate({
      target: domains.domain,
      set: { retiredAt: null },
      setWhere: eq(domains.creatorId, creator.id),
    })
    .returning({ domain: domains.domain });
  // another creator's since it was looked for
  if (moved.length === 0) throw domainTaken();
  await tx.db.update(creators).set({ domain }).where(eq(creators.id, creator.id));
}

/** Nobody else can ever have a former domain, so a creator can't collect them. Going back to one of them is free. */
async function assertMayMove(tx: TxCtx, creatorId: number, domain: string): Promise<void> {
  const others = and(eq(domains.creatorId, creatorId), isNotNull(domains.retiredAt));
  const [back] = await tx.db
    .select()
    .from(domains)
    .where(and(others, eq(domains.domain, domain)));
  if (back) return;
  const former = await tx.db.$count(domains, others);
  if (former >= DOMAIN_LIMITS.former) throw tooManyDomains({ limit: DOMAIN_LIMITS.former });
}

/** What a form shows while a domain is typed. `reason` is an error code. */
export async function domainAvailability(
  ctx: Ctx,
  { domain }: { domain: string },
): Promise<{ available: boolean; reason: string | null }> {
  const actor = requireUser(ctx);
  const reason =
    domainFault(domain) ?? ((await isDomainFree(ctx, domain, actor.creatorId)) ? null : 'creator.domain_taken');
  return { available: reason === null, reason };
}

/** Two at once: the index decides, the second one is told. */
export function asConflict(error: unknown): never {
  if (violates(error, 'creators_one_per_user')) throw alreadyClaimed();
  if (violates(error, 'creators_domain_once') || violates(error, 'domains_pkey')) throw domainTaken();
  throw error;
}

/** The creator who acts; null before a page was claimed. */
export async function ownCreator(ctx: Ctx): Promise<CreatorRow | null> {
  const { creatorId } = requireUser(ctx);
  return creatorId === null ? null : findCreator(ctx, creatorId);
}
