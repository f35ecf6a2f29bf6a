import { expect, test } from 'vitest';
import textsEn from '~/locales/en/common.json';
import textsEs from '~/locales/es/common.json';
import { createApp } from '~/server/doors/app';
import { parseEnv } from '~/server/env/read';
import { toRendered } from '~/server/http/caches/shared-response';
import { createShowLanguages } from '~/server/http/caches/show-language';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';

const { runtime, env, lucia, podcast, episodes } = await cast({ settings: { CREATOR_URLS: 'path' } });
const APP = env.urls.appUrl;
const production = { APP_ENV: 'production', APP_URL: 'https://altavoz.example', ALLOW_DEV_FALLBACKS: '1' };
const build = pagesBuild();
const NOTICE = { en: textsEn['notice.simulation'], es: textsEs['notice.simulation'] };

/** The app with its real pages and these settings. */
function open(settings: Record<string, string>) {
  const { simulatesPayments } = parseEnv(settings);
  return createApp(runtime, {
    rules: { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 },
    policy: { urls: env.urls, uploadOrigin: null, development: false },
    readiness: { stopping: false },
    metricsToken: null,
    inboxUrl: null,
    simulatesPayments,
    build,
    showLanguages: createShowLanguages(runtime.db),
    clientDir: null,
    doors: [],
  });
}

const simulating = open({ ...production, ALLOW_SANDBOX_PAYMENTS: '1' });
const token = `token=${lucia.token}; podcaster=${lucia.creatorId}`;

/** Path, status, and whether the page belongs to the studio. */
const PAGES: [string, number, boolean][] = [
  ['', 200, false],
  ['/login', 200, false],
  ['/register', 200, false],
  ['/verify-email', 200, false],
  ['/@lucia', 200, false],
  [`/@lucia/p/${podcast.slug}`, 200, false],
  ['/error?code=500', 500, false],
  ['/unknown', 404, false],
  ['/@unknown', 404, false],
  ['/dashboard', 200, true],
  ['/products', 200, true],
  ['/creator-page', 200, true],
  [`/podcasts/${podcast.id}/settings`, 200, true],
  [`/podcasts/${podcast.id}/episodes/${episodes.podcast.public.id}`, 200, true],
  ['/podcasts/999999', 404, true],
];

for (const language of ['en', 'es'] as const)
  test.each(PAGES)(`/${language}%s has the notice of simulated payments in its HTML`, async (path, status, studio) => {
    const headers = { 'user-agent': 'Test/1.0', ...(studio && { cookie: token }) };

    const response = await simulating.request(`${APP}/${language}${path}`, { headers });

    const html = await response.text();
    expect([response.status, response.headers.get('location')]).toEqual([status, null]);
    expect(html.match(/<section class="simulation"[^>]*>[^<]*/g)).toEqual([
      `<section class="simulation" aria-label="${language === 'en' ? 'Notice' : 'Aviso'}">${NOTICE[language]}`,
    ]);
  });

test.each([
  ['production without payments', production],
  ['production with Stripe', { ...production, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }],
  [
    'production with Stripe that allows the sandbox',
    { ...production, ALLOW_SANDBOX_PAYMENTS: '1', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
  ],
  ['a local installation', {}],
])('%s shows no notice of simulated payments', async (_, settings) => {
  const app = open(settings);

  const pages = await Promise.all(
    ['/en', '/en/@lucia', '/en/dashboard'].map(async (path) =>
      (await app.request(`${APP}${path}`, { headers: { cookie: token } })).text(),
    ),
  );

  for (const html of pages) {
    expect(html).toContain('<html');
    expect(html).not.toContain('class="simulation"');
  }
});

test('a page with the notice is cached like any other page', async () => {
  const response = await simulating.request(`${APP}/en/@lucia`);

  const { tags, body } = await toRendered(response);

  expect(tags).not.toEqual([]);
  expect(body.toString()).toContain(NOTICE.en);
});
