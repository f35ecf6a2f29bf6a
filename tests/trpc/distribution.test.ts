import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { products } from '~/db/schema/products';
import { soundbites } from '~/db/schema/soundbites';
import { later, MINUTES } from '~/server/base/time';
import { findCreator } from '~/server/domain/creators/queries';
import { feedOf } from '~/server/domain/feeds/queries';
import { FEED_OWNER_LIMITS } from '~/server/limits/products';
import '../support/matchers';
import { cast } from '../support/cast';

const { runtime, clock, lucia, ada, visitor, visitorCtx, make } = await cast();
const { db } = runtime;
const kind = 'podcast' as const;

async function newShow(owner = lucia) {
  const { id } = await make.product(owner);
  return { id, kind };
}

async function feedShow(id: number) {
  const [product] = await db.select().from(products).where(eq(products.id, id));
  const creator = await findCreator(visitorCtx(), product!.creatorId);
  return feedOf(visitorCtx(), { product: product!, creator }).show;
}

async function linksTo(email: string): Promise<string[]> {
  const rows = await db
    .select({ text: outbox.text })
    .from(outbox)
    .where(eq(outbox.to, email))
    .orderBy(outbox.createdAt);
  return rows.map(({ text }) => /token=(\S+)/.exec(text)![1]!);
}

test('the fields of the feed are written as they are set, and left out when they are empty', async () => {
  const show = await newShow();
  const own = { author: 'Lucía Ferrer', copyright: '© 2026 Lucía', complete: true, ownerName: 'Estudio' };
  const funding = { fundingUrl: 'https://example.org/give?a=1&b=2', fundingText: 'Invítame a un café' };
  await lucia.api.products.update({ ...show, ...own, ...funding });

  expect(await feedShow(show.id)).toMatchObject({
    author: 'Lucía Ferrer',
    copyright: '© 2026 Lucía',
    complete: true,
    funding: [{ url: funding.fundingUrl, text: funding.fundingText }],
  });
  await lucia.api.products.update({ ...show, author: '', copyright: '', fundingUrl: null, complete: false });
  const cleared = await feedShow(show.id);
  expect(cleared).toMatchObject({ author: 'Lucía', copyright: undefined, funding: [], complete: false });
  expect(cleared).not.toHaveProperty('ownerEmail');
});

test('the address of the feed’s owner appears once its link was used, and disappears when it changes', async () => {
  const show = await newShow();
  const updated = await lucia.api.products.update({ ...show, ownerEmail: 'Studio+feed@mail.example' });
  const [token] = await linksTo('studio+feed@mail.example');

  expect(updated).toMatchObject({ ownerEmail: 'studio+feed@mail.example', isOwnerEmailVerified: false });
  expect(await feedShow(show.id)).not.toHaveProperty('ownerEmail');
  expect(await visitor.products.feedOwnerLink({ token: token! })).toMatchObject({ isVerified: false });
  await visitor.products.confirmFeedOwner({ token: token! });
  await visitor.products.confirmFeedOwner({ token: token! });
  expect(await feedShow(show.id)).toMatchObject({ ownerEmail: 'studio+feed@mail.example' });

  await lucia.api.products.update({ ...show, ownerEmail: 'other@mail.example' });
  expect(await feedShow(show.id)).not.toHaveProperty('ownerEmail');
  await expect(visitor.products.confirmFeedOwner({ token: token! })).toFailWith('product.owner_link_expired');
});

test('the account’s own verified address needs no link', async () => {
  const creator = await make.creator();
  const show = await newShow(creator);

  await creator.api.products.update({ ...show, ownerEmail: creator.email });

  expect(await feedShow(show.id)).toMatchObject({ ownerEmail: creator.email });
  expect(await linksTo(creator.email)).toHaveLength(1); // the email of the sign-up
});

test('a new show can have the address of its owner, which needs the link as well', async () => {
  const input = await make.productInput(lucia, { name: 'Con dueño', ownerEmail: 'new-show@mail.example' });

  const made = await lucia.api.products.create(input);

  expect(made).toMatchObject({ ownerEmail: 'new-show@mail.example', isOwnerEmailVerified: false });
  expect(await linksTo('new-show@mail.example')).toHaveLength(1);
});

