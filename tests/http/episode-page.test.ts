import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { fold } from '~/app/features/listener/player/find-in-text';
import { secondsOf } from '~/app/features/site/public/clock-input';
import { creators } from '~/db/schema/creators';
import { episodeChapters, episodeTranscripts } from '~/db/schema/episode-parts';
import { episodes } from '~/db/schema/episodes';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast({ empty: true, settings: { CREATOR_URLS: 'path' } });
const { db } = runtime;
const app = pagesApp(runtime, env.urls);
const lucia = await make.creator({ domain: 'lucia' });
const show = await make.product(lucia, { slug: 'ruido', priceMinor: 500 });
const list = await make.episodes(show, 6, (i) => (i === 4 ? { type: 'private' } : { durationMs: 600_000 }));
type Episode = (typeof list)[number];
const [, , third, fourth, locked] = list as Required<typeof list> & { 2: Episode; 3: Episode; 4: Episode };

const chapters = [
  { startMs: 0, title: 'Start', url: null, imageKey: null },
  { startMs: 61_500, title: 'Middle', url: 'https://example.com/more', imageKey: 'images/0/none' },
  { startMs: 700_000, title: 'Past the end', url: null, imageKey: null },
];
const cues = [
  { startMs: 0, endMs: 2000, speaker: 'Ana', text: 'Hello' },
  { startMs: 2500, endMs: 4000, speaker: 'Ana', text: 'again' },
];

async function addParts(episodeId: number, over: { text?: string } = {}) {
  await db.insert(episodeChapters).values({ episodeId, chapters, edited: true });
  const text = over.text ?? 'again';
  await db.insert(episodeTranscripts).values({
    episodeId,
    language: 'en',
    source: 'vtt',
    fileName: 't.vtt',
    cues: [cues[0]!, { ...cues[1]!, text }],
  });
}

async function read(episode: { slug: string }) {
  const response = await app.request(`${env.urls.appUrl}/en/@lucia/p/ruido/${episode.slug}`);
  const html = await response.text();
  return { status: response.status, html, main: /<main.*<\/main>/s.exec(html)?.[0] ?? '' };
}

test('an episode’s page has chapters, a transcript, people, links to share, and the episodes around it', async () => {
  await addParts(third.id);
  const people = [{ name: 'Ada', role: 'host' as const, url: 'https://ada.example/' }];
  await db.update(episodes).set({ people }).where(eq(episodes.id, third.id));

  const { status, main } = await read(third);

  expect(status).toBe(200);
  const moment = (seconds: number) => `href="#listen=${third.id}&amp;at=${seconds}&amp;playing=1"`;
  expect(main).toContain(`<a ${moment(61.5)} data-at="61.5"><img src="/media/images/0/none/96.webp"`);
  expect(main).toContain('aria-label="Link of the chapter “Middle”"');
  expect(main).not.toContain('Past the end');
  expect(main).toContain(`<p><a ${moment(0)}>0:00</a> <b>Ana:</b> <span data-at="0">Hello</span> <span data-at="2.5">`);
  expect(main).toContain('<a href="https://ada.example/" rel="nofollow noopener" dir="auto">Ada</a>');
  expect(main).toContain(encodeURIComponent(`/@lucia/p/ruido/${third.slug}`));
});

