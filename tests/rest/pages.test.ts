import { expect, test } from 'vitest';
import { cast } from '../support/cast';
import { legacyClient } from '../support/legacy';

const opened = await cast();
const { lucia, ada, podcast, episodes } = opened;
const api = legacyClient(opened);
const HOST = `http://staging-${lucia.domain}.altavoz.localhost:3000`;

const addressOf = async (type: string, id: unknown, token: string | null = null) => {
  const { status, body } = await api.get(`get-redirect-url/?type=${type}&id=${id}`, { token });
  return status === 200 ? body.redirect_url : status;
};

test('ids lead to the current public pages, on our own hosts', async () => {
  const episode = episodes.podcast.public;

  expect(await addressOf('creator', lucia.creatorId)).toBe(`${HOST}/`);
  expect(await addressOf('product', podcast.id)).toBe(`${HOST}/p/${podcast.slug}`);
  expect(await addressOf('episode', episode.id)).toBe(`${HOST}/p/${podcast.slug}/${episode.slug}`);
});

test('unknown types, ids and hidden episodes have no address', async () => {
  const scheduled = episodes.podcast.scheduled;

  expect(await addressOf('episode', scheduled.id)).toBe(404);
  expect(await addressOf('episode', scheduled.id, ada.token)).toBe(404);
  expect(await addressOf('episode', scheduled.id, lucia.token)).toContain(scheduled.slug);
  expect(await addressOf('product', 999_999)).toBe(404);
  expect(await addressOf('creator', 999_999)).toBe(404);
  expect(await addressOf('url', '1&url=https://evil.example')).toBe(400);
  expect(await addressOf('product', '//evil.example')).toBe(400);
});

test('discover lists the shows of all creators, with the filters of the contract', async () => {
  const { status, body } = await api.get('discover/?type=podcast&ordering=name&search=&price=free&foo=1', {});
  const searched = await api.get('discover/?search=OLAS&page_size=1', { token: 'undefined' });

  expect([status, body.count, (body.results as { name: string }[]).map(({ name }) => name)]).toEqual([
    200,
    1,
    ['Olas'],
  ]);
  expect(searched.body).toMatchObject({ count: 1, next: null, results: [{ id: podcast.id, is_subscribed: false }] });
  expect((await api.get('discover/?ordering=price', {})).status).toBe(400);
  expect((await api.get('discover/?page=9', {})).body).toEqual({ detail: 'Invalid page.' });
});
