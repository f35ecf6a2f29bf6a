import { expect, test } from 'vitest';
import { as, coverKey, creator, draft, person, picture, product, uploaded } from '../support/people';
import '../support/matchers';
import { testRuntime } from '../support/runtime';

const { runtime } = await testRuntime();
const visitor = await as(runtime, null);
const lucia = await creator(runtime);
const max = await creator(runtime);
const tom = await person(runtime);

test('a new podcast has a slug from its name and a cover in every size', async () => {
  const made = await product(runtime, lucia, { name: 'Él y ella' });

  expect(made).toMatchObject({
    kind: 'podcast',
    slug: 'el-y-ella',
    planType: 'free',
    contentType: 'recurring',
    episodesCount: 0,
  });
  for (const url of [made.cover.jpg, ...Object.values(made.cover.webp)]) {
    expect(await runtime.ports.storage.head(url.replace('/media/', ''))).not.toBeNull();
  }
});

test('a second product with the same name gets another slug', async () => {
  const first = await product(runtime, lucia, { name: 'Doble' });
  const second = await product(runtime, lucia, { name: 'Doble' });

  expect([first.slug, second.slug]).toEqual(['doble', 'doble-2']);
});

test('an audio series is a product of another kind', async () => {
  const made = await product(runtime, lucia, { kind: 'audio_series', name: 'Curso' });

  expect(made).toMatchObject({ kind: 'audio_series', contentType: 'single' });
  await expect(visitor.products.get({ id: made.id, kind: 'podcast' })).toFailWith('product.not_found');
  await expect(visitor.products.get({ id: made.id, kind: 'audio_series' })).resolves.toMatchObject({ id: made.id });
});

test('a chosen slug must be free, even if two tabs choose it at once', async () => {
  await product(runtime, lucia, { slug: 'taken' });

  await expect(product(runtime, lucia, { slug: 'taken' })).toFailWith('product.slug_taken');
  const outcomes = await Promise.allSettled([
    product(runtime, max, { slug: 'taken' }),
    product(runtime, max, { slug: 'taken' }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a cover must be a square picture from an own upload that is not used yet', async () => {
  const oblong = await uploaded(runtime, lucia.token, 'cover', await picture(400, 300));
  const text = await uploaded(runtime, lucia.token, 'cover', Buffer.from('<svg/>'));
  const foreign = await coverKey(runtime, max.token);
  const own = await coverKey(runtime, lucia.token);
  await product(runtime, lucia, { name: 'Una', coverKey: own });

  await expect(product(runtime, lucia, { coverKey: oblong })).toFailWith('media.not_square');
  await expect(product(runtime, lucia, { coverKey: text })).toFailWith('media.not_a_picture');
  await expect(product(runtime, lucia, { coverKey: foreign })).toFailWith('upload.not_found');
  await expect(product(runtime, lucia, { name: 'Otra', coverKey: own })).toFailWith('upload.used');
});

test('a former slug redirects until its owner uses it again', async () => {
  const made = await product(runtime, lucia, { slug: 'before' });
  await lucia.api.products.update({ id: made.id, kind: 'podcast', slug: 'after' });

  const found = await visitor.pages.product({ domain: lucia.domain, slug: 'before' });
  expect(found).toEqual({ moved: { domain: lucia.domain, slug: 'after' } });
  const next = await product(runtime, lucia, { slug: 'before' });
  const now = await visitor.pages.product({ domain: lucia.domain, slug: 'before' });
  expect(now.moved === null && now.product.id).toBe(next.id);
});

test('a visible change raises the version', async () => {
  const made = await product(runtime, lucia);

  const changed = await lucia.api.products.update({ id: made.id, kind: 'podcast', description: 'Más mar.' });

  expect(changed.version).toBeGreaterThan(made.version);
});

test('only the owner can change, retire or edit a product', async () => {
  const { id, kind } = await product(runtime, lucia);

  for (const [caller, code] of [
    [max.api, 'common.not_found'],
    [tom.api, 'common.not_authorized'],
    [visitor, 'common.unauthenticated'],
  ] as const) {
    await expect(caller.products.update({ id, kind, name: 'Mine' })).toFailWith(code);
    await expect(caller.products.retire({ id, kind })).toFailWith(code);
    await expect(caller.products.forEditing({ id, kind })).toFailWith(code);
  }
  await expect(visitor.products.get({ id, kind })).resolves.toMatchObject({ name: 'Olas' });
});

test('a list contains only own products, page by page, and search characters are not wildcards', async () => {
  const ada = await creator(runtime);
  for (const name of ['Uno 100%', 'Dos', 'Tres']) await product(runtime, ada, { name });

  const first = await ada.api.products.list({ pageSize: 2, ordering: 'name' });
  const found = await ada.api.products.list({ search: '0%' });

  expect([first.total, first.items.map(({ name }) => name)]).toEqual([3, ['Dos', 'Tres']]);
  expect(found.items.map(({ name }) => name)).toEqual(['Uno 100%']);
  expect((await ada.api.products.list({ search: '%' })).total).toBe(1);
  expect((await tom.api.products.list({})).total).toBe(0);
  await expect(visitor.products.list({})).toFailWith('common.unauthenticated');
  await expect(visitor.products.slugAvailability({ slug: 'x' })).toFailWith('common.unauthenticated');
});

test('nobody finds an episode of a retired product, not even its owner', async () => {
  const olas = await product(runtime, lucia);
  const { id, kind } = await draft(runtime, lucia, olas);
  await lucia.api.products.retire(olas);

  for (const { api } of [lucia, tom]) await expect(api.episodes.get({ id })).toFailWith('episode.not_found');
  await expect(lucia.api.episodes.update({ id, kind, name: 'Revived' })).toFailWith('episode.not_found');
  await expect(lucia.api.episodes.hold({ id })).toFailWith('episode.not_found');
});

test('nobody finds a retired product, and its slug is free', async () => {
  const { id, kind } = await product(runtime, lucia, { slug: 'leaving' });
  await lucia.api.products.retire({ id, kind });

  await expect(visitor.products.get({ id, kind })).toFailWith('product.not_found');
  await expect(visitor.pages.product({ domain: lucia.domain, slug: 'leaving' })).toFailWith('product.not_found');
  await expect(product(runtime, lucia, { slug: 'leaving' })).resolves.toMatchObject({ slug: 'leaving' });
});