test.each(['podcast', 'audio_series'] as const)(
  'the page of an episode of a %s leads to those that came out before and after it',
  async (kind) => {
    const product = await make.product(lucia, { slug: `in-order-${kind}`, kind, priceMinor: 500 });
    const [before, shown, after] = await make.episodes(product, 3, (i) => ({
      name: `Out ${i}`,
      releaseAt: new Date(Date.UTC(2024, 0, 1 + i)),
    }));

    const response = await app.request(`${env.urls.appUrl}/en/@lucia/p/${product.slug}/${shown!.slug}`);

    const links = /<nav aria-label="Previous and next episode">.*?<\/nav>/s.exec(await response.text())?.[0] ?? '';
    const found = [...links.matchAll(/<a .*?<\/a>/gs)].map(([link]) => [
      /rel="(\w+)"/.exec(link)?.[1],
      /href="[^"]*\/([^/"]+)"/.exec(link)?.[1],
      link.replace(/<[^>]+>/g, ''),
    ]);
    expect(found).toEqual([
      ['prev', before!.slug, '← Previous: Out 0'],
      ['next', after!.slug, 'Next: Out 2 →'],
    ]);
  },
);

test('a private episode has its description and a lock, without audio, chapters and transcript', async () => {
  await addParts(locked.id);
  await db
    .update(episodes)
    .set({ description: '<p>About the secret</p>', transcriptShowAll: false })
    .where(eq(episodes.id, locked.id));

  const { status, html, main } = await read(locked);

  expect(status).toBe(200);
  expect(main).toContain('About the secret');
  expect(main).toMatch(/class="locked"><svg/);
  expect(main).toContain('href="/en/@lucia/p/ruido"');
  for (const part of [`/audio/${locked.id}/`, 'data-at', '<audio'])
    expect(main.split('id="around"')[0], part).not.toContain(part);
  expect(html).not.toContain('Hello');
  await db.update(episodes).set({ transcriptShowAll: true }).where(eq(episodes.id, locked.id));
  const shownToAll = (await read(locked)).main;
  expect([shownToAll.includes('Hello'), shownToAll.includes('class="chapters"')]).toEqual([true, false]);
});

const NASTY = `</script><script>alert(1)</script><img src=x onerror=alert(1)> "'& 🌊 مرحبا ${'w'.repeat(420)}`;

test('HTML, </script> and very long texts in every field of a creator are only text on their pages', async () => {
  const url = 'https://example.com/';
  await db
    .update(creators)
    .set({
      name: NASTY,
      aboutTitle: NASTY,
      aboutText: NASTY,
      ctaTitle: NASTY,
      ctaText: NASTY,
      ctaButton: NASTY,
      ctaUrl: url,
      testimonials: [{ text: NASTY, author: NASTY, url }],
      links: [{ label: NASTY, url }],
      username: NASTY,
      showNewsletter: true,
    })
    .where(eq(creators.id, lucia.creatorId));
  await addParts(fourth.id, { text: NASTY });
  await db
    .update(episodeChapters)
    .set({ chapters: [{ startMs: 0, title: NASTY, url, imageKey: null }] })
    .where(eq(episodeChapters.episodeId, fourth.id));
  await db
    .update(episodes)
    .set({ name: NASTY, people: [{ name: NASTY, role: 'guest', url }] })
    .where(eq(episodes.id, fourth.id));

  for (const path of ['', '/newsletter-form', `/p/ruido/${fourth.slug}`]) {
    const response = await app.request(`${env.urls.appUrl}/en/@lucia${path}`);
    const html = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    expect(html.replace(/<script[^>]*>.*?<\/script>/gs, ''), path).not.toMatch(/<script|<img src=x/);
    expect(html, path).not.toContain('<script>alert');
    expect(html, path).toContain('w'.repeat(420));
  }
});

test.each([
  ['12:31', 751],
  ['1:02:03', 3723],
  [' 45 ', 45],
  ['0:00', 0],
  ['', null],
  ['a:b', null],
  ['1:2:3:4', null],
  ['-5', null],
])('the start time %j of a shared link is %j seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

test.each([
  ['Canción', 'cancion', [0, 1, 2, 3, 4, 5, 6, 7]],
  ['Cafe\u0301s', 'cafes', [0, 1, 2, 3, 5, 6]],
  ['🌊 Ñu', '🌊 nu', [0, 0, 2, 3, 4, 5]],
])('%j is searched as %j, and every place is known in the original', (text, folded, places) => {
  expect(fold(text)).toEqual({ text: folded, places });
});
