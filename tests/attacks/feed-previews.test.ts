import { afterAll, beforeEach, expect, test } from 'vitest';
import { feedPreviews } from '~/db/schema/rss-import';
import { escapeHtml } from '~/server/base/html';
import { later } from '~/server/base/time';
import { RATE_LIMITS } from '~/server/limits/http';
import { SHOW_PREVIEW_LIMITS as LIMITS } from '~/server/limits/rss-import';
import { MEGABYTES } from '~/server/limits/sizes';
import { cast } from '../support/cast';
import { feedOrigin } from '../support/feed-origin';
import { pagesApp } from '../support/pages-app';

const strict = await cast({ empty: true });
const { runtime, env, clock } = await cast({ settings: { FETCH_ALLOW_LOOPBACK: 'true' } });
const { db } = runtime;
const origin = await feedOrigin();
const other = await feedOrigin();
afterAll(() => Promise.all([origin.close(), other.close()]));
const app = pagesApp(runtime, env.urls);
const strictApp = pagesApp(strict.runtime, strict.env.urls);
const START = new Date('2026-03-02T12:00:00Z');

beforeEach(async () => {
  clock.now = START;
  await db.delete(feedPreviews);
  await db.execute('delete from rate_limits');
  await strict.runtime.db.execute('delete from rate_limits');
  for (const each of [origin, other]) {
    each.answers.clear();
    each.items = [{}];
    each.title = 'Olas de fuera';
    each.channel = '';
    each.requests.length = 0;
  }
});

async function send(url: string, { on = app, urls = env.urls, path = '/feed-preview' } = {}) {
  const appUrl = new URL(urls.appUrl);
  const response = await on.request(appUrl.origin + path, {
    method: 'POST',
    headers: { host: appUrl.host, origin: appUrl.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ url }).toString(),
  });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}

async function open(path: string) {
  const { host, origin: from } = new URL(env.urls.appUrl);
  const response = await app.request(env.urls.appUrl + path, { headers: { host, origin: from } });
  return { status: response.status, html: await response.text(), headers: response.headers };
}

test('the page is private: no cache keeps it, no search engine lists it, and only a hash finds it', async () => {
  const { status, location } = await send(origin.feedUrl());
  const { html, headers, status: shown } = await open(location!);
  const [row] = await db.select().from(feedPreviews);

  expect([status, shown]).toEqual([302, 200]);
  expect(location).toMatch(/^\/feed-preview\/[\w-]{43}$/);
  expect(html).toContain('Olas de fuera');
  expect(html).not.toContain('julia@origin.example');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(JSON.stringify(row)).not.toContain(location!.split('/').at(-1));
});

test.each([
  'http://127.0.0.1/feed.xml',
  'http://localhost/feed.xml',
  'http://[::1]/feed.xml',
  'http://[::ffff:127.0.0.1]/feed.xml',
  'http://169.254.169.254/latest/meta-data/',
  'http://10.0.0.1/feed.xml',
  'http://2130706433/feed.xml',
  'http://0x7f.1/feed.xml',
  'http://192.168.0.1/feed.xml',
  'https://ada:secret@example.com/feed.xml',
  'http://example.com:22/feed.xml',
])('%s is not fetched, and stays in the field', async (url) => {
  const { status, html } = await send(url, { on: strictApp, urls: strict.env.urls });

  expect(status).toBe(400);
  expect(html).toContain(`value="${escapeHtml(url)}"`);
  expect(await strict.runtime.db.$count(feedPreviews)).toBe(0);
});

test.each(['file:///etc/passwd', 'ftp://example.com/feed.xml', 'javascript:alert(1)', 'data:text/xml,<rss/>'])(
  'for %s, the field says how an address begins, and no server is asked',
  async (url) => {
    const { status, html } = await send(url);

    expect(status).toBe(400);
    expect(html).toContain(`value="${escapeHtml(url)}"`);
    expect(html).toContain('Enter one that begins with https:// or http://');
    expect(html).toMatch(/<input[^>]*name="url"[^>]*aria-invalid="true"|<input[^>]*aria-invalid="true"[^>]*name="url"/);
  },
);