test('links that were changed, or are too old, verify nothing', async () => {
  const show = await newShow();
  await lucia.api.products.update({ ...show, ownerEmail: 'late@mail.example' });
  const [token = ''] = await linksTo('late@mail.example');
  const [text = '', signature = ''] = token.split('.');
  const forged = Buffer.from(Buffer.from(text, 'base64url').toString().replace('late@', 'ada@')).toString('base64url');

  for (const wrong of [`${forged}.${signature}`, `${text}.`, text, 'x', '']) {
    await expect(visitor.products.confirmFeedOwner({ token: wrong })).toFailWith('product.owner_link_expired');
  }
  const now = clock.now;
  clock.now = later(now, FEED_OWNER_LIMITS.linkLifetime + MINUTES(1));
  await expect(visitor.products.confirmFeedOwner({ token })).toFailWith('product.owner_link_expired');
  clock.now = now;
});

test('no address gets more than three of these emails in a day, and no account causes more than ten', async () => {
  const creator = await make.creator();
  const show = await newShow(creator);
  await creator.api.products.update({ ...show, ownerEmail: 'victim@mail.example' });
  await creator.api.products.resendOwnerEmail(show);
  await creator.api.products.resendOwnerEmail(show);

  await expect(creator.api.products.resendOwnerEmail(show)).toFailWith('product.too_many_owner_emails');
  for (let i = 0; i < 7; i += 1) await creator.api.products.update({ ...show, ownerEmail: `v${i}@mail.example` });
  await expect(creator.api.products.update({ ...show, ownerEmail: 'one-more@mail.example' })).toFailWith(
    'product.too_many_owner_emails',
  );
  expect(await creator.api.products.forEditing(show)).toMatchObject({ ownerEmail: 'v6@mail.example' });
  expect(await linksTo('victim@mail.example')).toHaveLength(3);
});

const HOSTILE_ADDRESSES = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'ftp://example.org/x',
  '//example.org/x',
  'https://user:pass@example.org/',
  'https://exa mple.org/',
  'https://example.org/"><script>',
  'java\nscript:alert(1)',
  'https://',
  `https://example.org/${'x'.repeat(600)}`,
];

test.each(HOSTILE_ADDRESSES)('%s is no link to another site', async (url) => {
  const show = await newShow();

  await expect(lucia.api.products.update({ ...show, fundingUrl: url })).rejects.toThrow();
  await expect(lucia.api.products.update({ ...show, spotifyShowUrl: url })).rejects.toThrow();
  await expect(lucia.api.products.updateListings({ ...show, apple: url })).rejects.toThrow();
});

test.each([
  'ana@mail.example\r\nBcc: all@mail.example',
  'ana@mail.example\nSubject: x',
  'ana@mail.example, eve@mail.example',
  '<ana@mail.example>',
  'ana@mail.example\0',
])('%j is no address for a feed', async (ownerEmail) => {
  await expect(lucia.api.products.update({ ...(await newShow()), ownerEmail })).rejects.toThrow();
});

test('listings are stored for each directory, removed with null, and must be on the directory’s own host', async () => {
  const show = await newShow();
  const apple = 'https://podcasts.apple.com/es/podcast/olas/id1234567890';
  const spotify = 'https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk';
  await lucia.api.products.updateListings({ ...show, apple, overcast: 'https://overcast.fm/itunes1234567890' });
  const changed = await lucia.api.products.updateListings({ ...show, spotify, overcast: null });

  expect(changed.listings).toEqual({ apple, spotify });
  for (const wrong of [
    { apple: 'https://podcasts.apple.com.evil.example/podcast/id1' },
    { apple: 'https://evil.example/podcasts.apple.com/id1' },
    { apple: 'http://podcasts.apple.com/es/podcast/olas/id1' },
    { apple: 'https://podcasts.apple.com:8443/podcast/id1' },
    { apple: 'https://podcasts.apple.com/' },
    { spotify: 'https://open.spotify.com/episode/4rOoJ6Egrf8K2IrywzwOMk' },
    { castro: spotify },
  ])
    await expect(lucia.api.products.updateListings({ ...show, ...wrong })).toFailWith('product.listing_invalid');
  await expect(ada.api.products.updateListings({ ...show, apple: null })).toFailWith('product.not_found');
});

