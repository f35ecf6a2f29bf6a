import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { pagesApp } from '../support/pages-app';

const { runtime, env, make } = await cast();
const app = pagesApp(runtime, env.urls);
const owner = await make.creator({ name: 'Noa' });
const { host, origin } = new URL(env.urls.appUrl);
const headers = { cookie: `token=${owner.token}`, host, origin };

/** The choices of the type, in their order: the chosen one in brackets, a closed one crossed out. */
async function typesOf(path: string): Promise<string[]> {
  const html = await (await app.request(`${env.urls.appUrl}${path}`, { headers })).text();
  return [...html.matchAll(/<input type="radio" name="type"([^>]*)>/g)].map(([, attributes = '']) => {
    const [, value = ''] = /value="(\w+)"/.exec(attributes) ?? [];
    if (/disabled/.test(attributes)) return `-${value}-`;
    return /checked/.test(attributes) ? `[${value}]` : value;
  });
}
const create = ({ id }: { id: number }, query = '') => `/podcasts/${id}/episodes/create${query}`;

test('the first episode of a paid show starts as private, and cannot be chosen as public', async () => {
  const show = await make.product(owner, { name: 'Sold', priceMinor: 500 });

  expect(await typesOf(create(show))).toEqual(['[private]', '-public-', 'trailer']);
  expect(await typesOf(create(show, '?type=trailer'))).toEqual(['private', '-public-', '[trailer]']);
  expect(await owner.api.episodes.publicRoom({ id: show.id, kind: 'podcast' })).toBe(0);
});

test('a paid show allows as many public episodes as private ones', async () => {
  const show = await make.product(owner, { name: 'Grown', priceMinor: 500 });
  const [sold, , open, held] = await make.episodes(show, 4, (i) => ({
    type: i === 2 ? 'public' : 'private',
    ...(i === 3 && { status: 'on_hold' }),
  }));
  const edited = (id: number) => `/podcasts/${show.id}/episodes/edit/${id}`;

  expect(await owner.api.episodes.publicRoom({ id: show.id, kind: 'podcast' })).toBe(1);
  expect(await typesOf(create(show))).toEqual(['[private]', 'public', 'trailer']);
  expect(await typesOf(edited(open!.id))).toEqual(['private', '[public]', 'trailer']);
  expect(await typesOf(edited(held!.id))).toEqual(['[private]', 'public', 'trailer']);
  // it would be one more public and one less private episode
  expect(await typesOf(edited(sold!.id))).toEqual(['[private]', '-public-', 'trailer']);
});

test('episodes of a free show start as public, without a limit', async () => {
  const show = await make.product(owner, { name: 'Free' });

  expect(await typesOf(create(show))).toEqual(['[public]', 'trailer']);
  expect(await owner.api.episodes.publicRoom({ id: show.id, kind: 'podcast' })).toBeNull();
});
