import type { EpisodeType } from '~/db/values/episodes';
import { SITE_SLUGS } from '~/locales/site-slugs';
import {
  ADD_CARD_PATH,
  BILLING_PATH,
  CONNECTED_APPS_PATH,
  DEVELOPERS_PATH,
  DONATION_PAYMENT_PATH,
  donationPath,
  donorsPath,
  FIRST_LOGIN_PATH,
  FORGOT_PASSWORD_PATH,
  GO_PAID_PATH,
  LEAVING_PATH,
  LOGIN_CODE_PATH,
  NOTIFICATIONS_PATH,
  OWN_DATA_PATH,
  PAYMENT_METHODS_PATH,
  PLANS_PATH,
  PODCATCHER_PATH,
  RECEIPTS_PATH,
  RECOMMENDATIONS_PATH,
  SECURITY_PATH,
  SELLER_ACCOUNT_PATH,
  SPOTIFY_PATH,
  VERIFY_EMAIL_PATH,
} from '~/server/base/account-paths';
import {
  ALL_SHOWS,
  CREATOR_PREVIEW_PATH,
  FEED_PREVIEW_PATH,
  feedPreviewPath,
  REDEEMED,
  SUBSCRIPTIONS_PATH,
  THANKS_PATH,
} from '~/server/base/public-paths';
import type { PagePart } from '~/server/domain/creators/rules';
import { KIND_NAMES, KINDS, type KindName } from '~/server/domain/products/kinds';
import type { SettingsPart } from '~/server/domain/products/rules';
import type { PlanCode } from '~/server/limits/plans';
import { STUDIO_PAGE_NAMES, STUDIO_PAGES, type StudioPage } from '~/server/policy/studio-pages';
import type { BillingPart } from './billing-part';
import { useLocation } from './router';
import { languageOf, oncePerPrefix, type Prefix, prefixOf, sitePathsIn, withNextIn } from './site-paths';

export type ProductRef = { id: number; kind: KindName };
/** The pages of a show's settings. */
export type SettingsPage = SettingsPart | 'glossary' | 'danger';
type EpisodeRef = { id: number; productId: number; kind: KindName };

type PodcatcherChoice = { show?: number | null; device?: string | null; app?: string | null };

function podcatcherPath({ show, device, app }: PodcatcherChoice): string {
  const query = new URLSearchParams();
  if (show !== undefined) query.set('show', String(show ?? ALL_SHOWS));
  if (device) query.set('device', device);
  if (app) query.set('app', app);
  return PODCATCHER_PATH + (query.size > 0 ? `?${query}` : '');
}