test('two changes of listings at once are both kept', async () => {
  const show = await newShow();
  const apple = 'https://podcasts.apple.com/es/podcast/olas/id1';
  const castro = 'https://castro.fm/podcast/abc';

  await Promise.all([
    lucia.api.products.updateListings({ ...show, apple }),
    lucia.api.products.updateListings({ ...show, castro }),
  ]);

  expect((await lucia.api.products.get(show)).listings).toEqual({ apple, castro });
});

const rulesOf = ({ findings }: { findings: { rule: string }[] }) => findings.map(({ rule }) => rule);

test('a feed with everything that directories require is ready, and the report lists the recommendations', async () => {
  const creator = await make.creator();
  const show = await newShow(creator);
  const product = { id: show.id, creatorId: creator.creatorId };

  const empty = await creator.api.feeds.readiness(show);
  await make.episodes(product, 2);
  await creator.api.products.update({ ...show, ownerEmail: creator.email });
  const ready = await creator.api.feeds.readiness(show);

  expect(rulesOf(empty).sort()).toEqual(['episodes_present', 'owner_email']);
  expect(empty.findings.map(({ severity, remedy }) => [severity, remedy])).toContainEqual(['error', 'firstEpisode']);
  expect([rulesOf(ready), ready.episodesCount, ready.cuts]).toEqual([[], 2, []]);
  expect(ready.passed.length).toBeGreaterThan(50);
  await expect(ada.api.feeds.readiness(show)).toFailWith('product.not_found');
});

test('a report on hundreds of episodes names those that break a rule, are cut or are left out', async () => {
  const creator = await make.creator();
  const show = await newShow(creator);
  const long = `<p>${'ñ'.repeat(6000)}</p>`;
  await make.episodes({ id: show.id, creatorId: creator.creatorId }, 260, (i) => ({
    ...(i % 10 === 3 && { description: '' }),
    ...(i === 250 && { description: long }),
    ...(i === 5 && { audioBytes: null, name: 'Without a size' }),
  }));

  const { findings, cuts, episodesCount } = await creator.api.feeds.readiness(show);

  expect(episodesCount).toBe(259);
  expect(findings.find(({ rule }) => rule === 'item_description_present')).toMatchObject({
    remedy: 'episodeDescription',
    severity: 'advice',
    count: 26,
  });
  expect(findings.find(({ rule }) => rule === 'item_description_present')?.episodes).toHaveLength(20);
  expect(cuts).toMatchObject([
    { kind: 'description_cut', count: 1, episodes: [{ name: 'Episodio 251' }] },
    { kind: 'length_unknown', count: 1, episodes: [{ name: 'Without a size' }] },
  ]);
});

test('a soundbite shorter than recommended is named with its episode, as something that its creator can change', async () => {
  const creator = await make.creator();
  const show = await newShow(creator);
  const [episode] = await make.episodes({ id: show.id, creatorId: creator.creatorId }, 2);
  const times = { createdAt: clock.now, updatedAt: clock.now };
  await db.insert(soundbites).values({
    ...{ creatorId: creator.creatorId, episodeId: episode!.id, title: 'Brief', startMs: 1000, endMs: 9000 },
    ...{ sourceKey: episode!.audioKey!, audioKey: 'audio/brief.mp3', audioBytes: 1000, ...times },
  });

  const { findings } = await creator.api.feeds.readiness(show);

  expect(findings.find(({ rule }) => rule === 'soundbite_length')).toMatchObject({
    ...{ remedy: 'episodeSoundbites', severity: 'advice', count: 1, episodes: [{ id: episode!.id }] },
  });
});
