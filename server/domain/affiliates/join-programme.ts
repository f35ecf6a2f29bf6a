import { and, eq, like, ne } from 'drizzle-orm';
import { affiliateLinks, affiliates } from '~/db/schema/affiliates';
import { domains } from '~/db/schema/creators';
import { AFFILIATE_LIMITS } from '../../limits/affiliates';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact, violates } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { affiliateCodeTaken, linkLimitReached, notAnAffiliate } from './errors';
import { codeBase, defaultCode } from './rules';
import type { CreateLink } from './schema';

/**
 * Makes the creator an affiliate, with a first link. Repeating it changes nothing.
 * @throws affiliate.code_taken if another link took the code at the same time
 */
export async function joinProgramme(ctx: Ctx): Promise<void> {
  const creator = authorize(ctx, 'creator.manageAffiliates', await findCreator(ctx, currentCreator(ctx).id));
  const { id: creatorId, domain, name } = creator;
  const taken = await ctx.db
    .select({ code: affiliateLinks.code })
    .from(affiliateLinks)
    .where(like(affiliateLinks.code, `${codeBase(domain)}%`))
    .orderBy(affiliateLinks.id)
    .limit(LIKE_IT);
  const code = defaultCode(domain, new Set(taken.map((row) => row.code ?? '')));
  await transact(ctx, async (tx) => {
    const now = tx.now();
    const joined = await tx.db
      .insert(affiliates)
      .values({ creatorId, termsAcceptedAt: now })
      .onConflictDoNothing()
      .returning({ creatorId: affiliates.creatorId });
    if (joined.length === 0) return;
    await tx.db.insert(affiliateLinks).values({ creatorId, name, code, createdAt: now });
    await recordActivity(tx, { creatorId, action: 'affiliate.joined', params: { code } });
  }).catch(asTaken);
}

/** Codes that begin alike; domains are unique, so there are few. */
const LIKE_IT = 500;

/**
 * Adds a link. @throws affiliate.not_joined, affiliate.limit_reached, affiliate.code_taken
 */
export async function createLink(ctx: Ctx, { name, linkCode: code }: CreateLink): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageAffiliates', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    // one at a time: two together would exceed the limit
    const [own] = await tx.db.select().from(affiliates).where(eq(affiliates.creatorId, creatorId)).for('update');
    if (!own) throw notAnAffiliate();
    const count = AFFILIATE_LIMITS.links;
    if ((await tx.db.$count(affiliateLinks, eq(affiliateLinks.creatorId, creatorId))) >= count)
      throw linkLimitReached({ count });
    // the name of another creator would look like that creator's link
    const isOthers = and(eq(domains.domain, code), ne(domains.creatorId, creatorId));
    if ((await tx.db.$count(domains, isOthers)) > 0) throw affiliateCodeTaken();
    await tx.db.insert(affiliateLinks).values({ creatorId, name, code, createdAt: tx.now() });
    await recordActivity(tx, { creatorId, action: 'affiliate.link_created', params: { code } });
  }).catch(asTaken);
}

function asTaken(error: unknown): never {
  throw violates(error, 'affiliate_links_code_once') ? affiliateCodeTaken() : error;
}
