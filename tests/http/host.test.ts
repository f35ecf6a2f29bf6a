import type { RouteConfigEntry } from '@remix-run/route-config';
import { expect, test } from 'vitest';
import routes from '~/app/routes';
import { decideSite, type HostRules, requestHost } from '~/server/http/host';

const local: HostRules = {
  appUrl: 'http://altavoz.localhost:3000',
  publicRoot: 'altavoz.localhost:3000',
  creatorHostPrefix: 'staging-',
  creatorUrls: 'host',
  mediaUrl: null,
  allowsUnprefixedHosts: true,
  trustProxy: false,
};
const production: HostRules = {
  ...local,
  appUrl: 'https://app.altavoz.example',
  publicRoot: 'altavoz.example',
  creatorHostPrefix: '',
  allowsUnprefixedHosts: false,
};
const staging: HostRules = { ...production, creatorHostPrefix: 'staging-' };
const byPath: HostRules = { ...production, creatorUrls: 'path' };

function decide(rules: HostRules, host: string, url = '/', method = 'GET') {
  return decideSite(rules, { host: requestHost({ host }, rules.trustProxy), method, url });
}

/** A short form for the tables: `app`, `lucia es /p/x (host)`, `301 https://…`. */
function describeSite(rules: HostRules, host: string, url?: string, method?: string): string {
  const site = decide(rules, host, url, method);
  if (site.kind === 'redirect') return `${site.status} ${site.to}`;
  if (site.kind !== 'creator') return site.kind;
  return [site.domain, site.language, site.path, `(${site.form})`].filter(Boolean).join(' ');
}

test.each([
  ['altavoz.localhost:3000', '/', 'app'],
  ['ALTAVOZ.localhost.:3000', '/login', 'app'],
  ['localhost:3000', '/', 'app'],
  ['127.0.0.1:3000', '/products/', 'app'],
  ['[::1]:3000', '/', 'app'],
  ['web', '/', 'app'],
  ['staging-lucia.altavoz.localhost:3000', '/', 'lucia / (host)'],
  ['lucia.altavoz.localhost:3000', '/', 'lucia / (host)'],
  ['Staging-LUCIA.Altavoz.Localhost.:4100', '/p/ruido', 'lucia /p/ruido (host)'],
  ['staging-lucia.altavoz.localhost', '/es', 'lucia es / (host)'],
  ['staging-lucia.altavoz.localhost', '/es/p/ruido?page=2', 'lucia es /p/ruido (host)'],
  ['staging-lucia.altavoz.localhost', '/p/ruido/feed.xml', 'lucia /p/ruido/feed.xml (host)'],
  ['staging-lucia.altavoz.localhost', '/?utm_source=x', 'lucia / (host)'],
  ['a.lucia.altavoz.localhost', '/', 'unknown'],
  ['-x.altavoz.localhost', '/', 'unknown'],
  ['evil.example', '/', 'unknown'],
  ['altavoz.localhost.evil.example', '/', 'unknown'],
  ['xaltavoz.localhost', '/', 'unknown'],
  ['', '/', 'app'],
])('locally, %s%s leads to %s', (host, url, expected) => {
  expect(describeSite(local, host, url)).toBe(expected);
});

test.each([
  ['app.altavoz.example', '/', 'app'],
  ['altavoz.example', '/pricing', '301 https://app.altavoz.example/pricing'],
  ['www.altavoz.example', '/', '301 https://app.altavoz.example/'],
  ['lucia.altavoz.example', '/p/x', 'lucia /p/x (host)'],
  ['staging-lucia.altavoz.example', '/', 'unknown'],
  ['10.0.0.7', '/healthz', 'app'],
])('in production, %s%s leads to %s', (host, url, expected) => {
  expect(describeSite(production, host, url)).toBe(expected);
});

test('with a host prefix in production, the host without it belongs to another deployment', () => {
  expect(describeSite(staging, 'staging-lucia.altavoz.example')).toBe('lucia / (host)');
  expect(describeSite(staging, 'lucia.altavoz.example')).toBe('unknown');
});

