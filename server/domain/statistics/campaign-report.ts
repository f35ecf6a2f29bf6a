import { eq, isNotNull } from 'drizzle-orm';
import { insertionCampaigns } from '~/db/schema/insertions';
import { sponsorLinks } from '~/db/schema/statistics';
import type { Ctx } from '../../runtime/ctx';
import { type CampaignFigures, readCampaignFigures } from '../insertions/campaign-figures';
import type { CampaignRow } from '../insertions/queries';
import { type CoverUrls, coverUrls } from '../media/rules';
import { sponsorLinkExpired } from './errors';
import type { OpenSponsorPage } from './schema';
import { findSponsorLink } from './sponsor-page';

/** What a sponsor sees of a campaign. Only the link decides whether private episodes are named. */
export type CampaignReport = {
  show: { name: string; creator: string; cover: CoverUrls };
  campaign: Pick<CampaignRow, 'name' | 'kind' | 'place' | 'number' | 'firstDay' | 'lastDay' | 'cap' | 'impressions'>;
  figures: CampaignFigures;
  expiresAt: Date;
  /** The creator's, in which the days of the campaign are. */
  zone: string;
};

/** The report behind a link. A deleted campaign has none. @throws statistics.sponsor_link_expired */
export async function openCampaignReport(ctx: Ctx, { token }: OpenSponsorPage): Promise<CampaignReport> {
  const { link, product, creator } = await findSponsorLink(ctx, token, isNotNull(sponsorLinks.campaignId));
  const [found] = await ctx.db.select().from(insertionCampaigns).where(eq(insertionCampaigns.id, link.campaignId!));
  if (!found || found.deletedAt !== null) throw sponsorLinkExpired();
  const { name, kind, place, number, firstDay, lastDay, cap, impressions } = found;
  return {
    show: { name: product.name, creator: creator.name, cover: coverUrls(product.coverKey) },
    campaign: { name, kind, place, number, firstDay, lastDay, cap, impressions },
    figures: await readCampaignFigures(ctx, found.id, { sponsor: link }),
    ...{ expiresAt: link.expiresAt, zone: creator.timeZone },
  };
}
