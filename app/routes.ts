import type { RouteConfigEntry } from '@remix-run/route-config';
import { LANGUAGES } from '../locales/languages';
import { SITE_SLUGS, type SitePage } from '../locales/site-slugs';
import { KINDS } from '../server/domain/products/kinds';
import { DEVELOPER_PAGES, SHOW_PAGES, STUDIO_PAGES } from '../server/policy/studio-pages';
import { WORKER_PATH } from './service-worker/path';

/** Its path below the language prefix, and its module below app/routes. Without a path, it is the layout of its children. */
type Page = readonly [path: string, file: string, children?: readonly Page[]];

/** The pages of the site, whose modules have the names of their slugs. */
const slugsOf = (page: SitePage) => [...new Set<string>(Object.values(SITE_SLUGS[page]))];
const WITH_SLUGS = (Object.keys(SITE_SLUGS) as SitePage[]).flatMap((page) =>
  slugsOf(page).map((slug): Page => [slug, `marketing/${page}`]),
);
const textsBelow = (page: SitePage, file: string) =>
  slugsOf(page).map((slug): Page => [`${slug}/:slug`, `marketing/${file}`]);

/** Marketing and authentication. On a creator's host, `/` is the creator page. */
const SITE: Page[] = [
  ['', 'front'],
  ['login', 'auth/login'],
  ['login/code', 'auth/login-code'],
  ['login/forgot-password', 'auth/forgot-password'],
  ['login/reset-password', 'auth/reset-password'],
  ['login/:provider', 'auth/identity-start'],
  ['login/:provider/callback', 'auth/identity-callback'],
  ['register', 'auth/register'],
  ['register/payment', 'buying/payment'],
  ['register/gift', 'gifts/buy'],
  ['gift', 'gifts/redeem'],
  ['thanks', 'buying/thanks'],
  ['register/complete', 'auth/register-complete'],
  ['logout', 'auth/logout'],
  ['language', 'language'],
  ['verify-email', 'auth/verify-email'],
  ['confirm-email/:side', 'auth/confirm-email'],
  ['confirm-feed-owner', 'auth/confirm-feed-owner'],
  ['confirm-newsletter-sender', 'newsletter/confirm-sender'],
  ['join-newsletter', 'newsletter/join'],
  ['unsubscribe', 'public/unsubscribe'],
  ['unsubscribe/data.json', 'public/own-data'],
  ['recommended/:token', 'public/recommended'],
  ['figures/campaign/:token', 'public/campaign-report'],
  ['figures/campaign/:token/impressions.csv', 'public/campaign-report-csv'],
  ['figures/campaign/:token/report.pdf', 'public/campaign-report-pdf'],
  ['figures/:token', 'public/figures'],
  ['figures/:token/chart.csv', 'public/figures-csv'],
  ['donation/stop', 'donation/stop'],
  ['donation/:id', 'donation/give'],
  ['donation/:id/subscribers.csv', 'donation/donors-csv'],
  ['register/donation-payment', 'donation/give'],
  ['follow', 'feed/follow'],
  ['feed', 'feed/my-feed'],
  ['feed/:productId', 'feed/links'],
  ['podcatcher', 'feed/podcatcher'],
  ['account/billing', 'subscriptions/subscriptions'],
  ['account/billing/yearly/:id', 'subscriptions/yearly'],
  ['account/billing/payment-methods', 'subscriptions/payment-methods'],
  ['account/billing/receipts', 'subscriptions/receipts'],
  ['account/billing/receipts/:id', 'subscriptions/receipt'],
  ['account/billing/receipts/:id/pdf', 'subscriptions/receipt-pdf'],
  ['account/billing/receipts/:id/credit-notes/:note/pdf', 'subscriptions/credit-note-pdf'],
  ['add/card', 'subscriptions/add-card'],
  ['card', 'subscriptions/pay-overdue'],
  ['saved', 'public/saved'],
  ['manifest.webmanifest', 'site/manifest'],
  ['creator-page/preview', 'public/creator-preview'],
  ['undo-deletion', 'auth/undo-deletion'],
  ['undo-redirect', 'moving/undo-redirect'],
  ['invitation', 'auth/invitation'],
  ['oauth/authorize', 'account/authorize'],
  ['products/import/confirm', 'rss-import/confirm'],
  ['contact', 'marketing/contact'],
  ['report', 'marketing/report'],
  ...WITH_SLUGS,
  [`${SITE_SLUGS.blog.en}/feed.xml`, 'marketing/blog-feed'],
  [`${SITE_SLUGS.status.en}/feed.xml`, 'marketing/status-feed'],
  [`${SITE_SLUGS.blog.en}/tag/:tag`, 'marketing/blog'],
  ...textsBelow('blog', 'post'),
  ...textsBelow('help', 'help-article'),
  ...textsBelow('resources', 'resource'),
  ...textsBelow('moving', 'host-guide'),
  ['pages/:slug', 'marketing/site-text'],
  ['feed-preview', 'marketing/feed-preview'],
  ['feed-preview/:token', 'marketing/previewed-feed'],
  ['podcast', 'marketing/show-by-slug'],
  ['podcast/:slug', 'marketing/show-by-slug'],
];