test.each([
  ['localhost:3000', '/@lucia', 'lucia / (path)'],
  ['127.0.0.1', '/@Lucia/p/ruido?page=2', 'lucia /p/ruido (path)'],
  ['localhost', '/es/@lucia/p/ruido/feed.xml', 'lucia es /p/ruido/feed.xml (path)'],
  ['localhost', '/%40lucia', 'lucia / (path)'],
  ['localhost', '/@', 'app'],
  ['localhost', '/@../x', 'app'],
  ['altavoz.localhost', '/@lucia', '301 http://staging-lucia.altavoz.localhost:3000/'],
  ['altavoz.localhost', '/es/@lucia', '301 http://staging-lucia.altavoz.localhost:3000/es'],
  ['altavoz.localhost', '/@lucia/p/x?page=2', '301 http://staging-lucia.altavoz.localhost:3000/p/x?page=2'],
])('if creators have hosts, the path form %s%s leads to %s', (host, url, expected) => {
  expect(describeSite(local, host, url)).toBe(expected);
});

test.each([
  ['app.altavoz.example', '/@lucia/p/x', 'lucia /p/x (path)'],
  ['lucia.altavoz.example', '/', '301 https://app.altavoz.example/@lucia'],
  ['lucia.altavoz.example', '/es/p/x/feed.xml', '301 https://app.altavoz.example/es/@lucia/p/x/feed.xml'],
  ['lucia.altavoz.example', '/audio/7/x.mp3', 'lucia /audio/7/x.mp3 (host)'],
])('if creators have paths, %s%s leads to %s', (host, url, expected) => {
  expect(describeSite(byPath, host, url)).toBe(expected);
});

test.each([
  '/audio/7/x.mp3',
  '/media/images/1/a/96.webp',
  '/assets/entry-abc.js',
  '/trpc/listening.open',
  '/favicon.ico',
  '/robots.txt',
  '/_root.data',
  '/es.data',
  '/__manifest?p=%2F',
  '/p/x.data?index',
  '/healthz',
])('a creator’s host serves %s without a redirect', (url) => {
  expect(decide(local, 'staging-lucia.altavoz.localhost', url)).toMatchObject({ kind: 'creator', form: 'host' });
});

test.each([
  ['/login', 'GET', '302 http://altavoz.localhost:3000/login'],
  ['/es/register?next=%2F', 'GET', '302 http://altavoz.localhost:3000/es/register?next=%2F'],
  ['/products/', 'HEAD', '302 http://altavoz.localhost:3000/products/'],
  ['/api/podcasts/', 'POST', '307 http://altavoz.localhost:3000/api/podcasts/'],
  ['/@tom', 'GET', '302 http://altavoz.localhost:3000/@tom'],
])('a creator’s host redirects %s (%s) to the app', (url, method, expected) => {
  expect(describeSite(local, 'staging-lucia.altavoz.localhost', url, method)).toBe(expected);
});

const segmentsOf = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, children = [] }) => (path === undefined ? segmentsOf(children) : [path.split('/', 1)[0]!]));
const APP_ONLY = new Set(
  segmentsOf(routes as RouteConfigEntry[]).filter(
    (s) => !/^(?:[:*]|(?:p|n|preview|newsletter-form|saved|sw\.js|error|language|en|es|)$)/.test(s),
  ),
);

test('a creator’s host redirects every page of the app to the app', () => {
  const sites = [...APP_ONLY].map((segment) => describeSite(local, 'staging-lucia.altavoz.localhost', `/${segment}`));

  expect(APP_ONLY).toContain('dashboard');
  expect(sites).toEqual([...APP_ONLY].map((segment) => `302 http://altavoz.localhost:3000/${segment}`));
});

test.each(['/nowhere', '/passwords', '/trpcx', '/loginx', '/a/b/c', '/es/nowhere'])(
  'on a creator’s host, the missing page %s is theirs',
  (url) => {
    expect(decide(local, 'staging-lucia.altavoz.localhost', url)).toMatchObject({ kind: 'creator', domain: 'lucia' });
  },
);

test('an absolute URL in the request line cannot change the redirect target', () => {
  expect(describeSite(production, 'altavoz.example', 'http://evil.example/')).toBe('301 https://app.altavoz.example/');
  expect(describeSite(production, 'altavoz.example', '//evil.example')).toBe(
    '301 https://app.altavoz.example//evil.example',
  );
});

test('a forwarded host counts only behind a trusted proxy', () => {
  const headers = { host: 'web:3000', 'x-forwarded-host': 'Lucia.altavoz.example, inner' };

  expect(requestHost(headers, false)).toBe('web');
  expect(requestHost(headers, true)).toBe('lucia.altavoz.example');
});