test('a feed that leads into our network is not followed there', async () => {
  origin.answers.set('/feed.xml', (_, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  );

  expect((await send(origin.feedUrl())).status).toBe(400);
  expect(await db.$count(feedPreviews)).toBe(0);
});

test.each([
  ['a page instead of a feed', 'text/html', '<!doctype html><title>Hello</title><p>No feed.', 'has no podcast feed'],
  ['an empty answer', 'application/rss+xml', '', 'has no podcast feed'],
  [
    'a feed without audio',
    'application/rss+xml',
    '<rss><channel><title>A</title></channel></rss>',
    'no episodes with audio',
  ],
])('%s is explained beside the field', async (_, type, body, message) => {
  origin.answers.set('/feed.xml', (_request, response) => response.setHeader('content-type', type).end(body));

  const { status, html } = await send(origin.feedUrl());

  expect(status).toBe(400);
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain(message);
});

test('of a feed of 50 MB, no more is read than a preview may have', async () => {
  let sent = 0;
  origin.answers.set('/feed.xml', (_, response) => {
    const part = Buffer.alloc(MEGABYTES, ' ');
    const write = () => {
      if (sent >= 50 * MEGABYTES || response.destroyed) return void response.end();
      sent += part.length;
      if (response.write(part)) setImmediate(write);
      else response.once('drain', write);
    };
    write();
  });

  const { status, html } = await send(origin.feedUrl());

  expect(status).toBe(413);
  expect(html).toContain('is too large');
  // what the sockets' buffers hold
  expect(sent).toBeLessThan(LIMITS.bytes + 8 * MEGABYTES);
});

test('a host that does not answer has few requests at once, and another one is read meanwhile', async () => {
  const waiting: (() => void)[] = [];
  origin.answers.set('/feed.xml', (_, response) => waiting.push(() => response.writeHead(500).end()));
  const slow = Array.from({ length: LIMITS.perHost }, () => send(`${origin.feedUrl()}?slow`));
  origin.answers.set('/feed.xml?slow', origin.answers.get('/feed.xml')!);
  await expect.poll(() => waiting.length).toBeGreaterThan(0);

  const refused = await send(origin.feedUrl());
  const good = await send(other.feedUrl().replace('127.0.0.1', 'localhost'));
  const finish = setInterval(() => {
    for (const end of waiting.splice(0)) end();
  }, 10);
  const ended = await Promise.all(slow);
  clearInterval(finish);

  expect(refused.status).toBe(429);
  expect(refused.html).toContain('Your address is still in the field');
  expect(good.status).toBe(302);
  expect(ended.map(({ status }) => status)).toEqual(slow.map(() => 400));
  expect((await send(other.feedUrl())).status).toBe(302);
});

test('hostile titles and notes are text', async () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
  const encoded = escapeHtml(hostile);
  origin.title = encoded;
  origin.items = [{ title: encoded, extra: `<itunes:summary>${encoded}</itunes:summary>` }];

  origin.channel = `<description>${encoded}</description><itunes:author>${encoded}</itunes:author>`;

  const { location } = await send(origin.feedUrl());
  const { status, html } = await open(location!);

  expect(status).toBe(200);
  expect(html).toContain('alert(1)&lt;/script&gt;');
  expect(html).not.toMatch(/<script>alert|<img src=x/);
});

test('a slow cover delays the page for seconds only, and its request ends with the answer', async () => {
  let isClosed = false;
  origin.channel = `<itunes:image href="${origin.url}/cover.png"/>`;
  origin.answers.set('/cover.png', (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write('x');
    response.once('close', () => {
      isClosed = true;
    });
  });

  const { status } = await send(origin.feedUrl());

  expect(status).toBe(302);
  await expect.poll(() => isClosed).toBe(true);
});

test('a feed with too many items is not parsed, and the visitor is led to the import', async () => {
  const items = '<item/>'.repeat(LIMITS.items + 1);
  origin.answers.set('/feed.xml', (_, response) => response.end(`<rss><channel>${items}</channel></rss>`));

  const { status, html } = await send(origin.feedUrl());

  expect(status).toBe(413);
  expect(html).toContain('too many for a preview');
});

test.each([
  ['of one host', 'previewFeedHost'],
  ['of all hosts', 'previewFeedAll'],
] as const)('all visitors together have only so many feeds %s read', async (_, limit) => {
  for (let i = 0; i < RATE_LIMITS[limit].points; i += 1) {
    await send(limit === 'previewFeedHost' ? 'ftp://one.example/feed' : `ftp://${i}.example/feed`);
    await db.execute("delete from rate_limits where key like 'previewFeed:%'");
  }

  expect((await send(origin.feedUrl())).status).toBe(limit === 'previewFeedAll' ? 429 : 302);
  expect((await send('ftp://one.example/feed')).status).toBe(429);
});

test.each([
  ['an altered token', (path: string) => path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A')],
  ['an unknown token', () => '/feed-preview/unknown'],
  ['a token that is much too long', () => `/feed-preview/${'a'.repeat(900)}`],
  ['the hash instead of the token', (_: string, hash: string) => `/feed-preview/${hash}`],
])('%s gets a page with 410', async (_, alter) => {
  const { location } = await send(origin.feedUrl());
  const [row] = await db.select().from(feedPreviews);

  const { status, html, headers } = await open(alter(location!, row!.tokenHash));

  expect(status).toBe(410);
  expect(html).not.toContain('Olas de fuera');
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
});

test('after a day the page is gone', async () => {
  const { location } = await send(origin.feedUrl());
  clock.now = later(START, LIMITS.kept);

  expect((await open(location!)).status).toBe(410);
});

test('one visitor has only so many feeds fetched, and so many tokens tried', async () => {
  origin.answers.set('/feed.xml', (_, response) => response.writeHead(404).end());
  for (let i = 0; i < RATE_LIMITS.previewFeed.points; i += 1) await send(origin.feedUrl());
  const before = origin.requests.length;

  const { status, html } = await send(origin.feedUrl());
  for (let i = 0; i < RATE_LIMITS.openFeedPreview.points; i += 1) await open(`/feed-preview/guess${i}`);

  expect([status, origin.requests.length]).toEqual([429, before]);
  expect(html).toContain(`value="${origin.feedUrl()}"`);
  expect((await open('/feed-preview/one-more')).status).toBe(429);
});
