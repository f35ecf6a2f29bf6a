import { CAST } from '../../server/seed/cast';
import { moduleAt, pagesBelow } from '../support/routed-pages';

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
/** The first episode of a show; those before it belong to the shows before. */
const firstEpisodeOf = (show: number) =>
  shows
    .slice(0, show - 1)
    .flatMap(({ episodes }) => episodes)
    .filter(({ isAnnounced }) => !isAnnounced).length + 1;

/** Pages that a visitor can open; the texts of `awkward` try to break the layout. */
export const PUBLIC = [
  '/',
  '/es',
  '/login',
  '/es/register',
  '/login/forgot-password',
  '/contact',
  '/podcatcher',
  '/es/podcatcher?device=iphone&app=apple_podcasts',
  '/podcatcher?device=computer&app=apple_podcasts',
  '/es/podcatcher?device=android&app=other',
  '/report',
  '/es/report?page=/@ada/p/lullabies',
  '/pricing',
  '/es/precios',
  '/calculator',
  '/es/calculadora?subscribers=100000&price=499,99&donations=100000&sales=100000',
  '/privacy-policy',
  '/es/terminos-y-condiciones',
  '/cookies',
  '/es/cookies',
  '/es/aviso-legal',
  '/data-processing-agreement',
  '/es/contrato-de-encargo-de-tratamiento',
  '/blog',
  '/es/blog/tag/dinero',
  '/blog?search=feed',
  '/blog/move-a-podcast',
  '/es/blog/cuanto-cuesta-y-da-un-podcast-de-pago',
  '/es/pages/como-medimos',
  '/features',
  '/es/funcionalidades',
  '/podcast-hosting',
  '/es/hosting-podcast',
  '/faq',
  '/es/preguntas-frecuentes',
  '/creator-stories',
  '/es/creator-stories',
  '/es/recursos',
  '/resources/audio-before-upload',
  '/es/equipo',
  '/manifesto',
  '/status',
  '/es/status',
  '/affiliate-program',
  '/es/programa-de-afiliados',
  '/es/go-paid',
  '/webinars',
  '/help',
  '/es/ayuda/escuchar-un-feed-privado',
  '/es/ayuda?search=feed',
  '/help?search=zzzzzz',
  '/move-from',
  '/es/mudarse-desde/ivoox',
  '/move-from/supercast',
  '/feed-preview',
  '/discover',
  '/es/descubrir?search=olas',
  '/discover?search=zzzzzz',
  '/@ada',
  '/es/@ada?q=voices',
  '/discover?search=voices',
  '/@lucia/n',
  '/es/@lucia/n/el-ruido-de-la-lluvia-en-una-lata',
  '/es/@lucia/p/postales-sonoras',
  '/@ada/p/lullabies/for-a-satellite',
  '/es/@lucia/p/noches-de-taller/antes-de-entrar/soundbites/1',
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
  '/@awkward/newsletter-form',
  '/es/join-newsletter?token=unknown',
  '/invitation?token=unknown',
  '/oauth/authorize?client_id=unknown',
  '/es/products/import/confirm?token=unknown',
  '/undo-redirect?token=unknown',
  '/es/login/reset-password?token=unknown',
  '/verify-email?token=unknown',
  '/es/confirm-email/new?token=unknown',
  '/confirm-feed-owner?token=unknown',
  '/confirm-newsletter-sender?token=unknown',
  '/es/unsubscribe?token=unknown',
  '/undo-deletion?token=unknown',
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

/** A paid show of Lucía's, which has every page; an operator sees her, too. */
const SAMPLES = {
  'podcasts/:id': NIGHTS,
  'episodes/:episodeId': firstEpisodeOf(NIGHTS),
  'edit/:episodeId': firstEpisodeOf(NIGHTS),
  'audio-insertion/:campaignId': 1,
  'subscribers/:userId': userOf('nora'),
  'donation/:id': 1,
  'audience/:id': 1,
  'newsletter/:id': 1,
  'automations/:id': 1,
  'emails/:step': 3,
  'edit/:id': 2,
  'newsletter-preview/:id': 1,
  'users/:id': 1,
  'creators/:id': 1,
};

/** Pages that no list opens by their address, and why. */
export const NOT_OPENED: Record<string, string> = {
  'account/connect': 'needs the answer of an identity provider',
  'account/first-login': 'redirects accounts that have answered it',
  'audience/contact': 'a link opens it',
  'auth/login-code': 'needs the first step of a log-in',
  'auth/register-complete': 'needs the answer of an identity provider',
  error: 'answers with the status that its query names',
  'marketing/previewed-feed': 'needs a link that the form makes',
  'marketing/show-by-slug': 'redirects to the show, or to Discover',
  'moving/old-feed': 'no show of the demo has an old feed',
  'not-found': 'browsers report its status as an error',
  'product/episode-suggestions': 'needs a language model',
  'public/creator-preview': 'is sent by the form of the page',
  'public/campaign-report': 'needs a link that the studio makes',
  'public/figures': 'needs a link that the studio makes',
  'public/preview': 'needs a link that the studio makes',
  'start/resume': 'redirects to the next step',
  'subscriptions/receipt': 'a link opens it',
  'subscriptions/yearly': 'a link opens it',
};
const routed = pagesBelow('dashboard/layout', SAMPLES).filter((page) => !(moduleAt(page) in NOT_OPENED));
const isOfOperators = (page: string) => moduleAt(page).startsWith('admin/');

/** Pages of operators. */
export const OPERATOR = routed.filter(isOfOperators);

/** Pages of the studio, for Lucía: all of them, and some in another state. */
export const STUDIO = [
  ...routed.filter((page) => !isOfOperators(page)),
  '/es/feed',
  '/es/plans?plan=BASIC',
  '/podcasts/3/subscribers',
  `/podcasts/${NIGHTS}/subscribers/${userOf('sara')}`,
  '/es/account/podcasts/3/subscribers?search=zzz',
  '/es/audience?status=inactive&sort=name',
  '/audience?search=zzz',
  '/newsletter/edit/2?step=audience',
  '/es/newsletter/edit/2?step=seo',
  '/newsletter/edit/2?step=review',
  '/es/newsletter-preview/1?scheme=dark&width=phone&part=paid',
  '/es/newsletter/automations/1',
  '/newsletter/automations/2',
  '/coupons?state=disabled&search=zzz',
  '/es/account/creator-page',
  '/es/calendar?month=2020-01',
  '/donation/1/subscribers?search=zzz',
  // a free show
  '/podcasts/1',
  '/es/podcasts/1/distribution',
  '/podcasts/1/settings/price',
  '/es/podcasts/1/import-subscribers',
  '/podcasts/1/episodes/2',
  '/es/podcasts/1/episodes/2/chapters',
  '/podcasts/1/episodes/2/promo',
  '/podcasts/1/audio-insertion/places',
  '/podcasts/1/audio-insertion/cut',
  '/es/podcasts/1/audio-insertion/cut?episode=2&for=new',
  '/es/podcasts/1/audio-insertion/places',
  '/podcasts/1/episodes/2/audio-insertion',
  '/es/podcasts/1/episodes/2/audio-insertion',
  '/es/podcasts/1/episodes/2/transcript',
  '/podcasts/1/episodes/2/transcription',
  '/podcasts/1/episodes/2/soundbites',
  '/podcasts/1/episodes/edit/2',
  '/podcasts/1/episodes/2/transcript?edit=1',
  // scheduled: the form shows its time in the browser's time zone, too
  '/es/podcasts/1/episodes/edit/6',
];

/** Pages of the studio, for the creator of `scripts/journey-cast.ts`. */
export const AWKWARD_STUDIO = [
  '/dashboard',
  '/products',
  '/es/creator-page',
  '/creator-page/look',
  '/es/creator-page/sections',
  '/creator-page/links',
  '/es/creator-page/support',
  `/podcasts/${LONG}`,
  `/podcasts/${LONG}/distribution`,
  `/es/podcasts/${LONG}/metric`,
  `/podcasts/${LONG}/metric/imported`,
  `/es/podcasts/${LONG}/redirect`,
  `/es/podcasts/${LONG}/published`,
  `/es/podcasts/${LONG}/episodes/${W}`,
  `/podcasts/${LONG}/episodes/edit/${W}`,
  `/es/audio-series/${ARABIC}/episodes/${SEA}`,
  `/audio-series/${ARABIC}/episodes/${SEA}/metric`,
  `/es/audio-series/${ARABIC}/episodes/${SEA}/soundbites`,
  '/profile/developers',
  '/profile/developers/apps',
  '/profile/developers/webhooks',
  '/profile/developers/requests',
  '/spotify',
  '/es/spotify?problem=linked_elsewhere',
];

/** A page whose address contains an ID that the demo does not fix. */
export type LinkedPage = { on: string; link: string };

/** Further pages of the studio, for Lucía. */
export const LINKED_STUDIO: LinkedPage[] = [
  { on: '/profile/developers/webhooks', link: '[href*="endpoint="]' },
  { on: '/es/profile/developers/webhooks', link: '[href*="endpoint="]' },
];

/** Pages of listeners, for Eva: a trial, an ended subscription, and payments, one of them refunded. */
export const LISTENER = [
  '/account/billing',
  '/es/account/billing/payment-methods',
  '/account/billing/receipts',
  { on: '/es/account/billing/receipts', link: '[href*="/receipts/"]' },
  '/es/add/card',
  '/feed?view=purchases',
  '/es/logout',
  { on: '/account/billing', link: '[href*="/yearly/"]' },
  '/es/feed/all?replace=overcast',
  '/es/spotify',
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
