import { expect, test } from 'vitest';
import '../support/matchers';
import { cast } from '../support/cast';
import type { Creator } from '../support/make';
import { picture } from '../support/pictures';

const { runtime, lucia, ada, tom, visitor, make } = await cast();

const create = async (owner: Creator, over: Parameters<typeof make.productInput>[1] = {}) =>
  owner.api.products.create(await make.productInput(owner, over));

test('a new podcast has a slug from its name and a cover in every size', async () => {
  const made = await create(lucia, {
    name: 'Él y ella',
    coverKey: await make.upload(lucia, 'cover', await picture(1401)),
  });

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
  const first = await create(lucia, { name: 'Doble' });
  const second = await create(lucia, { name: 'Doble' });

  expect([first.slug, second.slug]).toEqual(['doble', 'doble-2']);
});

test('an audio series is a product of another kind', async () => {
  const made = await create(lucia, { kind: 'audio_series', name: 'Curso' });

  expect(made).toMatchObject({ kind: 'audio_series', contentType: 'single' });
  await expect(visitor.products.get({ id: made.id, kind: 'podcast' })).toFailWith('product.not_found');
  await expect(visitor.products.get({ id: made.id, kind: 'audio_series' })).resolves.toMatchObject({ id: made.id });
});

test('a requested slug must be available, even if two tabs request it at once', async () => {
  await create(lucia, { slug: 'taken' });

  await expect(create(lucia, { slug: 'taken' })).toFailWith('product.slug_taken');
  const outcomes = await Promise.allSettled([create(ada, { slug: 'taken' }), create(ada, { slug: 'taken' })]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a cover must be a square picture from the creator’s own unused upload', async () => {
  const oblong = await make.upload(lucia, 'cover', await picture(1600, 1400));
  const text = await make.upload(lucia, 'cover', Buffer.from('<svg/>'));
  const foreign = await make.upload(ada, 'cover');
  const own = await make.upload(lucia, 'cover');
  await create(lucia, { name: 'Una', coverKey: own });

  await expect(create(lucia, { coverKey: oblong })).toFailWith('media.not_square');
  await expect(create(lucia, { coverKey: text })).toFailWith('media.not_a_picture');
  await expect(create(lucia, { coverKey: foreign })).toFailWith('upload.not_found');
  await expect(create(lucia, { name: 'Otra', coverKey: own })).toFailWith('upload.used');
});

test('a former slug redirects until its owner uses it again', async () => {
  const made = await create(lucia, { slug: 'before' });
  await lucia.api.products.update({ id: made.id, kind: 'podcast', slug: 'after' });

  const found = await visitor.pages.product({ domain: lucia.domain, slug: 'before' });
  expect(found).toEqual({ moved: { domain: lucia.domain, slug: 'after' } });
  const next = await create(lucia, { slug: 'before' });
  const now = await visitor.pages.product({ domain: lucia.domain, slug: 'before' });
  expect(now.moved === null && now.product.id).toBe(next.id);
});

test('a visible change increases the version', async () => {
  const made = await create(lucia);

  const changed = await lucia.api.products.update({ id: made.id, kind: 'podcast', description: 'Más mar.' });

  expect(changed.version).toBeGreaterThan(made.version);
});

test('only the owner can change, retire or edit a product', async () => {
  const { id, kind } = await create(lucia);

  for (const [caller, code] of [
    [ada.api, 'product.not_found'],
    [tom.api, 'common.not_authorized'],
    [visitor, 'common.unauthenticated'],
  ] as const) {
    await expect(caller.products.update({ id, kind, name: 'Mine' })).toFailWith(code);
    await expect(caller.products.retire({ id, kind })).toFailWith(code);
    await expect(caller.products.forEditing({ id, kind })).toFailWith(code);
  }
  await expect(visitor.products.get({ id, kind })).resolves.toMatchObject({ name: 'Ruido de fondo' });
});

test('a list contains only own products, page by page, and search characters are not wildcards', async () => {
  const owner = await make.creator();
  for (const name of ['Uno 100%', 'Dos', 'Tres']) await create(owner, { name });

  const first = await owner.api.products.list({ pageSize: 2, ordering: 'name' });
  const found = await owner.api.products.list({ search: '0%' });

  expect([first.total, first.items.map(({ name }) => name)]).toEqual([3, ['Dos', 'Tres']]);
  expect(found.items.map(({ name }) => name)).toEqual(['Uno 100%']);
  expect((await owner.api.products.list({ search: '%' })).total).toBe(1);
  expect((await tom.api.products.list({})).total).toBe(0);
  await expect(visitor.products.list({})).toFailWith('common.unauthenticated');
  await expect(visitor.products.slugAvailability({ slug: 'x' })).toFailWith('common.unauthenticated');
});

test.each([
  ['free-one', true, null],
  ['Taken-One ', false, 'product.slug_taken'],
  ['-x-', false, 'field.slug_invalid'],
  ['bad slug!', false, 'field.slug_invalid'],
  ['', false, 'field.slug_invalid'],
])('the slug %j is available: %s, because of %s', async (slug, available, reason) => {
  await create(lucia, { slug: 'taken-one' }).catch(() => {});

  expect(await lucia.api.products.slugAvailability({ slug })).toMatchObject({ available, reason });
});

test('an episode of a retired product is not found, even by its owner', async () => {
  const olas = await create(lucia);
  const { id, kind } = await make.draft(lucia, olas);
  await lucia.api.products.retire(olas);

  for (const { api } of [lucia, tom]) await expect(api.episodes.get({ id })).toFailWith('episode.not_found');
  await expect(lucia.api.episodes.update({ id, kind, name: 'Revived' })).toFailWith('episode.not_found');
  await expect(lucia.api.episodes.hold({ id })).toFailWith('episode.not_found');
});

test('a retired product is not found, and its slug is available', async () => {
  const { id, kind } = await create(lucia, { slug: 'leaving' });
  await lucia.api.products.retire({ id, kind });

  await expect(visitor.products.get({ id, kind })).toFailWith('product.not_found');
  await expect(visitor.pages.product({ domain: lucia.domain, slug: 'leaving' })).toFailWith('product.not_found');
  await expect(create(lucia, { slug: 'leaving' })).resolves.toMatchObject({ slug: 'leaving' });
});
