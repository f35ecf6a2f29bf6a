import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listeningDays } from '~/db/schema/listening';
import { products } from '~/db/schema/products';
import { roundDown } from '~/server/domain/pages/play-counter';
import { playCounterDoor } from '~/server/doors/pages/play-counter';
import { COUNTER_LIMITS } from '~/server/limits/embeds';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
let selects = 0;
const db = new Proxy(runtime.db, {
  get(target, name, receiver) {
    if (name === 'select') selects += 1;
    return Reflect.get(target, name, receiver);
  },
});
const app = pagesApp(runtime, env.urls, { doors: [playCounterDoor({ db })] });
const owner = await make.creator({ domain: 'lucia' });
const [shown, hidden] = [
  await make.product(owner, { slug: 'olas', showsPlays: true }),
  await make.product(owner, { slug: 'viento' }),
];
for (const show of [shown, hidden]) await make.episodes(show, 1, () => ({}));

const open = async (path: string) => {
  const response = await app.request(env.urls.appUrl + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

beforeEach(async () => {
  await runtime.db.delete(listeningDays);
  for (const { id: productId } of [shown, hidden])
    await runtime.db
      .insert(listeningDays)
      .values({ creatorId: owner.creatorId, productId, day: '2026-11-20', listens: 99, downloads: 1200 });
});

test.each([
  [0, 0],
  [9, 0],
  [34, 30],
  [99, 90],
  [100, 100],
  [1299, 1200],
  [99_999, 99_000],
  [1_234_567, 1_200_000],
])('%d plays are shown as %d', (plays, text) => {
  expect(roundDown(plays)).toBe(text);
});

test('the page of a show has its plays only if the creator shows them', async () => {
  const [on, off] = [await open('/en/@lucia/p/olas'), await open('/en/@lucia/p/viento')];

  expect(on.text).toMatch(/<strong>1,200\+<\/strong>[^a-z]*plays/);
  expect([off.status, off.text.includes('plays</li>'), off.text.includes('1,2')]).toEqual([200, false, false]);
});

test('other sites can show the counter as a picture and read it as JSON', async () => {
  const picture = await open(`/plays/${shown.id}.svg?language=es`);
  const json = await open(`/plays/${shown.id}.json?language=en`);

  expect(picture.headers.get('content-type')).toContain('image/svg+xml');
  expect(picture.text).toContain('<title>1200+ reproducciones</title>');
  expect(JSON.parse(json.text)).toEqual({ id: shown.id, plays: 1200, text: '1,200+ plays' });
  for (const { headers } of [picture, json]) {
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
});

afterEach(() => void vi.useRealTimers());

test('a sum is kept for minutes, and the switch counts after seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  await open(`/plays/${shown.id}.json`);
  await runtime.db.update(listeningDays).set({ downloads: 90_000 }).where(eq(listeningDays.productId, shown.id));

  expect(JSON.parse((await open(`/plays/${shown.id}.json`)).text).plays).toBe(1200);
  await runtime.db.update(products).set({ showsPlays: false }).where(eq(products.id, shown.id));
  vi.advanceTimersByTime(COUNTER_LIMITS.shownFor + 1);
  await expect.poll(async () => (await open(`/plays/${shown.id}.json`)).status).toBe(404);
  await runtime.db.update(products).set({ showsPlays: true }).where(eq(products.id, shown.id));
});

test('any number of requests cost one query, and one more for the sum', async () => {
  const { id } = await make.product(owner, { slug: 'faro', showsPlays: true });
  await make.episodes({ ...shown, id }, 1, () => ({}));
  const openAll = (of: number) => Promise.all(Array.from({ length: 10 }, () => open(`/plays/${of}.json`)));
  selects = 0;

  const answers = [...(await openAll(id)), ...(await openAll(id))];
  const ofShown = selects;
  const missing = [...(await openAll(987_654)), ...(await openAll(987_654))];

  expect([new Set(answers.map(({ status }) => status)), ofShown]).toEqual([new Set([200]), 2]);
  expect([new Set(missing.map(({ status }) => status)), selects - ofShown]).toEqual([new Set([404]), 1]);
});

test.each(['', '.xml', '.svg.json', '99999999999999999999.svg', '0.svg'])('/plays/…%s is not found', async (end) => {
  expect((await open(`/plays/${end.startsWith('.') || end === '' ? hidden.id : ''}${end}`)).status).toBe(404);
  expect((await open(`/plays/${hidden.id}.svg`)).status).toBe(404);
  expect((await open(`/plays/${hidden.id}.json`)).status).toBe(404);
});
