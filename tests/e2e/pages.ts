/** Pages that a visitor can open; the texts of `awkward` try to break the layout. */
export const PUBLIC = [
  '/',
  '/es',
  '/login',
  '/es/register',
  '/login/forgot-password',
  '/contact',
  '/privacy-policy',
  '/es/terminos-y-condiciones',
  '/@ada',
  '/es/@lucia/p/postales-sonoras',
  '/@ada/p/lullabies/for-a-satellite',
  '/@awkward',
  '/es/@awkward/p/long',
  '/@awkward/p/arabic',
  `/@awkward/p/long/${'w'.repeat(80)}`,
  '/invitation?token=unknown',
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
  '/profile/notifications',
  '/es/profile/security',
  '/profile/data',
  '/es/products',
  '/products/create',
  '/creator-page',
  '/team',
  '/calendar',
  '/es/calendar?month=2020-01',
  '/es/team',
  '/podcasts/1',
  '/edit/podcasts/1',
  '/edit/podcasts/1/free',
  '/es/podcasts/1/episodes/create',
  '/podcasts/1/episodes/2',
  '/es/podcasts/1/episodes/2/chapters',
  '/podcasts/1/promotions?episode=2',
  '/podcasts/1/episodes/edit/2',
  // scheduled: the form shows its time in the browser's time zone, too
  '/es/podcasts/1/episodes/edit/6',
];

/** Pages of the studio, for the creator of `scripts/journey-cast.ts`. */
export const AWKWARD_STUDIO = [
  '/dashboard',
  '/products',
  '/es/creator-page',
  '/podcasts/4',
  '/es/podcasts/4/episodes/14',
  '/podcasts/4/episodes/edit/14',
  '/es/audio-series/5/episodes/15',
];
