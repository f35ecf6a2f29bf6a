import { randomBytes } from 'node:crypto';
import { and, count, desc, eq, gt, isNull, lt } from 'drizzle-orm';
import { sponsorLinks } from '~/db/schema/statistics';
import { hashToken } from '../../auth/token-hash';
import { campaignReportPath, sponsorPath } from '../../base/public-paths';
import { DAYS, earlier, later } from '../../base/time';
import { SPONSOR_LIMITS } from '../../limits/statistics';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { campaignNotFound } from '../insertions/errors';
import { findCampaignRecord } from '../insertions/queries';
import { lockProduct } from '../products/price-product';
import { findProductRecord } from '../products/queries';
import { recordAbout } from '../team/activity';
import { sponsorLinkNotFound, tooManySponsorLinks } from './errors';
import type { CreateSponsorLink, FindSponsorLink, ListSponsorLinks } from './schema';

const TOKEN_BYTES = 32;

export type SponsorLinkView = {
  id: number;
  name: string;
  namesPrivate: boolean;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  state: 'live' | 'expired' | 'revoked';
};

/** The links of a show, or of one of its campaigns, the latest first. @throws product.not_found, common.role_not_allowed */
export async function listSponsorLinks(
  ctx: Ctx,
  { id, kind, campaignId }: ListSponsorLinks,
): Promise<SponsorLinkView[]> {
  const { product } = await findProductRecord(ctx, id, kind);
  const { id: productId } = authorize(ctx, 'product.manage', product);
  const rows = await ctx.db
    .select()
    .from(sponsorLinks)
    .where(
      and(
        eq(sponsorLinks.productId, productId),
        campaignId === undefined ? isNull(sponsorLinks.campaignId) : eq(sponsorLinks.campaignId, campaignId),
      ),
    )
    .orderBy(desc(sponsorLinks.id))
    .limit(SPONSOR_LIMITS.listed);
  return rows.map(({ id: linkId, name, namesPrivate, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
    ...{ id: linkId, name, namesPrivate, createdAt, expiresAt, lastUsedAt },
    state: revokedAt ? 'revoked' : expiresAt <= ctx.now() ? 'expired' : 'live',
  }));
}

/**
 * Makes a link. Its address is known only now, because only a hash of its token is stored.
 * @throws product.not_found, campaign.not_found, common.role_not_allowed, statistics.too_many_sponsor_links
 */
export async function createSponsorLink(ctx: Ctx, input: CreateSponsorLink): Promise<{ url: string }> {
  const found = await findProductRecord(ctx, input.id, input.kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const { id: productId, creatorId } = product;
  if (input.campaignId !== undefined) await requireCampaignOf(ctx, productId, input.campaignId);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await transact(ctx, async (tx) => {
    // two requests at once would both find room
    await lockProduct(tx, productId);
    const createdAt = tx.now();
    const isLive = and(isNull(sponsorLinks.revokedAt), gt(sponsorLinks.expiresAt, createdAt));
    const own = eq(sponsorLinks.productId, productId);
    const [live] = await tx.db.select({ total: count() }).from(sponsorLinks).where(and(own, isLive));
    if (live!.total >= SPONSOR_LIMITS.live) throw tooManySponsorLinks({ most: SPONSOR_LIMITS.live });
    await tx.db
      .delete(sponsorLinks)
      .where(and(own, lt(sponsorLinks.createdAt, earlier(createdAt, SPONSOR_LIMITS.kept))));
    const { name, namesPrivate, campaignId } = input;
    const row = { productId, creatorId, campaignId, name, namesPrivate, createdAt, tokenHash: hashToken(token) };
    await tx.db.insert(sponsorLinks).values({ ...row, expiresAt: later(createdAt, DAYS(input.days)) });
    await recordAbout(tx, 'product.sponsor_link_created', product);
  });
  return { url: ctx.urls.app(input.campaignId === undefined ? sponsorPath(token) : campaignReportPath(token)) };
}

/** @throws campaign.not_found, also for a campaign of another show */
async function requireCampaignOf(ctx: Ctx, productId: number, campaignId: number): Promise<void> {
  const { campaign } = await findCampaignRecord(ctx, campaignId);
  if (campaign.productId !== productId) throw campaignNotFound();
}

/** Repeating it changes nothing. @throws product.not_found, statistics.sponsor_link_not_found */
export async function revokeSponsorLink(ctx: Ctx, { id, kind, linkId }: FindSponsorLink): Promise<void> {
  const found = await findProductRecord(ctx, id, kind);
  const product = authorize(ctx, 'product.manage', found.product);
  const own = and(eq(sponsorLinks.id, linkId), eq(sponsorLinks.productId, product.id));
  await transact(ctx, async (tx) => {
    const [link] = await tx.db.select({ id: sponsorLinks.id }).from(sponsorLinks).where(own);
    if (!link) throw sponsorLinkNotFound();
    const revoked = await tx.db
      .update(sponsorLinks)
      .set({ revokedAt: tx.now() })
      .where(and(own, isNull(sponsorLinks.revokedAt)))
      .returning({ id: sponsorLinks.id });
    if (revoked.length > 0) await recordAbout(tx, 'product.sponsor_link_revoked', product);
  });
}
