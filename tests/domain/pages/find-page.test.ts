import { expect, test } from 'vitest';
import { findEpisodePage, findProductPage } from '~/server/domain/pages/find-page';
import { publicFeed } from '~/server/domain/pages/public-feed';
import '../../support/matchers';
import { cast } from '../../support/cast';

const { make, visitorCtx } = await cast();
const ctx = visitorCtx();

/** A creator, a product and an episode, each renamed once from `old-…` to `new-…`. */
const lucia = await make.creator({ domain: 'old-domain' });
const show = await make.product(lucia, { slug: 'old-show' });
const episode = await make.draft(lucia, show, { slug: 'old-episode' });
await make.episodes(show, 1);
await lucia.api.creators.update({ domain: 'new-domain' });
await lucia.api.products.update({ id: show.id, kind: 'podcast', slug: 'new-show' });
await lucia.api.episodes.update({ id: episode.id, kind: 'podcast', slug: 'new-episode' });

const current = { domain: 'new-domain', slug: 'new-show', episodeSlug: 'new-episode' };
const ages = ['old', 'new'].flatMap((domain) =>
  ['old', 'new'].flatMap((slug) => ['old', 'new'].map((episodeSlug) => ({ domain, slug, episodeSlug }))),
);

test.each(ages)('$domain domain, $slug product slug, $episodeSlug episode slug', async (age) => {
  const address = {
    domain: `${age.domain}-domain`,
    slug: `${age.slug}-show`,
    episodeSlug: `${age.episodeSlug}-episode`,
  };

  const found = await findEpisodePage(ctx, address);

  expect(found.episode.episode.id).toBe(episode.id);
  expect(found.movedTo).toEqual(Object.values(age).includes('old') ? current : null);
});

test.each(ages.filter((age) => age.episodeSlug === 'new'))(
  'the feed moves like the page: $domain domain, $slug product slug',
  async (age) => {
    const address = { domain: `${age.domain}-domain`, slug: `${age.slug}-show` };

    const page = await findProductPage(ctx, address);
    const feed = await publicFeed(ctx, address);

    const { domain, slug } = current;
    expect(page.movedTo).toEqual(age.domain === 'old' || age.slug === 'old' ? { domain, slug } : null);
    if (page.movedTo) expect(feed).toEqual({ movedTo: ctx.urls.feed(domain, slug), isReversible: false });
    else expect(feed).toMatchObject({ show: { title: show.name } });
  },
);

test('each unknown part has its own error', async () => {
  await expect(findEpisodePage(ctx, { ...current, domain: 'unclaimed' })).toFailWith('creator.not_found');
  await expect(findEpisodePage(ctx, { ...current, slug: 'nothing' })).toFailWith('product.not_found');
  await expect(findEpisodePage(ctx, { ...current, episodeSlug: 'nothing' })).toFailWith('episode.not_found');
});

test('a slug that another product or episode uses again no longer redirects', async () => {
  const other = await make.product(lucia, { slug: 'old-show' });
  const newcomer = await make.draft(lucia, show, { slug: 'old-episode' });

  const foundShow = await findProductPage(ctx, { domain: 'new-domain', slug: 'old-show' });
  const foundEpisode = await findEpisodePage(ctx, { ...current, episodeSlug: 'old-episode' });

  expect([foundShow.product.product.id, foundShow.movedTo]).toEqual([other.id, null]);
  expect([foundEpisode.episode.episode.id, foundEpisode.movedTo]).toEqual([newcomer.id, null]);
});

test('a slug never returns to a former owner, even after the product that used it last is deleted', async () => {
  const first = await make.product(lucia, { slug: 'shared' });
  await lucia.api.products.update({ id: first.id, kind: 'podcast', slug: 'moved-on' });
  const last = await make.product(lucia, { slug: 'shared' });
  await lucia.api.products.retire({ id: last.id, kind: 'podcast' });

  const attempt = findProductPage(ctx, { domain: 'new-domain', slug: 'shared' });

  await expect(attempt).toFailWith('product.not_found');
});

test('a product that changes to a former slug of another takes it over for good', async () => {
  const first = await make.product(lucia, { slug: 'wanted' });
  await lucia.api.products.update({ id: first.id, kind: 'podcast', slug: 'given-up' });
  const last = await make.product(lucia, { slug: 'newcomer' });
  await lucia.api.products.update({ id: last.id, kind: 'podcast', slug: 'wanted' });
  await lucia.api.products.retire({ id: last.id, kind: 'podcast' });

  const attempt = findProductPage(ctx, { domain: 'new-domain', slug: 'wanted' });

  await expect(attempt).toFailWith('product.not_found');
});

test.each(['created with', 'changed to'])(
  'an episode %s a former slug of another takes it over for good',
  async (how) => {
    const first = await make.draft(lucia, show, { slug: 'wanted' });
    await lucia.api.episodes.update({ id: first.id, kind: 'podcast', slug: `given-up-${first.id}` });
    const slug = how === 'created with' ? 'wanted' : 'newcomer';
    const last = await make.draft(lucia, show, { slug });
    if (slug === 'newcomer') await lucia.api.episodes.update({ id: last.id, kind: 'podcast', slug: 'wanted' });
    await lucia.api.episodes.remove({ id: last.id });

    const attempt = findEpisodePage(ctx, { ...current, episodeSlug: 'wanted' });

    await expect(attempt).toFailWith('episode.not_found');
  },
);

test('a former slug redirects only within its own product', async () => {
  const other = await make.product(lucia);
  const moved = await make.draft(lucia, other, { slug: 'elsewhere' });
  await lucia.api.episodes.update({ id: moved.id, kind: 'podcast', slug: 'still-elsewhere' });

  const attempt = findEpisodePage(ctx, { ...current, episodeSlug: 'elsewhere' });

  await expect(attempt).toFailWith('episode.not_found');
});

test('a retired product is not found by its current or its former slug', async () => {
  const leaving = await make.product(lucia, { slug: 'leaving' });
  await lucia.api.products.update({ id: leaving.id, kind: 'podcast', slug: 'left' });
  await lucia.api.products.retire({ id: leaving.id, kind: 'podcast' });

  for (const slug of ['leaving', 'left']) {
    await expect(findProductPage(ctx, { domain: 'new-domain', slug })).toFailWith('product.not_found');
  }
});