/** The paths of the app's own pages, below a language prefix. */
export const pathsIn = oncePerPrefix((prefix) => {
  const product = ({ id, kind }: ProductRef) => `${prefix}/${KINDS[kind].path}/${id}`;
  const buyers = (ref: ProductRef) => `${product(ref)}/${KINDS[ref.kind].buyers}`;
  const ofProduct = ({ productId, kind }: EpisodeRef) => product({ id: productId, kind });
  const withNext = withNextIn(prefix);
  return {
    ...sitePathsIn(prefix),
    /** `show`: an ID, or null for the feed of all shows; without one, the page explains only. */
    podcatcher: ({ show, device, app }: PodcatcherChoice = {}) => prefix + podcatcherPath({ show, device, app }),
    ...studioPathsIn(prefix),
    loginCode: withNext(LOGIN_CODE_PATH),
    forgotPassword: prefix + FORGOT_PASSWORD_PATH,
    verifyEmail: prefix + VERIFY_EMAIL_PATH,
    /** The page after a gift of the show was redeemed. */
    redeemed: (productId: number) => `${prefix}${THANKS_PATH}?${REDEEMED}=${productId}`,
    /** A step of the start wizard. */
    start: (step: string) => `${prefix}/start/${step}`,
    /** The step that claims the creator page, which leads on to `next`. */
    claimPageFor: withNext('/start/page'),
    firstLogin: withNext(FIRST_LOGIN_PATH),
    notifications: prefix + NOTIFICATIONS_PATH,
    /** The page where visitors donate to a creator. */
    donate: (creatorId: number) => prefix + donationPath(creatorId),
    donationPayment: (creatorId: number) => `${prefix}${DONATION_PAYMENT_PATH}?creator=${creatorId}`,
    /** The creator's list of donors. */
    donors: (creatorId: number) => prefix + donorsPath(creatorId),
    billing: prefix + BILLING_PATH,
    /** A page of the billing settings; the first one is that of the plan. */
    billingPart: (part: BillingPart) => `${prefix}${BILLING_PATH}${part === 'plan' ? '' : `/${part}`}`,
    /** The creator's own account at Stripe. */
    sellerAccount: prefix + SELLER_ACCOUNT_PATH,
    /** What sales would bring. */
    calculator: `${prefix}/${SITE_SLUGS.calculator[languageOf(prefix)]}`,
    /** The hosts from which creators move here. */
    moving: `${prefix}/${SITE_SLUGS.moving[languageOf(prefix)]}`,
    /** Shows the show of a feed as its page here would. */
    feedPreview: prefix + FEED_PREVIEW_PATH,
    previewedFeed: (token: string) => prefix + feedPreviewPath(token),
    plans: prefix + PLANS_PATH,
    /** The costs of a plan, with the confirmation; with FREE, the cancellation of the current plan. */
    choosePlan: (plan: PlanCode) => `${prefix}${PLANS_PATH}?plan=${plan}`,
    /** The page that invites creators to choose a plan when their trial ends. */
    goPaid: prefix + GO_PAID_PATH,
    spotify: prefix + SPOTIFY_PATH,
    security: prefix + SECURITY_PATH,
    connectedApps: prefix + CONNECTED_APPS_PATH,
    ownData: prefix + OWN_DATA_PATH,
    developers: prefix + DEVELOPERS_PATH,
    /** A document outside of the app's routes. */
    apiDocs: `${prefix}/developers`,
    /** The page that imports a feed from another host. */
    importFeed: `${prefix}/products/import`,
    /** The same page with an address in its form. */
    importFeedAt: (url: string) => `${prefix}/products/import?url=${encodeURIComponent(url)}`,
    newImport: `${prefix}/products/import?new=1`,
    /** The operators' pages. */
    admin: (page = '') => `${prefix}/admin${page}`,
    /** The show's subscribers or customers. */
    buyers,
    buyer: (ref: ProductRef, userId: number) => `${buyers(ref)}/${userId}`,
    addContact: `${prefix}/audience/add`,
    audienceContact: (id: number) => `${prefix}/audience/${id}`,
    importContacts: `${prefix}/audience/import`,
    newsletterSettings: `${prefix}/newsletter-settings`,
    sendingDomain: `${prefix}/newsletter-settings/domain`,
    createEdition: `${prefix}/newsletter/create`,
    edition: (id: number) => `${prefix}/newsletter/${id}`,
    /** A step of the form of an edition (spec §2.1). */
    editEdition: (id: number, step?: string) => `${prefix}/newsletter/edit/${id}${step ? `?step=${step}` : ''}`,
    automations: `${prefix}/newsletter/automations`,
    automation: (id: number) => `${prefix}/newsletter/automations/${id}`,
    /** The text of one of its emails. */
    automationStep: (id: number, step: number) => `${prefix}/newsletter/automations/${id}/emails/${step}`,
    previewEdition: (id: number) => `${prefix}/newsletter-preview/${id}`,
    createCoupon: `${prefix}/coupons/create`,
    /** A page of the editor of the creator page. */
    creatorPagePart: (part: PagePart) =>
      `${prefix}/${STUDIO_PAGES.creatorPage.path}${part === 'profile' ? '' : `/${part}`}`,
    creatorPreview: prefix + CREATOR_PREVIEW_PATH,
    /** The change from a monthly to a yearly subscription. */
    yearly: (id: number) => `${prefix}${SUBSCRIPTIONS_PATH}/yearly/${id}`,
    paymentMethods: prefix + PAYMENT_METHODS_PATH,
    receipts: prefix + RECEIPTS_PATH,
    receipt: (id: number) => `${prefix}${RECEIPTS_PATH}/${id}`,
    creditNotePdf: (receipt: number, id: number) => `${prefix}${RECEIPTS_PATH}/${receipt}/credit-notes/${id}/pdf`,
    receiptPdf: (id: number) => `${prefix}${RECEIPTS_PATH}/${id}/pdf`,
    /** `subscription`: the only subscription that will be charged to the card. */
    addCard: (subscription?: number) =>
      `${prefix}${ADD_CARD_PATH}${subscription === undefined ? '' : `?subscription=${subscription}`}`,
    product,
    /** The figures of a show. */
    statistics: (ref: ProductRef) => `${product(ref)}/metric`,
    importedHistory: (ref: ProductRef) => `${product(ref)}/metric/imported`,
    /** The last hour of a show. */
    liveStatistics: (ref: ProductRef) => `${product(ref)}/metric/live`,
    /** The links by which sponsors see the figures of a show. */
    sponsorLinks: (ref: ProductRef) => `${product(ref)}/metric/sponsors`,
    episodeStatistics: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/metric`,
    /** The conversion of a paid show to a free one. */
    freeProduct: ({ id, kind }: ProductRef) => `${prefix}/edit/${KINDS[kind].path}/${id}/free`,
    settings: (ref: ProductRef, part: SettingsPage = 'details') =>
      `${product(ref)}/settings${part === 'details' ? '' : `/${part}`}`,
    /** The directories that list the show, and whether its feed is ready for them. */
    distribution: (ref: ProductRef) => `${product(ref)}/distribution`,
    redirectFeed: (ref: ProductRef) => `${product(ref)}/redirect`,
    /** The feed of an imported show at its former host. */
    oldFeed: (ref: ProductRef) => `${product(ref)}/old-feed`,
    /** The page that imports the subscribers of another host. */
    importSubscribers: (ref: ProductRef) => `${product(ref)}/import-subscribers`,
    /** A file with the redirects of private feeds at the former host. */
    oldPrivateFeeds: (ref: ProductRef) => `${product(ref)}/old-private-feeds.csv`,
    leaving: prefix + LEAVING_PATH,
    /** The page after the first episode was published. */
    published: (ref: ProductRef) => `${product(ref)}/published`,
    createEpisode: (ref: ProductRef, type?: EpisodeType) =>
      `${product(ref)}/episodes/create${type ? `?type=${type}` : ''}`,
    episode: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}`,
    transcription: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/transcription`,
    suggestions: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/suggestions`,
    transcript: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/transcript`,
    soundbites: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/soundbites`,
    /** The template of a show's mid-rolls, and the creator's clips. */
    placesOfShow: (ref: ProductRef) => `${product(ref)}/audio-insertion/places`,
    /** The mid-rolls of an episode, and its replaced passages. */
    places: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/audio-insertion`,
    chapters: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/chapters`,
    promotions: (ref: ProductRef) => `${product(ref)}/promotions`,
    /** The campaigns of a show. */
    insertions: (ref: ProductRef) => `${product(ref)}/audio-insertion`,
    /** `clipId`: of a clip that the form ticks. */
    createCampaign: (ref: ProductRef, clipId?: number) =>
      `${product(ref)}/audio-insertion/create${clipId === undefined ? '' : `?clip=${clipId}`}`,
    campaign: (ref: ProductRef, id: number) => `${product(ref)}/audio-insertion/${id}`,
    editCampaign: (ref: ProductRef, id: number, clipId?: number) =>
      `${product(ref)}/audio-insertion/${id}/edit${clipId === undefined ? '' : `?clip=${clipId}`}`,
    /** Cuts a clip from an episode. `campaign`: whose form leads there, and gets the clip; 'new' for a new one. */
    cutClip: (ref: ProductRef, { episodeId, campaign }: { episodeId?: number; campaign?: number | 'new' } = {}) => {
      const query = new URLSearchParams();
      if (episodeId !== undefined) query.set('episode', String(episodeId));
      if (campaign !== undefined) query.set('for', String(campaign));
      return `${product(ref)}/audio-insertion/cut${query.size > 0 ? `?${query}` : ''}`;
    },
    /** The links by which sponsors see the report of a campaign. */
    campaignLinks: (ref: ProductRef, id: number) => `${product(ref)}/audio-insertion/${id}/report`,
    /** Chooses the show of a new campaign. */
    chooseShowOfCampaign: `${prefix}/${STUDIO_PAGES.allInsertions.path}/create`,
    showRecommendations: (ref: ProductRef) => `${product(ref)}${RECOMMENDATIONS_PATH}`,
    /** A search for shows that this one can recommend; without a show, the choice of one. */
    selectRecommendation: (ref?: ProductRef) =>
      `${ref ? product(ref) : prefix}${RECOMMENDATIONS_PATH}/select-recommendation`,
    /** The promo of one episode. */
    promo: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/promo`,
    editEpisode: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/edit/${ref.id}`,
  };
});

