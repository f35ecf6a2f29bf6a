import { sql } from 'drizzle-orm';
import { campaignClips, campaignEpisodes, insertionCampaigns } from '~/db/schema/insertions';
import { impressionDays } from '~/db/schema/renditions';
import { type ExportedTable, ofCreator, TIMES, words } from './exported-table';

/** Promos play by the agreement of two creators of this installation, so they stay here. */
const ofCampaigns = (creatorId: number) =>
  sql`t.campaign_id in (select id from insertion_campaigns where creator_id = ${creatorId} and kind <> 'promo')`;

/** Campaigns of audio insertions and how often they were heard. Clips and episodes come before them. */
export const CAMPAIGN_TABLES: ExportedTable[] = [
  {
    name: 'insertion_campaigns',
    table: insertionCampaigns,
    where: (creatorId) => sql`${ofCreator(creatorId)} and t.kind <> 'promo'`,
    columns: words(
      `id kind name is_complete is_active place number selection selection_day first_day last_day rank in_public_feed
      in_private_feeds in_web_player countries silence_before_ms silence_after_ms cap is_paced impressions failure_reason
      ended_at deleted_at ${TIMES}`,
    ),
    refs: { creator_id: 'creators', product_id: 'products' },
    // nothing plays in another installation until the creator has looked at it
    adapt: async (row) => ({ ...row, is_active: false }),
    leftOut: { reserved: 'downloads of this installation that have begun' },
    isLater: true,
  },
  {
    name: 'campaign_clips',
    table: campaignClips,
    where: ofCampaigns,
    columns: ['rank'],
    refs: { campaign_id: 'insertion_campaigns', clip_id: 'clips' },
    identity: ['campaign_id', 'clip_id'],
    isLater: true,
  },
  {
    name: 'campaign_episodes',
    table: campaignEpisodes,
    where: ofCampaigns,
    columns: [],
    refs: { campaign_id: 'insertion_campaigns', episode_id: 'episodes' },
    identity: ['campaign_id', 'episode_id'],
    isLater: true,
  },
  {
    name: 'impression_days',
    table: impressionDays,
    where: (creatorId) =>
      sql`${ofCampaigns(creatorId)} and t.episode_id in (select id from episodes where creator_id = ${creatorId})`,
    columns: words('day country app impressions'),
    refs: { campaign_id: 'insertion_campaigns', episode_id: 'episodes' },
    identity: ['campaign_id', 'day', 'episode_id', 'country', 'app'],
    isLater: true,
  },
];
