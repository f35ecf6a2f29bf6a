import { LANGUAGES } from '~/locales/languages';
import { SITE_SLUGS } from '~/locales/site-slugs';
import { KINDS } from '../domain/products/kinds';
import { STUDIO_PAGES } from '../policy/studio-pages';

/** First segments of the addresses that search engines show or read: pages of the site, and players. */
const FOR_ROBOTS = [
  'contact',
  'podcast',
  'podcatcher',
  'embed',
  'oembed',
  'manifest.webmanifest',
  'developers',
  'pages',
  'content-pictures',
  ...Object.values(SITE_SLUGS).flatMap((names) => Object.values(names)),
];

const STUDIO = [
  ...new Set(Object.values(STUDIO_PAGES).map(({ path }) => path.split('/')[0]!)),
  ...Object.values(KINDS).map(({ path }) => path),
];

/**
 * The studio, which records clips, and the pages from which people come to it: a route change keeps the headers of the
 * document in which it happens.
 */
const RECORDING = ['login', 'register', 'first-login', 'start', 'profile', 'billing', 'plans', 'account', ...STUDIO];
const RECORDING_PATH = new RegExp(`^(?:/(?:${LANGUAGES.join('|')}))?/(?:${RECORDING.join('|')})(?:/|$)`);

/** Whether the document at a path may ask for the microphone. */
export const mayRecord = (path: string): boolean => RECORDING_PATH.test(path);

/** Pages that need a log-in, belong to one visitor, or have no content of their own. */
export const NOT_FOR_ROBOTS = [
  ...words(
    'login register logout verify-email confirm-email confirm-feed-owner confirm-newsletter-sender undo-deletion undo-redirect invitation first-login',
  ),
  ...words('report figures follow feed join-newsletter unsubscribe donation thanks add card gift'),
  ...words('newsletter-settings newsletter-preview opened clicked recommended feed-preview'),
  ...words('admin leaving start profile billing plans spotify account edit'),
  ...STUDIO,
  ...words('api v1 mcp oauth uploads soundbite-videos exports metrics webhooks old-feeds _dev _sandbox'),
];

/** Pages and doors of the app that no creator's host serves. */
export const APP_ONLY = [...FOR_ROBOTS, ...NOT_FOR_ROBOTS];

function words(text: string): string[] {
  return text.split(' ');
}
