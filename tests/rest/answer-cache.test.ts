import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { episodes } from '~/db/schema/episodes';
import { createAnswerCache } from '~/server/rest/answer-cache';
import { cast } from '../support/cast';
import { legacyClient, rowsOf } from '../support/legacy';

const opened = await cast();
const { runtime, make } = opened;
let isHearing = true;
let afterReading = async () => {};
const answers = createAnswerCache(() => isHearing);
const find: typeof answers.find = (key, keptFor, make) =>
  answers.find(key, keptFor, async () => {
    const answer = await make();
    await afterReading();
    return answer;
  });
const api = legacyClient(opened, { answers: { ...answers, find } });

const DRAFT = { name: 'Draft', status: 'on_hold' } as const;

/** A podcast with one published episode and a draft. */
async function withPodcast() {
  const owner = await make.creator();
  const podcast = await make.product(owner);
  const [episode] = await make.episodes(podcast, 2, (i) => (i === 0 ? { name: 'One' } : DRAFT));
  return { owner, podcast, episode: episode!, path: `podcasts/${podcast.id}/episodes_list/?ordering=name` };
}

async function namesIn(path: string, sent: Parameters<typeof api.get>[1] = {}) {
  return rowsOf((await api.get(path, sent)).body.results).map(({ name }) => name);
}

/** Renames directly in the table, so that no change is announced: the old name then identifies a cached answer. */
const rename = (id: number, name: string) => runtime.db.update(episodes).set({ name }).where(eq(episodes.id, id));

test('an equal request of the same caller gets the same answer, until any change is announced', async () => {
  const { owner, episode, path } = await withPodcast();
  const list = () => namesIn(path, { token: owner.token });
  await list();

  await rename(episode.id, 'Two');
  expect(await list()).toEqual(['Draft', 'One']);
  answers.clear();
  expect(await list()).toEqual(['Draft', 'Two']);
});

test('an answer is kept for its time only', async () => {
  const ask = (body: string) => answers.find('key', 20, async () => ({ status: 200, body }));
  await ask('old');

  await sleep(30);

  expect(await ask('new')).toEqual({ status: 200, body: 'new' });
});

test('an episode that a REST client changes, adds or deletes is in its next answer', async () => {
  const { owner, podcast, episode, path } = await withPodcast();
  const { token } = owner;
  const list = () => namesIn(path, { token });
  await list();

  await api.patch(`episodes/${episode.id}/`, { token, json: { name: 'Changed' } });
  expect(await list()).toEqual(['Changed', 'Draft']);

  const file_key = await make.upload({ token }, 'episode_audio');
  await api.post('episodes/', { token, json: { product_id: podcast.id, name: 'New', description: 'New', file_key } });
  expect(await list()).toEqual(['Changed', 'Draft', 'New']);

  await api.delete(`episodes/${episode.id}/`, { token });
  expect(await list()).toEqual(['Draft', 'New']);
});

test('another creator, a listener and a visitor get their own answers at the same URL', async () => {
  const { owner, path } = await withPodcast();
  const [creator, listener] = [await make.creator(), await make.person()];

  const seen = [];
  for (const { token } of [owner, creator, listener, { token: null }]) seen.push(await namesIn(path, { token }));

  expect(seen).toEqual([['Draft', 'One'], ['One'], ['One'], ['One']]);
});

test('a token that has logged out is refused at once', async () => {
  const { owner, path } = await withPodcast();
  const before = await api.get(path, { token: owner.token });

  await runtime.sessions.end(owner.token);

  const after = await api.get(path, { token: owner.token });
  expect([before.status, after.status]).toEqual([200, 401]);
});

test('each language, page and host has an answer of its own', async () => {
  const { owner, podcast, episode, path } = await withPodcast();
  const { token } = owner;
  await runtime.db.update(episodes).set({ failureReason: 'audio.disk_full' }).where(eq(episodes.id, episode.id));
  const reasonIn = async (language: string) => {
    const { body } = await api.get(path, { token, headers: { 'accept-language': language } });
    return rowsOf(body.results).find(({ name }) => name === 'One')?.failure_reason;
  };
  const linkAt = async (host: string) => {
    const url = `podcasts/${podcast.id}/episodes_list/?page_size=1`;
    return (await api.get(url, { token, headers: { 'x-forwarded-host': host } })).body.next;
  };

  expect(await reasonIn('en')).not.toBe(await reasonIn('es'));
  expect(await namesIn(`${path}&page_size=1`, { token })).toEqual(['Draft']);
  expect(await namesIn(`${path}&page_size=1&page=2`, { token })).toEqual(['One']);
  expect(await linkAt('altavoz.localhost:3000')).not.toBe(await linkAt('staging-lucia.altavoz.localhost:3000'));
});

test('an answer from rows that were read before a change is not kept', async () => {
  const { owner, episode, path } = await withPodcast();
  const { token } = owner;

  afterReading = async () => {
    await rename(episode.id, 'Later');
    answers.clear();
  };
  expect(await namesIn(path, { token })).toEqual(['Draft', 'One']);
  afterReading = async () => {};

  expect(await namesIn(path, { token })).toEqual(['Draft', 'Later']);
});

test('nothing is kept while changes cannot be heard', async () => {
  const { owner, episode, path } = await withPodcast();
  const { token } = owner;
  await namesIn(path, { token });

  isHearing = false;
  await rename(episode.id, 'Unheard');
  const unheard = await namesIn(path, { token });
  isHearing = true;

  expect(unheard).toEqual(['Draft', 'Unheard']);
});
