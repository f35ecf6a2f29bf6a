import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { users } from '~/db/schema/accounts';
import { episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { contentsOf } from '~/server/domain/accounts/personal-data/data-contents';
import { publicFeed } from '~/server/domain/pages/public-feed';
import { transcriptsDoor } from '~/server/doors/audio/transcripts';
import { createPageCache } from '~/server/http/caches/page-cache';
import { systemCtx } from '~/server/runtime/runtime';
import '../support/matchers';
import { cast } from '../support/cast';

const { runtime, lucia, tom, make, visitor } = await cast();
const pages = createPageCache({ bytes: 1_000_000, ceiling: 60_000, now: Date.now });
const door = transcriptsDoor(runtime, pages);
const server = http.createServer(async (req, res) => {
  if (!(await door(req, res))) res.writeHead(418).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const VTT = 'WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ana>Hello & <script>\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const product = await make.product(lucia, { priceMinor: 500 });
const [open, locked] = await make.episodes(product, 2, (index) => ({ type: index === 0 ? 'public' : 'private' }));
const upload = (id: number, text = VTT, fileName = 'talk.vtt') =>
  lucia.api.episodes.uploadTranscript({ id, fileName, content: base64(text) });

const load = (id: number, format: string, token?: string) => {
  pages.clear();
  const headers: Record<string, string> = token ? { cookie: `token=${token}` } : {};
  return fetch(`http://127.0.0.1:${port}/transcripts/${id}/x.${format}`, { headers });
};
const pageOf = async (slug: string) => {
  const address = { domain: lucia.domain, slug: product.slug, episodeSlug: slug };
  const page = await visitor.pages.episode(address);
  return page.moved ? null : page;
};

test('a transcript is on the page, in the feed and at a door for each format', async () => {
  await upload(open!.id);

  const page = await pageOf(open!.slug);
  expect(page?.transcript?.html).toContain('<b>Ana:</b> <span data-at="1">Hello &amp;');
  expect(page?.transcript?.html).not.toContain('<script');
  expect(page?.episode).toMatchObject({ hasTranscript: true, transcriptShowAll: false });
  const feed = await publicFeed(runtime, { domain: lucia.domain, slug: product.slug });
  const items = 'pages' in feed ? (await feed.pages.next()).value! : [];
  expect(items[0]?.transcripts?.map(({ type, language }) => `${type} ${language}`)).toEqual([
    'text/vtt es',
    'application/x-subrip es',
    'application/json es',
  ]);
  for (const { url, type } of items[0]!.transcripts!) {
    const found = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`);
    expect([found.status, found.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(found.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await found.text()).toContain('Hello');
  }
});

test('the transcript as HTML is a document of its own, and everything in it is text', async () => {
  await upload(open!.id);

  const answer = await load(open!.id, 'html');

  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await answer.text();
  expect(html).toContain(`<html lang="${product.language}">`);
  expect(html).toContain('<cite>Ana:</cite>\n<time>0:01</time>\n<p dir="auto">Hello &amp;');
  expect(html).not.toContain('<script');
});

test('another file replaces it, and plain text has no formats with times', async () => {
  await upload(open!.id, 'Just words.', 'words.txt');

  expect(await lucia.api.episodes.transcript({ id: open!.id })).toMatchObject({
    fileName: 'words.txt',
    source: 'text',
    hasTimes: false,
    downloads: [{ format: 'html' }, { format: 'txt' }],
  });
  const answers = await Promise.all(['vtt', 'srt', 'json', 'html', 'txt'].map((format) => load(open!.id, format)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 200, 200]);
  expect(await answers[3]!.text()).toContain('<p dir="auto">Just words.</p>');
});

test('the transcript of a private episode is for listeners with access, unless it is public', async () => {
  await upload(locked!.id);
  const stranger = [await load(locked!.id, 'vtt'), await load(locked!.id, 'txt', tom.token)];
  const owner = await load(locked!.id, 'vtt', lucia.token);

  expect(stranger.map(({ status }) => status)).toEqual([404, 404]);
  expect([owner.status, owner.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await pageOf(locked!.slug))?.transcript).toBe(null);

  await lucia.api.episodes.update({ id: locked!.id, kind: product.kind, transcriptShowAll: true });
  expect((await load(locked!.id, 'vtt')).status).toBe(200);
  expect((await pageOf(locked!.slug))?.transcript?.html).toContain('Hello');
});

test('a draft’s transcript is for its owner only, even if it is public', async () => {
  await runtime.db
    .update(episodes)
    .set({ status: 'on_hold', transcriptShowAll: true })
    .where(eq(episodes.id, locked!.id));

  expect((await load(locked!.id, 'vtt')).status).toBe(404);
  expect((await load(locked!.id, 'vtt', lucia.token)).status).toBe(200);
});

test('bad files are refused with what to do, and change nothing', async () => {
  await expect(upload(open!.id, 'PK\u0003\u0004\u0000')).toFailWith('transcript.not_text');
  await expect(upload(open!.id, '{"a":1}', 'a.json')).toFailWith('transcript.unreadable');
  await expect(upload(open!.id, ' ')).toFailWith('transcript.empty');
  await expect(upload(open!.id, 'x'.repeat(2_000_001))).toFailWith('transcript.too_large');

  expect(await lucia.api.episodes.transcript({ id: open!.id })).toMatchObject({ fileName: 'words.txt' });
});

test('other methods and paths are not served', async () => {
  const address = `http://127.0.0.1:${port}/transcripts/${open!.id}/x`;

  expect((await fetch(`${address}.txt`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${address}.exe`)).status).toBe(418);
  expect((await fetch(`http://127.0.0.1:${port}/transcripts/999999999/x.txt`)).status).toBe(404);
});

test('a transcript is in its owner’s archive, and is deleted on request and with its episode', async () => {
  const [user] = await runtime.db.select().from(users).where(eq(users.id, lucia.id));
  const files: Record<string, string> = {};
  for await (const file of contentsOf(systemCtx(runtime, 'test'), user!)) {
    if ('rows' in file && file.name.endsWith('transcripts.json')) {
      files[file.name] = '';
      for await (const part of file.rows()) files[file.name] += part;
    }
  }
  expect(files[`shows/${product.id}-${product.slug}/transcripts.json`]).toContain('Just words.');

  await lucia.api.episodes.removeTranscript({ id: open!.id });
  await expect(lucia.api.episodes.removeTranscript({ id: open!.id })).toFailWith('transcript.not_found');
  expect(await lucia.api.episodes.transcript({ id: open!.id })).toBe(null);
  expect((await load(open!.id, 'txt')).status).toBe(404);

  await runtime.db.delete(episodes).where(eq(episodes.id, locked!.id));
  expect(await runtime.db.$count(episodeTranscripts, eq(episodeTranscripts.episodeId, locked!.id))).toBe(0);
});
