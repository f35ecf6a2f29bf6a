import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { previewPath } from '~/server/base/public-paths';
import { DAYS, later } from '~/server/base/time';
import { episodeAudioDoor } from '~/server/doors/audio/episode-audio';
import { createEnclosureCache } from '~/server/http/caches/enclosure-cache';
import '../support/matchers';
import { cast } from '../support/cast';

const { runtime, clock, lucia, ada, make, visitor, episodes, podcast } = await cast();
const start = clock.now;
const door = episodeAudioDoor(runtime, { trustedProxies: 0, enclosures: createEnclosureCache(runtime) });
const server = http.createServer((req, res) => void door(req, res));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const draft = episodes.podcast.onHold;
const published = episodes.podcast.public;
const { domain } = lucia;
const tokenOf = async (id: number) => {
  const { url } = await lucia.api.episodes.previewLink({ id });
  return url.slice(url.indexOf(previewPath('')) + previewPath('').length);
};
const audioOf = (id: number, token: string) => fetch(`http://127.0.0.1:${port}/audio/${id}/x.mp3?preview=${token}`);
const isOpen = async (token: string) => {
  const page = await visitor.pages.preview({ domain, token }).catch(() => null);
  return [page !== null, (await audioOf(draft.id, token)).status];
};

test('a stranger with the link sees and hears a draft, which is kept nowhere and counted nowhere', async () => {
  const token = await tokenOf(draft.id);

  const page = await visitor.pages.preview({ domain, token });
  expect(page.episode).toMatchObject({ id: draft.id, url: null, privateNote: null, fileName: null });
  expect(page.audio).toBe(`/audio/${draft.id}/${draft.slug}.mp3?preview=${token}`);
  const audio = await audioOf(draft.id, token);
  expect([audio.status, audio.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect((await audio.arrayBuffer()).byteLength).toBe(draft.audioBytes);
  await audioOf(published.id, await tokenOf(published.id)).then((answer) => answer.arrayBuffer());

  await runtime.recorders.drained();
  const [row] = await runtime.db.execute(sql`select count(*)::int as downloads from downloads`);
  expect(row).toEqual({ downloads: 0 });
  await expect(visitor.episodes.get({ id: draft.id })).toFailWith('episode.not_found');
});

test('forged links open nothing', async () => {
  const token = await tokenOf(draft.id);
  const [id, day, signature = ''] = token.split(/-(.*?)-/s);
  const other = await tokenOf(published.id);
  const forged = [
    '',
    token.slice(0, -1),
    `${token}A`,
    token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    `${id}-${Number(day) + 1}-${signature}`,
    `${published.id}-${day}-${signature}`,
    `${id}${other.slice(other.indexOf('-'))}`,
    `0${token}`,
    `${id}-${day}-`,
    '../../etc/passwd',
  ];

  for (const attempt of forged) expect([attempt, ...(await isOpen(attempt))]).toEqual([attempt, false, 404]);
  expect(await isOpen(token)).toEqual([true, 200]);
});

test('a link opens neither another episode nor another creator’s host', async () => {
  const token = await tokenOf(draft.id);

  await expect(visitor.pages.preview({ domain: ada.domain, token })).toFailWith('episode.preview_expired');
  expect((await audioOf(episodes.podcast.scheduled.id, token)).status).toBe(404);
});

test('a link expires after a week, and its last day is part of its signature', async () => {
  const token = await tokenOf(draft.id);

  clock.now = later(start, DAYS(7) - 1000);
  expect(await isOpen(token)).toEqual([true, 200]);
  clock.now = later(start, DAYS(8));
  expect(await isOpen(token)).toEqual([false, 404]);
  clock.now = start;
});

test('revoked links stop working, and a new one works', async () => {
  const token = await tokenOf(draft.id);

  await lucia.api.episodes.revokePreviews({ id: draft.id });

  expect(await isOpen(token)).toEqual([false, 404]);
  expect(await isOpen(await tokenOf(draft.id))).toEqual([true, 200]);
});

test('only its team makes and revokes links', async () => {
  for (const api of [ada.api, (await make.person()).api]) {
    await expect(api.episodes.previewLink({ id: draft.id })).rejects.toThrow();
    await expect(api.episodes.revokePreviews({ id: draft.id })).rejects.toThrow();
  }
});

test('a link does not open while its show is archived', async () => {
  const token = await tokenOf(draft.id);
  const show = { id: podcast.id, kind: 'podcast' as const };

  await lucia.api.products.archive(show);
  expect(await isOpen(token)).toEqual([false, 404]);
  await expect(tokenOf(draft.id)).toFailWith('episode.preview_expired');
  await lucia.api.products.unarchive(show);
  expect(await isOpen(token)).toEqual([true, 200]);
});

test('the link of a deleted episode stops working', async () => {
  const token = await tokenOf(draft.id);

  await lucia.api.episodes.remove({ id: draft.id });

  expect(await isOpen(token)).toEqual([false, 404]);
});
