import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { episodeMinutes } from '~/db/schema/heard-minutes';
import { listeningDays } from '~/db/schema/listening';
import { MINUTES, SECONDS } from '~/server/base/time';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make, clock } = await cast();
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
clock.now = new Date('2026-11-26T12:00:00Z');

const owner = await make.creator({ name: 'Lucía' });
const show = await make.product(owner, { name: 'Olas y viento' });
const [episode] = await make.episodes(show, 1, () => ({ releaseAt: new Date('2026-11-20T10:00:00Z') }));
const of = { creatorId: owner.creatorId, productId: show.id };
const base = `/podcasts/${show.id}`;
const page = `${base}/episodes/${episode!.id}/metric`;

const lasts = (durationMs: number) => db.update(episodes).set({ durationMs }).where(eq(episodes.id, episode!.id));
await db.insert(listeningDays).values({
  ...{ ...of, day: '2026-11-20', listens: 5, downloads: 10 },
  dimensions: { country: { ES: 15 }, region: { 'ES-MD': 12 } },
});

const { host, origin } = new URL(env.urls.appUrl);

async function open(path: string, token = owner.token) {
  const headers = { cookie: `token=${token}`, host, origin };
  const response = await app.request(`${env.urls.appUrl}${path}`, { headers });
  return { status: response.status, html: await response.text() };
}

const hear = (listeners: number, heard: Record<string, number>, minutes: number) =>
  db.insert(episodeMinutes).values({ ...of, episodeId: episode!.id, month: '2026-11-01', listeners, minutes, heard });

beforeEach(async () => {
  await db.delete(episodeMinutes);
  await lasts(MINUTES(4));
});

test('few listeners of an episode are people, and their curve has a table', async () => {
  await hear(5, { '0': 5, '1': 4, '2': 3, '3': 1 }, 13);

  const { html } = await open(page);

  expect(html).toContain(
    'In our player, 5 listeners heard some of it, not always from the beginning. 3 heard the middle, and 1 the end.',
  );
  expect(html).toContain('2:36 of 4:00 (65%)');
  expect(html).toContain('aria-label="1:00: 4 listeners"');
  expect(html).toMatch(/<td>4<\/td><td>80%<\/td>/);
});

test('many listeners are parts of those who began', async () => {
  await hear(200, { '0': 200, '2': 100, '3': 50 }, 350);

  const { html } = await open(page);

  expect(html).toContain(
    '200 listeners heard some of it, not always from the beginning. 50% heard the middle, and 25% the end.',
  );
  expect(html).toContain('aria-label="2:00: 50% (100 listeners)"');
});

test('an episode of less than two minutes has its real length, and a sentence instead of a curve', async () => {
  await lasts(SECONDS(88));
  await hear(10, { '0': 9, '1': 8 }, 17);

  const { html } = await open(page);

  expect(html).toContain('In our player, 10 listeners heard some of it. Of these, 8 heard the end.');
  expect(html).toContain('1:16 of 1:28 (87%)');
  expect(html.includes('aria-label="0:00: 9 listeners"')).toBe(false);
});

test('the show has the average of each episode, and an episode that nobody heard has no curve', async () => {
  expect((await open(page)).html.includes('id="retention"')).toBe(false);
  expect((await open(`${page}/chart.csv?chart=retention`)).status).toBe(404);
  await hear(5, { '0': 5 }, 10);

  expect((await open(`${base}/metric`)).html).toMatch(/data-label="Heard in our player">50%</);
  const file = await open(`${page}/chart.csv?chart=retention`);
  expect(file.html.replace('\ufeff', '')).toMatch(/^minute,listeners,share\r\n0,5,1\.0000\r\n1,0,0\.0000\r\n/);
});

test('another creator finds no curve, on no page and in no file', async () => {
  await hear(5, { '0': 5 }, 10);
  const stranger = await make.creator({ name: 'Ada' });

  for (const path of [page, `${page}/chart.csv?chart=retention`])
    expect([path, (await open(path, stranger.token)).status]).toEqual([path, 404]);
});

test('a region has the name of its country', async () => {
  const { html } = await open(`${base}/metric`);

  expect(html).toContain('Madrid, Spain: 12');
});
