import { expect, test } from 'vitest';
import { grants } from '~/db/schema/access';
import { promos } from '~/db/schema/episode-parts';
import type { products } from '~/db/schema/products';
import { promoPath } from '~/server/base/public-paths';
import { HOURS } from '~/server/base/time';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const lucia = await make.creator({ domain: 'lucia' });

type Columns = Partial<typeof products.$inferInsert>;
const show = (slug: string, over: Columns = {}) =>
  make.product(lucia, { slug, name: slug, priceMinor: 400, language: 'es', ...over });

async function open(path: string, token?: string) {
  const headers: Record<string, string> = token ? { cookie: `token=${token}` } : {};
  return (await app.request(`${env.urls.appUrl}${path}`, { headers })).text();
}
const offerIn = (html: string) => /<section class="offer-card"(.*?)<\/section>/s.exec(html)?.[1] ?? '';
const textsIn = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) =>
    text.replace(/<[^>]*>/g, '').replace(/\u00a0/g, ' '),
  );
const buttonsIn = (html: string) =>
  [...offerIn(html).matchAll(/<a class="button[^>]*>([^<]*)</g)].map(([, text]) => text);

test.each([
  ['a month', {}, ['Subscribe for €4 a month', 'Give as a gift']],
  [
    'a month or a year',
    { annualPriceMinor: 3950 },
    ['Subscribe for €4 a month', 'Subscribe for €39.50 a year', 'Give as a gift'],
  ],
  ['a trial', { trialDays: 14 }, ['Start your 14-day free trial', 'Give as a gift']],
  ['an amount of the buyer’s choice', { paysWhatTheyWant: true }, ['Subscribe from €4 a month', 'Give as a gift']],
  ['a series', { kind: 'audio_series', priceMinor: 1200 }, ['Buy the series for €12', 'Give as a gift']],
  [
    'a series for what buyers want',
    { kind: 'audio_series', paysWhatTheyWant: true },
    ['Pay what you want, from €4', 'Give as a gift'],
  ],
  ['hidden buttons', { hideSubscribeButton: true }, []],
] satisfies [string, Columns, string[]][])('the button names the offer: %s', async (name, over, expected) => {
  const { slug } = await show(`boton-${name.replace(/\W+/g, '-').toLowerCase()}`, over);

  expect(buttonsIn(await open(`/en/@lucia/p/${slug}`))).toEqual(expected);
});

test('a trial says what follows it, and the small print stays small', async () => {
  await show('prueba', { trialDays: 7, earlyAccessDays: 3 });

  const html = offerIn(await open('/es/@lucia/p/prueba'));

  expect(textsIn(html, 'p')).toEqual([
    '7 días gratis',
    'Después, 4,00 € al mes. Cancela cuando quieras.',
    expect.stringContaining('La prueba es para suscriptores nuevos.'),
  ]);
});

test('without words of the creator, a show lists what it has, with its private hours', async () => {
  const club = await show('lista', { earlyAccessDays: 3, dripDays: 7 });
  const hour = { durationMs: HOURS(1) };
  await make.episodes(club, 30, (i) => ({ ...hour, type: i < 26 ? 'private' : i < 29 ? 'public' : 'trailer' }));

  const first = await open('/en/@lucia/p/lista');
  const second = await open('/en/@lucia/p/lista?page=2');

  expect(textsIn(offerIn(first), 'li')).toEqual([
    '26 episodes for subscribers only (26 h)',
    'New episodes 3 days before everyone else',
    'A private episode when you join, and another every 7 days',
    'Plays in your podcast app, from a feed of your own',
    'Your subscription supports Lucía directly',
  ]);
  expect(first).toMatch(
    /<strong>29<\/strong>.*?episodes.*?<strong>29\u00a0h<\/strong>.*?<strong>3<\/strong>.*?free\b/s,
  );
  expect(offerIn(second)).toBe(offerIn(first));
});

test('a series is a course: its parts and their length', async () => {
  const course = await show('curso', { kind: 'audio_series' });
  await make.episodes(course, 12, (i) => ({ durationMs: HOURS(1) / 6, type: i ? 'private' : 'public', number: i + 1 }));

  const html = await open('/en/@lucia/p/curso');

  expect(textsIn(offerIn(html), 'li')).toEqual([
    '12 parts, 2 h in total',
    'Plays in your podcast app, from a feed of your own',
    'Pay once, keep it for good',
  ]);
  expect(html).toMatch(/<strong>12<\/strong>.*?parts.*?<strong>2\u00a0h<\/strong>/s);
  expect(html).toContain('Part 2');
});

test('a show of a few minutes is not described by its length, whose parts are rounded', async () => {
  const course = await show('breve', { kind: 'audio_series' });
  await make.episodes(course, 3, () => ({ durationMs: 21_000, type: 'private' }));

  const html = await open('/en/@lucia/p/breve');

  expect(textsIn(offerIn(html), 'li')[0]).toBe('3 parts');
  expect(html).not.toContain('in total');
});

test('a promise of no insertions is on the page of the show, in the list or in the small print', async () => {
  const { id } = await show('limpio');
  await lucia.api.campaigns.promise({ productId: id, isPromised: true });

  expect(textsIn(offerIn(await open('/en/@lucia/p/limpio')), 'li')).toContain(
    'No inserted ads or promos in the episodes',
  );
  expect(textsIn(offerIn(await open('/es/@lucia/p/limpio')), 'li')).toContain(
    'Episodios sin anuncios ni promos insertados',
  );

  await lucia.api.products.update({ id, kind: 'podcast', benefits: 'Todo' as never });
  expect(offerIn(await open('/es/@lucia/p/limpio'))).toContain('No oirás anuncios ni promos insertados.');
  await lucia.api.campaigns.promise({ productId: id, isPromised: false });
  expect(offerIn(await open('/es/@lucia/p/limpio'))).not.toContain('promos insertados');
});

test('the creator’s own words replace the list, in the language and direction of the show', async () => {
  const own = ['Todo <antes>', 'مرحبا 🎧'];
  const { id } = await show('palabras', { dripDays: 5 });
  await lucia.api.products.update({ id, kind: 'podcast', benefits: own.join('\n') as never });

  const html = offerIn(await open('/en/@lucia/p/palabras'));

  expect(textsIn(html, 'li')).toEqual(['Todo &lt;antes&gt;', 'مرحبا 🎧']);
  expect(html).toContain('<li lang="es" dir="auto">');
  // the small print still says when buyers get the episodes
  expect(html).toContain('another every 5 days');
  await lucia.api.products.update({ id, kind: 'podcast', name: 'Otra' });
  expect((await lucia.api.products.get({ id, kind: 'podcast' })).benefits).toEqual(own);
});

test('a locked episode offers the show and its promo; who has paid gets neither', async () => {
  const club = await show('cerrado');
  const [secret] = await make.episodes(club, 1, () => ({ type: 'private', name: 'Secreto' }));
  const key = `audio/${lucia.creatorId}/${secret!.id}/promo/${'a'.repeat(64)}-b.mp3`;
  const file = { audioKey: key, audioBytes: 10, durationMs: 8000, createdAt: runtime.now() };
  await db.insert(promos).values({ episodeId: secret!.id, creatorId: lucia.creatorId, ...file });
  const tom = await make.person();
  const path = `/en/@lucia/p/cerrado/${secret!.slug}`;

  const [page, list] = [await open(path), await open('/en/@lucia/p/cerrado')];
  await db
    .insert(grants)
    .values({ userId: tom.id, productId: club.id, source: 'subscription', startsAt: runtime.now() });
  const paid = await open(path, tom.token);

  const promo = promoPath(secret!.id, key);
  for (const html of [page, list]) {
    expect(html).toContain(`src="${promo}"`);
    expect(html).toContain('Listen to a sample');
    expect(html).not.toContain(`/audio/${secret!.id}/${secret!.slug}`);
  }
  const offer = /<a class="button" href="[^"]*register\/payment[^"]*">([^<]*)</;
  expect(offer.exec(page)?.[1]).toBe('Subscribe for €4 a month');
  expect(paid).toContain(`/audio/${secret!.id}/${secret!.slug}`);
  expect([offer.test(paid), paid.includes(promo)]).toEqual([false, false]);
});

test('rows have a cover where it differs from the show’s', async () => {
  const free = await show('cubiertas', { priceMinor: null });
  await make.episodes(free, 2, (i) => (i ? { coverKey: 'images/1/own' } : {}));

  const rows = /<ol class="episodes">(.*?)<\/ol>/s.exec(await open('/en/@lucia/p/cubiertas'))![1]!;

  expect(rows.match(/<img /g)).toHaveLength(1);
  expect(rows).toContain('/images/1/own/');
});

test('whoever has bought a series reads that it is theirs, and plays its first part instead of the trailer', async () => {
  const product = await show('mia', { kind: 'audio_series' });
  await make.episodes(product, 2, (i) => ({ type: i ? 'private' : 'trailer', number: i + 1 }));
  const buyer = await make.person();
  await db
    .insert(grants)
    .values({ userId: buyer.id, productId: product.id, source: 'purchase', startsAt: runtime.now() });

  const [own, visitors] = [await open('/en/@lucia/p/mia', buyer.token), await open('/en/@lucia/p/mia')];

  expect(offerIn(own)).toContain('It’s yours');
  expect(offerIn(own)).not.toContain('class="benefits"');
  expect(textsIn(own, 'button')).toContain('Play the first part: Episodio 2');
  expect(textsIn(visitors, 'button')).toContain('Play the trailer: Episodio 1');
  expect(visitors).toContain('What you get');
});