/** The creators' public pages, on their own hosts and at `/@domain`. */
const PUBLIC: Page[] = [
  ['p/:slug', 'public/podcast'],
  ['p/:slug/:episodeSlug', 'public/episode'],
  ['p/:slug/:episodeSlug/soundbites/:soundbiteId', 'public/soundbite'],
  ['newsletter-form', 'newsletter/form'],
  ['n', 'newsletter/archive'],
  ['n/feed.xml', 'newsletter/archive-feed'],
  ['n/:slug', 'newsletter/archived'],
  ['preview/:token', 'public/preview'],
  ['embed/:episodeId', 'public/embed'],
  ['embed/p/:productId', 'public/embed'],
  [':handle', 'public/creator-page'],
  [':handle/p/:slug', 'public/podcast'],
  [':handle/p/:slug/:episodeSlug', 'public/episode'],
  [':handle/p/:slug/:episodeSlug/soundbites/:soundbiteId', 'public/soundbite'],
  [':handle/newsletter-form', 'newsletter/form'],
  [':handle/n', 'newsletter/archive'],
  [':handle/n/feed.xml', 'newsletter/archive-feed'],
  [':handle/n/:slug', 'newsletter/archived'],
  [':handle/preview/:token', 'public/preview'],
];

// ───────────────────────────── The studio's pages: Mantine only below its layout ─────────────────────────────
/** Files, without the studio's frame. */
const productFiles = (base: string): Page[] =>
  Object.values(KINDS).flatMap(({ path, buyers }): Page[] => [
    [`${base}${path}/:id/${buyers}.csv`, 'sales/buyers-csv'],
    [`${base}${path}/:id/import-subscribers/:importId.csv`, 'moving/problem-lines-csv'],
    [`${base}${path}/:id/old-private-feeds.csv`, 'moving/old-feeds-csv'],
    [`${base}${path}/:id/metric/chart.csv`, 'product/statistics-csv'],
    [`${base}${path}/:id/audio-insertion/:campaignId/impressions.csv`, 'insertions/campaign-csv'],
    [`${base}${path}/:id/metric/imported/left-out.csv`, 'product/imported-history-csv'],
    [`${base}${path}/:id/episodes/:episodeId/metric/chart.csv`, 'product/episode-statistics-csv'],
  ]);

/** Both kinds of product have the same pages, each below its own path (spec §2.1) and below `account/` (spec §2.2). */
const productPages = (base: string): Page[] =>
  Object.values(KINDS).flatMap(({ path, buyers }): Page[] => {
    const show = `${base}${path}/:id`;
    const others = SHOW_PAGES.filter(({ isTab, isEpisodeTab }) => !isTab && !isEpisodeTab);
    return [
      ...others.map((page): Page => [`${show}/${page.path}`, page.file]),
      [`${show}/${buyers}/:userId`, 'sales/buyer'],
    ];
  });

/**
 * The pages with the head of their show. Their layout has no path: a form that is sent to the path of a layout would
 * not reach the page.
 */
const productTabs = (base: string): Page[] =>
  Object.values(KINDS).flatMap(({ path, buyers }): Page[] => {
    const show = `${base}${path}/:id`;
    const tabs = SHOW_PAGES.filter(({ isTab }) => isTab);
    return [
      ...tabs.map((page): Page => [show + (page.path && `/${page.path}`), page.file]),
      [`${show}/${buyers}`, 'sales/buyers'],
    ];
  });

/** The pages with the head of their episode, below a layout without a path, too. */
const episodeTabs = (base: string): Page[] =>
  Object.values(KINDS).flatMap(({ path }): Page[] =>
    SHOW_PAGES.filter(({ isEpisodeTab }) => isEpisodeTab).map(
      (page): Page => [`${base}${path}/:id/${page.path}`, page.file],
    ),
  );

const productEditPages = (base: string): Page[] =>
  Object.values(KINDS).flatMap(({ path }): Page[] => [
    [`${base}edit/${path}/:id`, 'product/moved'],
    [`${base}edit/${path}/:id/free`, 'product/free'],
  ]);

const OPERATOR_PAGES = 'jobs imports mail payouts books reports take-downs featured flags announcements'.split(' ');

