import { CAST } from '../../server/seed/cast';

const shows = CAST.flatMap(({ products }) => products);
/** Ids count up in the order of the demo. */
export const idOf = (slug: string) => shows.findIndex((show) => show.slug === slug) + 1;
/** The awkward creator comes after all others; announced episodes come last. */
const LONG = shows.length + 1;
const ARABIC = LONG + 1;
const W = shows.flatMap(({ episodes }) => episodes).filter(({ isAnnounced }) => !isAnnounced).length + 1;
const SEA = W + 1;
/** The ids of accounts also count up in that order. */
const userOf = (login: string) => CAST.findIndex(({ email }) => email.startsWith(`${login}@`)) + 1;
const NIGHTS = idOf('noches-de-taller');
const GUIDE = idOf('field-guide-to-hums');

/** Pages that a visitor can open; the texts of `awkward` try to break the layout. */
export const PUBLIC = [
  '/',
  '/es',
  '/login',
  '/es/register',
  '/login/forgot-password',
  '/contact',
  '/report',
  '/es/report?page=/@ada/p/lullabies',
  '/privacy-policy',
  '/es/terminos-y-condiciones',
  '/discover',
  '/es/descubrir?search=olas',
  '/discover?search=zzzzzz',
  '/@ada',
  '/es/@lucia/p/postales-sonoras',
  '/@ada/p/lullabies/for-a-satellite',
  '/@ada/p/field-guide-to-hums',
  '/es/@ada/p/seconds-of-hum?season=2',
  '/es/follow?token=unknown',
  '/@awkward',
  '/es/@awkward/p/long',
  '/@awkward/p/arabic',
  `/@awkward/p/long/${'w'.repeat(80)}`,
  '/embed/2',
  `/es/embed/${W}?theme=dark`,
  `/embed/p/${ARABIC}`,
  '/embed/p/3?theme=light',
  '/@ada/newsletter-form',
  '/es/join-newsletter?token=unknown',
  '/invitation?token=unknown',
  '/es/products/import/confirm?token=unknown',
  '/undo-redirect?token=unknown',
  '/es/donation/1',
  '/register/donation-payment?creator=1',
  '/donation/1?amount=7.50&every=month',
  `/register/payment?product=${NIGHTS}`,
  `/es/register/payment?product=${NIGHTS}&interval=year&coupon=BIENVENIDA`,
  `/register/payment?product=${NIGHTS}&coupon=INVIERNO25`,
  `/es/register/payment?product=${idOf('after-hours')}`,
  `/register/payment?product=${idOf('bottles')}&amount=1`,
  '/thanks?checkout=unknown',
  '/es/card?token=unknown',
  '/donation/stop?token=unknown',
  '/es/gift?token=unknown',
  '/es/saved',
  '/nowhere',
];

/** Pages of the studio, for Lucía. */
export const STUDIO = [
  '/dashboard',
  '/profile',
  '/start/reason',
  '/es/start/page',
  '/start/about',
  '/es/start/share',
  '/es/billing',
  '/billing/account',
  '/plans',
  '/es/plans?plan=BASIC',
  '/es/go-paid',
  '/profile/notifications',
  '/es/profile/security',
  '/profile/data',
  '/es/feed',
  '/es/products',
  '/products/create',
  '/es/products/import',
  '/creator-page',
  '/team',
  '/coupons',
  '/money',
  '/es/money/statement',
  '/podcasts/3/subscribers',
  `/es/podcasts/${NIGHTS}/subscribers/${userOf('nora')}`,
  `/podcasts/${NIGHTS}/subscribers/${userOf('sara')}`,
  `/es/podcasts/${NIGHTS}/pauses`,
  '/es/account/podcasts/3/subscribers?search=zzz',
  '/es/coupons/create',
  '/coupons?state=disabled&search=zzz',
  '/calendar',
  '/promotions',
  '/es/account/creator-page',
  '/es/calendar?month=2020-01',
  '/es/team',
  '/es/donation/1/subscribers',
  '/donation/1/subscribers?search=zzz',
  '/podcasts/1',
  '/es/podcasts/1/distribution',
  '/podcasts/1/redirect',
  // a list whose report waits
  `/podcasts/${NIGHTS}/import-subscribers`,
  '/es/podcasts/1/import-subscribers',
  '/leaving',
  '/podcasts/1/published',
  '/edit/podcasts/1',
  // a paid show: its prices, and the page that makes it free
  '/es/edit/podcasts/3',
  '/edit/podcasts/3/free',
  '/es/podcasts/1/episodes/create',
  '/podcasts/1/episodes/2',
  '/es/podcasts/1/episodes/2/chapters',
  '/podcasts/1/promotions?episode=2',
  '/es/podcasts/1/episodes/2/transcript',
  '/podcasts/1/episodes/edit/2',
  // a scheduled episode: the form also shows its time in the browser's time zone
  '/es/podcasts/1/episodes/edit/6',
];

/** Pages of the studio, for the creator of `scripts/journey-cast.ts`. */
export const AWKWARD_STUDIO = [
  '/dashboard',
  '/products',
  '/es/creator-page',
  `/podcasts/${LONG}`,
  `/podcasts/${LONG}/distribution`,
  `/es/podcasts/${LONG}/redirect`,
  `/es/podcasts/${LONG}/published`,
  `/es/podcasts/${LONG}/episodes/${W}`,
  `/podcasts/${LONG}/episodes/edit/${W}`,
  `/es/audio-series/${ARABIC}/episodes/${SEA}`,
];

/** A page whose address contains an ID that the demo does not fix. */
export type LinkedPage = { on: string; link: string };

/** Pages of listeners, for Eva: a trial, an ended subscription, and payments, one of them refunded. */
export const LISTENER = [
  '/account/billing',
  '/es/account/billing/payment-methods',
  '/account/billing/receipts',
  { on: '/es/account/billing/receipts', link: '[href*="/receipts/"]' },
  '/es/add/card',
  '/feed?view=purchases',
  { on: '/account/billing', link: '[href*="/yearly/"]' },
  '/es/feed/all?replace=overcast',
  `/register/payment?product=${NIGHTS}`,
  // refused, because she has bought it
  `/es/register/payment?product=${idOf('bottles')}`,
];

/** Pages of the studio, for Ada: customers of an audio series, paid and refunded. */
export const SELLER = [`/audio-series/${GUIDE}/customers`, `/es/audio-series/${GUIDE}/customers/${userOf('eva')}`];

/** Pages on which a visitor pays. Thank-you pages follow them. */
export const PAYING = [
  `/es/register/payment?product=${NIGHTS}`,
  `/register/payment?product=${GUIDE}`,
  `/es/register/gift?product=${NIGHTS}`,
  '/donation/1',
];
