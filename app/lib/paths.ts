import { useMemo } from 'react';
import {
  ADD_CARD_PATH,
  BILLING_PATH,
  CREATOR_PREVIEW_PATH,
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
  RECEIPTS_PATH,
  SECURITY_PATH,
  SELLER_ACCOUNT_PATH,
  SUBSCRIPTIONS_PATH,
  VERIFY_EMAIL_PATH,
} from '~/server/base/public-paths';
import { KIND_NAMES, KINDS, type KindName } from '~/server/domain/products/kinds';
import type { PlanCode } from '~/server/limits/plans';
import { useLocation } from './router';
import { type Prefix, prefixOf, sitePathsIn, withNextIn } from './site-paths';

type ProductRef = { id: number; kind: KindName };
type EpisodeRef = { id: number; productId: number; kind: KindName };

/** The paths of the app's own pages, below a language prefix. */
export function pathsIn(prefix: Prefix) {
  const product = ({ id, kind }: ProductRef) => `${prefix}/${KINDS[kind].path}/${id}`;
  const buyers = (ref: ProductRef) => `${product(ref)}/${KINDS[ref.kind].buyers}`;
  const ofProduct = ({ productId, kind }: EpisodeRef) => product({ id: productId, kind });
  const withNext = withNextIn(prefix);
  return {
    ...sitePathsIn(prefix),
    loginCode: withNext(LOGIN_CODE_PATH),
    forgotPassword: prefix + FORGOT_PASSWORD_PATH,
    logout: `${prefix}/logout`,
    verifyEmail: prefix + VERIFY_EMAIL_PATH,
    /** A step of the start wizard. */
    start: (step: string) => `${prefix}/start/${step}`,
    firstLogin: withNext(FIRST_LOGIN_PATH),
    profile: `${prefix}/profile`,
    notifications: prefix + NOTIFICATIONS_PATH,
    /** Where anybody gives to a creator. */
    donate: (creatorId: number) => prefix + donationPath(creatorId),
    donationPayment: (creatorId: number) => `${prefix}${DONATION_PAYMENT_PATH}?creator=${creatorId}`,
    /** The creator's list of donors. */
    donors: (creatorId: number) => prefix + donorsPath(creatorId),
    billing: prefix + BILLING_PATH,
    /** The creator's own account at Stripe. */
    sellerAccount: prefix + SELLER_ACCOUNT_PATH,
    plans: prefix + PLANS_PATH,
    /** What a plan costs, and its confirmation; FREE: the present plan is cancelled. */
    choosePlan: (plan: PlanCode) => `${prefix}${PLANS_PATH}?plan=${plan}`,
    /** Leads those whose trial ends to the plans. */
    goPaid: prefix + GO_PAID_PATH,
    security: prefix + SECURITY_PATH,
    ownData: prefix + OWN_DATA_PATH,
    products: `${prefix}/products`,
    createProduct: `${prefix}/products/create`,
    /** From another host. */
    importFeed: `${prefix}/products/import`,
    newImport: `${prefix}/products/import?new=1`,
    creatorPage: `${prefix}/creator-page`,
    team: `${prefix}/team`,
    /** Of operators. */
    admin: (page = '') => `${prefix}/admin${page}`,
    coupons: `${prefix}/coupons`,
    money: `${prefix}/money`,
    /** The show's subscribers or customers. */
    buyers,
    buyer: (ref: ProductRef, userId: number) => `${buyers(ref)}/${userId}`,
    createCoupon: `${prefix}/coupons/create`,
    creatorPreview: prefix + CREATOR_PREVIEW_PATH,
    /** From monthly to yearly. */
    yearly: (id: number) => `${prefix}${SUBSCRIPTIONS_PATH}/yearly/${id}`,
    paymentMethods: prefix + PAYMENT_METHODS_PATH,
    receipts: prefix + RECEIPTS_PATH,
    receipt: (id: number) => `${prefix}${RECEIPTS_PATH}/${id}`,
    receiptPdf: (id: number) => `${prefix}${RECEIPTS_PATH}/${id}/pdf`,
    /** `subscription`: the only one that will be charged to the card. */
    addCard: (subscription?: number) =>
      `${prefix}${ADD_CARD_PATH}${subscription === undefined ? '' : `?subscription=${subscription}`}`,
    calendar: `${prefix}/calendar`,
    /** The promos of all shows. */
    allPromotions: `${prefix}/promotions`,
    product,
    /** The steps from paid to free. */
    freeProduct: ({ id, kind }: ProductRef) => `${prefix}/edit/${KINDS[kind].path}/${id}/free`,
    editProduct: ({ id, kind }: ProductRef) => `${prefix}/edit/${KINDS[kind].path}/${id}`,
    /** Where the show is listed, and whether its feed is ready for that. */
    distribution: (ref: ProductRef) => `${product(ref)}/distribution`,
    redirectFeed: (ref: ProductRef) => `${product(ref)}/redirect`,
    /** Of an imported show: its feed at the former host. */
    oldFeed: (ref: ProductRef) => `${product(ref)}/old-feed`,
    /** Of another host. */
    importSubscribers: (ref: ProductRef) => `${product(ref)}/import-subscribers`,
    /** A file with the redirects of private feeds at the former host. */
    oldPrivateFeeds: (ref: ProductRef) => `${product(ref)}/old-private-feeds.csv`,
    leaving: prefix + LEAVING_PATH,
    /** Subscribers whom the creator pauses. */
    pauses: (ref: ProductRef) => `${product(ref)}/pauses`,
    /** The moment after the first episode was published. */
    published: (ref: ProductRef) => `${product(ref)}/published`,
    createEpisode: (ref: ProductRef) => `${product(ref)}/episodes/create`,
    episode: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}`,
    transcript: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/transcript`,
    chapters: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/${ref.id}/chapters`,
    promotions: (ref: ProductRef) => `${product(ref)}/promotions`,
    /** The promo of one episode. */
    promo: (ref: EpisodeRef) => `${ofProduct(ref)}/promotions?episode=${ref.id}`,
    editEpisode: (ref: EpisodeRef) => `${ofProduct(ref)}/episodes/edit/${ref.id}`,
  };
}

export type Paths = ReturnType<typeof pathsIn>;

/** Paths in the language of the current page. */
export function usePaths(): Paths {
  const { pathname } = useLocation();
  const prefix = prefixOf(pathname);
  return useMemo(() => pathsIn(prefix), [prefix]);
}

/** Paths in the language of a requested URL, for loaders and actions. */
export function pathsFor({ pathname }: { pathname: string }): Paths {
  return pathsIn(prefixOf(pathname));
}

/**
 * The kind of product that a path is about: `/es/account/audio-series/7/episodes` → 'audio_series'; null for other
 * pages.
 */
export function kindInPath(pathname: string): KindName | null {
  const segments = new Set(pathname.split('/'));
  return KIND_NAMES.find((name) => segments.has(KINDS[name].path)) ?? null;
}

/** A path of the query that no browser reads as a host, not even after removing tabs; null for any other text. */
export function pathOnThisHost(text: string | null): string | null {
  if (text === null || !/^\/(?![/\\])[^\\\s]*$/.test(text)) return null;
  // a Location header takes ASCII only
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

/**
 * Accepts a `next` from the query only when it stays with us, which prevents open redirects: a path that no browser
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
