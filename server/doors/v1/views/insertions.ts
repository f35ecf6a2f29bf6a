import { z } from 'zod';
import type { CampaignFigures } from '../../../domain/insertions/campaign-figures';
import type { CampaignView } from '../../../domain/insertions/campaign-list';
import type { ClipView } from '../../../domain/insertions/list-clips';
import { plainView } from './plain-view';
import { instant } from './values';

export const clipView = plainView<ClipView>('Clip', {
  id: z.int(),
  name: z.string(),
  status: z.string(),
  durationMs: z.int().nullable(),
  createdAt: instant,
});

export const campaignView = plainView<CampaignView>('Campaign', {
  id: z.int(),
  kind: z.string(),
  name: z.string(),
  state: z.string(),
  isActive: z.boolean(),
  place: z.string().nullable(),
  number: z.int().nullable(),
  firstDay: z.iso.date().nullable(),
  lastDay: z.iso.date().nullable(),
  cap: z.int().nullable(),
  isPaced: z.boolean(),
  impressions: z.int(),
  countries: z.array(z.string()),
  inPublicFeed: z.boolean(),
  inPrivateFeeds: z.boolean(),
  inWebPlayer: z.boolean(),
  endedAt: instant.nullable(),
  product: z.strictObject({ id: z.int(), name: z.string(), kind: z.string() }),
});

const count = z.strictObject({ key: z.string(), impressions: z.int() });

export const campaignFiguresView = plainView<CampaignFigures>('CampaignFigures', {
  total: z.int(),
  days: z.array(z.strictObject({ day: z.iso.date(), impressions: z.int() })),
  isLastDayOpen: z.boolean(),
  episodes: z.array(z.strictObject({ id: z.int(), name: z.string(), impressions: z.int() })),
  countries: z.array(count),
  apps: z.array(count),
});
