import { expect, test } from 'vitest';
import { definedErrors } from '~/server/base/errors';
import { abilities } from '~/server/policy/abilities';
import { cast } from '../support/cast';

/** A caller must not learn from an error that a hidden episode or another creator's product exists. */
const { lucia, ada, podcast, make, checkNewAudio } = await cast();
const hidden = await make.draft(lucia, podcast, { name: 'Hidden' });
await checkNewAudio();
await lucia.api.episodes.hold({ id: hidden.id });
const MISSING = 999_999;
const kind = 'podcast';
const { episodes, listening, products } = ada.api;

const EPISODE_CALLS: Record<string, (id: number) => Promise<unknown>> = {
  'episodes.get': (id) => episodes.get({ id }),
  'episodes.forEditing': (id) => episodes.forEditing({ id }),
  'episodes.update': (id) => episodes.update({ id, kind, name: 'Mine' }),
  'episodes.remove': (id) => episodes.remove({ id }),
  'episodes.hold': (id) => episodes.hold({ id }),
  'episodes.release': (id) => episodes.release({ id }),
  'listening.open': (id) => listening.open({ id }),
  'listening.start': (id) => listening.start({ id, session: 'hidden' }),
  'listening.savePosition': (id) => listening.savePosition({ id, seconds: 3 }),
  'listening.url': (id) => listening.url({ id }),
  'listening.adjacent': (id) => listening.adjacent({ id }),
  'listening.others': (id) => listening.others({ id }),
};
const PRODUCT_CALLS: Record<string, (id: number) => Promise<unknown>> = {
  'products.forEditing': (id) => products.forEditing({ id, kind }),
  'products.update': (id) => products.update({ id, kind, name: 'Mine' }),
  'products.retire': (id) => products.retire({ id, kind }),
  'episodes.create': (id) => make.draft(ada, { id, kind }, { name: 'Guest' }),
};

/** Everything that a caller learns about a failure. */
async function failureOf(call: Promise<unknown>) {
  const { code, message } = await call.then(
    () => ({ code: 'none', message: 'it succeeded' }),
    (error: { code: string; message: string }) => error,
  );
  return { code, message };
}

test.each(Object.keys(EPISODE_CALLS))('%s fails equally for a hidden and a missing episode', async (name) => {
  const call = EPISODE_CALLS[name]!;

  const failure = await failureOf(call(hidden.id));

  expect(failure).toEqual(await failureOf(call(MISSING)));
  expect(failure).toEqual({ code: 'NOT_FOUND', message: 'episode.not_found' });
});

test.each(Object.keys(PRODUCT_CALLS))('%s fails equally for a foreign and a missing product', async (name) => {
  const call = PRODUCT_CALLS[name]!;

  const failure = await failureOf(call(podcast.id));

  expect(failure).toEqual(await failureOf(call(MISSING)));
  expect(failure).toEqual({ code: 'NOT_FOUND', message: 'product.not_found' });
});

test.each(Object.keys(abilities))('a refusal of %s has a defined error', (ability) => {
  expect(definedErrors.get(`${ability.split('.')[0]}.not_found`)).toBe('not_found');
});
