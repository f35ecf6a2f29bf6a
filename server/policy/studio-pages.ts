import type { RoleAbility } from './roles';

type Page = {
  /** Below the language prefix. */
  path: string;
  /** Below app/routes. */
  file: string;
  /** Without this ability, a member of the team gets 403, and no link. */
  may: RoleAbility | null;
};

/**
 * The pages to which the studio's palette of commands leads, in its order. Their routes, their paths, their place on the
 * app's host only, and the tests of who opens them follow; a new one needs its text in `palette`, `page.<name>`, too.
 */
export const STUDIO_PAGES = {
  createProduct: { path: 'products/create', file: 'dashboard/create-product', may: 'product.manage' },
  dashboard: { path: 'dashboard', file: 'dashboard/home', may: null },
  products: { path: 'products', file: 'dashboard/products', may: 'product.read' },
  calendar: { path: 'calendar', file: 'dashboard/calendar', may: 'episode.read' },
  allStatistics: { path: 'metric', file: 'dashboard/statistics', may: 'creator.readStatistics' },
  allPromotions: { path: 'promotions', file: 'dashboard/promotions', may: 'episode.read' },
  allInsertions: { path: 'audio-insertion', file: 'insertions/all-campaigns', may: 'campaign.read' },
  recommendations: { path: 'recommendation', file: 'dashboard/recommendations', may: 'recommendation.manage' },
  creatorPage: { path: 'creator-page', file: 'dashboard/creator-page', may: 'creator.manage' },
  audience: { path: 'audience', file: 'audience/list', may: 'creator.manageContacts' },
  newsletter: { path: 'newsletter', file: 'newsletter/list', may: 'creator.manageNewsletter' },
  coupons: { path: 'coupons', file: 'sales/coupons', may: 'creator.readCoupons' },
  money: { path: 'money', file: 'money/overview', may: 'creator.readPayouts' },
  affiliates: { path: 'affiliates', file: 'money/affiliate-links', may: 'creator.manageAffiliates' },
  team: { path: 'account/team', file: 'dashboard/team', may: 'creator.readTeam' },
} as const satisfies Record<string, Page>;

export type StudioPage = keyof typeof STUDIO_PAGES;
export const STUDIO_PAGE_NAMES = Object.keys(STUDIO_PAGES) as StudioPage[];

type ShowPage = Pick<Page, 'path' | 'file'> & {
  /** Below the head of the show, with its tabs. */
  isTab?: boolean;
  /** Below the head of the episode, with its tabs. */
  isEpisodeTab?: boolean;
};

/** The pages of one show, below its own path: the same for both kinds of product. */
export const SHOW_PAGES: readonly ShowPage[] = [
  { path: '', file: 'product/show', isTab: true },
  { path: 'episodes', file: 'product/show', isTab: true },
  { path: 'metric', file: 'product/statistics', isTab: true },
  { path: 'promotions', file: 'product/promotions', isTab: true },
  { path: 'audio-insertion', file: 'insertions/campaigns', isTab: true },
  { path: 'recommendation', file: 'product/recommendations', isTab: true },
  { path: 'distribution', file: 'product/distribution', isTab: true },
  { path: 'settings', file: 'product/settings-details', isTab: true },
  { path: 'settings/price', file: 'product/settings-price', isTab: true },
  { path: 'settings/messages', file: 'product/settings-messages', isTab: true },
  { path: 'settings/feed', file: 'product/settings-feed', isTab: true },
  { path: 'settings/glossary', file: 'product/settings-glossary', isTab: true },
  { path: 'settings/danger', file: 'product/settings-danger', isTab: true },
  { path: 'recommendation/select-recommendation', file: 'product/select-recommendation' },
  { path: 'metric/live', file: 'product/live' },
  { path: 'metric/sponsors', file: 'product/sponsors' },
  { path: 'audio-insertion/places', file: 'insertions/places' },
  { path: 'audio-insertion/cut', file: 'insertions/cut-clip' },
  { path: 'audio-insertion/create', file: 'insertions/campaign-new' },
  { path: 'audio-insertion/:campaignId', file: 'insertions/campaign' },
  { path: 'audio-insertion/:campaignId/report', file: 'insertions/campaign-links' },
  { path: 'audio-insertion/:campaignId/edit', file: 'insertions/campaign-edit' },
  { path: 'pauses', file: 'product/moved' },
  { path: 'metric/imported', file: 'product/imported-history' },
  { path: 'redirect', file: 'moving/redirect' },
  { path: 'old-feed', file: 'moving/old-feed' },
  { path: 'import-subscribers', file: 'moving/import-subscribers' },
  { path: 'published', file: 'product/published' },
  { path: 'episodes/create', file: 'product/episode-new' },
  { path: 'episodes/edit/:episodeId', file: 'product/episode-edit' },
  { path: 'episodes/:episodeId', file: 'product/episode-show', isEpisodeTab: true },
  { path: 'episodes/:episodeId/chapters', file: 'product/chapters', isEpisodeTab: true },
  { path: 'episodes/:episodeId/transcript', file: 'product/episode-transcript', isEpisodeTab: true },
  { path: 'episodes/:episodeId/transcription', file: 'product/episode-transcription', isEpisodeTab: true },
  { path: 'episodes/:episodeId/suggestions', file: 'product/episode-suggestions', isEpisodeTab: true },
  { path: 'episodes/:episodeId/soundbites', file: 'product/episode-soundbites', isEpisodeTab: true },
  { path: 'episodes/:episodeId/promo', file: 'product/episode-promo', isEpisodeTab: true },
  { path: 'episodes/:episodeId/audio-insertion', file: 'insertions/episode-places', isEpisodeTab: true },
  { path: 'episodes/:episodeId/metric', file: 'product/episode-statistics', isEpisodeTab: true },
];

/** The pages for developers, below `/profile`, in the order of their tabs. */
export const DEVELOPER_PAGES = [
  { name: 'keys', path: 'developers', file: 'account/developers' },
  { name: 'apps', path: 'developers/apps', file: 'account/connected-apps' },
  { name: 'webhooks', path: 'developers/webhooks', file: 'account/webhooks' },
  { name: 'requests', path: 'developers/requests', file: 'account/api-requests' },
] as const;
