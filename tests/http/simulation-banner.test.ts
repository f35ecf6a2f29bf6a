import { expect, test } from 'vitest';
import textsEn from '~/locales/en/common.json';
import textsEs from '~/locales/es/common.json';
import { parseEnv } from '~/server/env/read';
import { createApp } from '~/server/http/app';
import { toRendered } from '~/server/http/shared-response';
import { pagesBuild } from '../support/pages-build';
import { creator, draft, product } from '../support/people';
import { testRuntime } from '../support/runtime';

const { runtime, env } = await testRuntime({ CREATOR_URLS: 'path' });
const APP = env.urls.appUrl;
const production = { APP_ENV: 'production', APP_URL: 'https://altavoz.example', ALLOW_DEV_FALLBACKS: '1' };
const lucia = await creator(runtime, { domain: 'lucia' });
const olas = await product(runtime, lucia);
const episode = await draft(runtime, lucia, olas);
const build = pagesBuild();
const NOTICE = { en: textsEn['simulation.text'], es: textsEs['simulation.text'] };

/** The whole app over the product's own pages, as these settings open it. */
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
    clientDir: null,
    doors: [],
  });
}

const simulating = open({ ...production, ALLOW_SANDBOX_PAYMENTS: '1' });
const token = `token=${lucia.token}; podcaster=${lucia.creatorId}`;

/** Path, status, whether it is the studio's. */
const PAGES: [string, number, boolean][] = [
  ['', 200, false],
  ['/login', 200, false],
  ['/register', 200, false],
  ['/verify-email', 200, false],
  ['/@lucia', 200, false],
  [`/@lucia/p/${olas.slug}`, 200, false],
  ['/error?code=500', 500, false],
  ['/nowhere', 404, false],
  ['/@nobody', 404, false],
  ['/dashboard', 200, true],
  ['/products', 200, true],
  ['/creator-page', 200, true],
  [`/edit/podcasts/${olas.id}`, 200, true],
  [`/podcasts/${olas.id}/episodes/${episode.id}`, 200, true],
  ['/podcasts/999999', 404, true],
];

for (const language of ['en', 'es'] as const)
  test.each(PAGES)(
    `/${language}%s says that payments are simulated, before any script runs`,
    async (path, status, studio) => {
      const headers = { 'user-agent': 'Test/1.0', ...(studio && { cookie: token }) };

      const answer = await simulating.request(`${APP}/${language}${path}`, { headers });

      const html = await answer.text();
      expect([answer.status, answer.headers.get('location')]).toEqual([status, null]);
      expect(html.match(/<section class="simulation"[^>]*>[^<]*/g)).toEqual([
        `<section class="simulation" aria-label="${language === 'en' ? 'Notice' : 'Aviso'}">${NOTICE[language]}`,
      ]);
    },
  );

test.each([
  ['a production that takes no payments', production],
  ['a production over Stripe', { ...production, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' }],
  [
    'a production over Stripe that would allow the sandbox',
    { ...production, ALLOW_SANDBOX_PAYMENTS: '1', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRETS: 'whsec_1' },
  ],
  ['a local installation', {}],
])('%s says nothing of the kind', async (_, settings) => {
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

test('a page that says so is kept for the next visitor like any other', async () => {
  const answer = await simulating.request(`${APP}/en/@lucia`);

  const { tags, body } = await toRendered(answer);

  expect(tags).not.toEqual([]);
  expect(body.toString()).toContain(NOTICE.en);
});