function studioPathsIn(prefix: Prefix) {
  const paths = STUDIO_PAGE_NAMES.map((name) => [name, `${prefix}/${STUDIO_PAGES[name].path}`]);
  return Object.fromEntries(paths) as Record<StudioPage, string>;
}

export type Paths = ReturnType<typeof pathsIn>;

/** Paths in the language of the current page. */
export function usePaths(): Paths {
  return pathsIn(prefixOf(useLocation().pathname));
}

/** Paths in the language of a requested URL, for loaders and actions. */
export function pathsFor({ pathname }: { pathname: string }): Paths {
  return pathsIn(prefixOf(pathname));
}

/**
 * The kind of product that a path belongs to: `/es/account/audio-series/7/episodes` → 'audio_series'; null for other
 * pages.
 */
export function kindInPath(pathname: string): KindName | null {
  const segments = new Set(pathname.split('/'));
  return KIND_NAMES.find((name) => segments.has(KINDS[name].path)) ?? null;
}

/** A path from the query that no browser reads as a host, not even after removing tabs; null for any other text. */
export function pathOnThisHost(text: string | null): string | null {
  if (text === null || !/^\/(?![/\\])[^\\\s]*$/.test(text)) return null;
  // a Location header may contain only ASCII
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/**
 * Accepts a `next` from the query only if it stays on our hosts, which prevents open redirects: a path that no browser
 * reads as a host, or a URL on the app's or a creator's host.
 */
export function safeNext(next: string | null, own: { appUrl: string; publicRoot: string }): string | null {
  if (!next) return null;
  const path = pathOnThisHost(next);
  if (path !== null) return path;
  if (!URL.canParse(next)) return null;
  const url = new URL(next);
  const app = new URL(own.appUrl);
  const isOurs = url.host === app.host || url.host.endsWith(`.${own.publicRoot}`);
  return isOurs && url.protocol === app.protocol ? url.href : null;
}