const STUDIO: Page[] = [
  ...productFiles(''),
  ...productFiles('account/'),
  ['audience/import/:importId.csv', 'audience/import-csv'],
  ['audience/contacts.csv', 'audience/contacts-csv'],
  ['newsletter-preview/:id/email', 'newsletter/preview-email'],
  ['metric/chart.csv', 'dashboard/statistics-csv'],
  ['metric/report.pdf', 'dashboard/report-pdf'],
  ['money/statement.csv', 'money/statement-csv'],
  ['money/statement.pdf', 'money/statement-pdf'],
  ['admin/payouts/transfers.xml', 'admin/transfers-xml'],
  ['money/payouts/:id/:paper', 'money/paper-pdf'],
  [
    '',
    'dashboard/layout',
    [
      ...Object.values(STUDIO_PAGES).map(({ path, file }): Page => [path, file]),
      ['first-login', 'account/first-login'],
      [
        '',
        'account/settings-layout',
        [
          ['billing', 'account/billing'],
          ['billing/account', 'account/stripe'],
          ['billing/:part', 'account/billing'],
          ['plans', 'account/plans'],
          ['spotify', 'account/spotify'],
        ],
      ],
      ['billing/account/connected', 'account/stripe-callback'],
      ['spotify/callback', 'account/spotify-callback'],
      ['go-paid/plans', 'account/go-paid'],
      [
        'profile',
        'account/settings-layout',
        [
          ['', 'account/profile'],
          ['notifications', 'account/notifications'],
          ['security', 'account/security'],
          ['security/connect', 'account/connect'],
          ['data', 'account/data'],
          ...DEVELOPER_PAGES.map(({ path, file }): Page => [path, file]),
        ],
      ],
      [
        'start',
        'start/layout',
        [
          ['', 'start/resume'],
          ['reason', 'start/reason'],
          ['page', 'start/page'],
          ['about', 'start/about'],
          ['share', 'start/share'],
        ],
      ],
      ['donation/:id/subscribers', 'donation/donors'],
      ['admin', 'admin/overview'],
      ['admin/users', 'admin/users'],
      ['admin/users/:id', 'admin/user'],
      ['admin/creators', 'admin/creators'],
      ['admin/creators/:id', 'admin/creator'],
      ...OPERATOR_PAGES.map((name): Page => [`admin/${name}`, `admin/${name}`]),
      ['leaving', 'moving/leaving'],
      ['money/statement', 'money/statement'],
      ['audience/import', 'audience/import'],
      ['audience/add', 'audience/contact-new'],
      ['audience/:id', 'audience/contact'],
      ['newsletter-settings', 'newsletter/settings'],
      ['newsletter-settings/domain', 'newsletter/domain'],
      ['newsletter/create', 'newsletter/create'],
      ['newsletter/edit/:id', 'newsletter/edit'],
      ['newsletter/automations', 'newsletter/automations'],
      ['newsletter/automations/:id', 'newsletter/automation'],
      ['newsletter/automations/:id/emails/:step', 'newsletter/automation-step'],
      ['newsletter/:id', 'newsletter/edition'],
      ['newsletter-preview/:id', 'newsletter/preview'],
      ['coupons/create', 'sales/coupon-new'],
      ['audio-insertion/create', 'insertions/choose-show'],
      ['account/creator-page', 'dashboard/creator-page'],
      ['creator-page/:part', 'dashboard/creator-page'],
      ['recommendation/select-recommendation', 'dashboard/select-recommendation'],
      ['account/promotions', 'dashboard/promotions'],
      ['products/import', 'dashboard/import'],
      ...Object.values(KINDS).map(({ path }): Page => [`account/${path}`, 'dashboard/products']),
      ['account/products', 'dashboard/products'],
      ['account/products/create', 'dashboard/create-product'],
      ...productEditPages(''),
      ...productEditPages('account/'),
      ['', 'product/layout', [...productTabs(''), ...productTabs('account/')]],
      ['', 'product/episode-layout', [...episodeTabs(''), ...episodeTabs('account/')]],
      ...productPages(''),
      ...productPages('account/'),
    ],
  ],
];
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Last: a catch-all route, so that the root loader provides the language of the 404 page. */
const REST: Page[] = [
  ['error', 'error'],
  ['*', 'not-found'],
];

const PAGES = [...SITE, ...PUBLIC, ...STUDIO, ...REST];

/**
 * Remix accepts one file for several routes if each has its own id. Its functions for such entries load its compiler,
 * which would slow down tests of pages.
 */
function entry([path, file, children]: Page, under: string, prefix = ''): RouteConfigEntry {
  const id = `${under}/${path || 'index'}:${file}`;
  const module = { id, file: `routes/${file}.tsx` };
  const isLayout = path === '' && children !== undefined;
  const below = children?.map((child) => entry(child, id, isLayout ? prefix : ''));
  if (isLayout) return { ...module, children: below };
  const full = [prefix, path].filter(Boolean).join('/');
  return { ...module, path: full || undefined, ...(path === '' ? { index: true } : { children: below }) };
}

/** Each language is mounted separately, because `:locale?` would double the route matcher's work for every request. */
export default [
  // one worker per host, for all of its pages
  { path: WORKER_PATH.slice(1), file: 'routes/site/service-worker.tsx', id: 'service-worker' },
  ...PAGES.map((page) => entry(page, 'any')),
  ...LANGUAGES.flatMap((language) => PAGES.map((page) => entry(page, language, language))),
];
