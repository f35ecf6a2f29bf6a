import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { creators, domains } from '~/db/schema/creators';
import { DOMAIN_LIMITS } from '../../limits/creators';
import { requireUser } from '../../policy/actor';
import { type Ctx, type TxCtx, transact, violates } from '../../runtime/ctx';
import { noteSource } from '../accounts/logins/sign-up';
import { requireAdult } from '../accounts/settings/ages';
import { alreadyClaimed, domainTaken, tooManyDomains } from './errors';
import { type CreatorRow, findCreator, isDomainFree, lookupCreatorOfUser } from './queries';
import { domainFault } from './rules';
import type { ClaimDomain } from './schema';
import { type OwnCreatorView, toOwnCreatorView } from './views';

/**
 * Makes the current user a creator and starts the trial. An account has at most one creator page, and a domain never
 * belongs to a second creator.
 * @throws creator.already_claimed, creator.domain_taken; account.birth_date_required, account.too_young and
 * account.parental_permission_required
 */
export async function claimCreatorPage(ctx: Ctx, input: ClaimDomain): Promise<OwnCreatorView> {
  const { userId } = requireUser(ctx);
  if (!(await isDomainFree(ctx, input.domain, null))) throw domainTaken();

  const creator = await transact(ctx, async (tx) => {
    await requireAdult(tx, userId, input);
    const { name, domain, timeZone = 'UTC' } = input;
    const claimedAt = tx.now();
    const [row] = await tx.db.insert(creators).values({ userId, name, domain, timeZone, claimedAt }).returning();
    await tx.db.insert(domains).values({ domain, creatorId: row!.id, claimedAt });
    await noteSource(tx, userId);
    return row!;
  }).catch(asConflict);
  await ctx.sessions.workFor(creator.id);
  return toOwnCreatorView(creator);
}

/**
 * Gives a creator another domain. The creator keeps the former domain, which redirects permanently.
 * @throws creator.domain_taken, creator.too_many_domains
 */
export async function moveDomain(tx: TxCtx, creator: CreatorRow, domain: string): Promise<void> {
  // one move at a time: two concurrent ones would leave two current domains
  await tx.db.select({ id: creators.id }).from(creators).where(eq(creators.id, creator.id)).for('update');
  if (!(await isDomainFree(tx, domain, creator.id))) throw domainTaken();
  await assertCanMove(tx, creator.id, domain);
  const now = tx.now();
  const current = and(eq(domains.creatorId, creator.id), isNull(domains.retiredAt));
  await tx.db.update(domains).set({ retiredAt: now }).where(current);
  const moved = await tx.db
    .insert(domains)
    .values({ domain, creatorId: creator.id, claimedAt: now })
    .onConflictDoUpdate({
      target: domains.domain,
      set: { retiredAt: null },
      setWhere: eq(domains.creatorId, creator.id),
    })
    .returning({ domain: domains.domain });
  // another creator claimed it after the check above
  if (moved.length === 0) throw domainTaken();
  await tx.db.update(creators).set({ domain }).where(eq(creators.id, creator.id));
}

/** Limits former domains, because other creators can never use them. Returning to a former domain is always allowed. */
async function assertCanMove(tx: TxCtx, creatorId: number, domain: string): Promise<void> {
  const formerOnes = and(eq(domains.creatorId, creatorId), isNotNull(domains.retiredAt));
  const [wasOwn] = await tx.db
    .select()
    .from(domains)
    .where(and(formerOnes, eq(domains.domain, domain)));
  if (wasOwn) return;
  if ((await tx.db.$count(domains, formerOnes)) >= DOMAIN_LIMITS.former)
    throw tooManyDomains({ limit: DOMAIN_LIMITS.former });
}

/**
 * Whether the current user's own page could have this domain, for a form that is being filled in. `reason` is an error
 * code.
 */
export async function domainAvailability(
  ctx: Ctx,
  { domain }: { domain: string },
): Promise<{ available: boolean; reason: string | null }> {
  const own = await lookupCreatorOfUser(ctx, requireUser(ctx).userId);
  const reason =
    domainFault(domain) ?? ((await isDomainFree(ctx, domain, own?.id ?? null)) ? null : 'creator.domain_taken');
  return { available: reason === null, reason };
}

/** On a race, the unique index wins; the loser gets the room's error. */
export function asConflict(error: unknown): never {
  if (violates(error, 'creators_one_per_user')) throw alreadyClaimed();
  if (violates(error, 'creators_domain_once') || violates(error, 'domains_pkey')) throw domainTaken();
  throw error;
}

/** The creator page that the current user works for; null without one. */
export async function getOwnCreator(ctx: Ctx): Promise<OwnCreatorView | null> {
  const { creatorId } = requireUser(ctx);
  return creatorId === null ? null : toOwnCreatorView(await findCreator(ctx, creatorId));
}
