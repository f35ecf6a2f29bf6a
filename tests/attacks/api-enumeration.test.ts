import { afterAll, expect, test } from 'vitest';
import { createDb } from '~/db/client';
import { createToken, KEY_PREFIX } from '~/server/auth/api-tokens';
import { V1_TABLE } from '~/server/doors/v1/table';
import type { V1Call } from '~/server/doors/v1/v1-call';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';
import { v1Things } from '../support/v1-things';

const opened = await cast();
const { runtime, lucia, ada, podcast, paidPodcast, episodes } = opened;
const of = { owner: lucia, show: podcast, paid: paidPodcast, episode: episodes.podcast.public };
const pathOf = await v1Things({ runtime, ...of });
const key = await keyMaker(opened)(ada);

/** What the call makes the database do; the log of calls and the last use of a key are written beside it. */
const BESIDE = /api_calls|api_keys/;
let statements: string[] = [];
const { db, close } = createDb(opened.url, {
  onStatement: (text) => {
    if (!BESIDE.test(text)) statements.push(text);
    return () => {};
  },
});
afterAll(close);
const api = v1Client({ ...opened, runtime: { ...runtime, db } });

async function send({ method, example = {} }: V1Call, path: string, by = key) {
  statements = [];
  const { status, body } = await api.send(method, path, { key: by, ...(method !== 'GET' && { json: example }) });
  // the id of a request is its own, and so is the path
  const { request_id: _, instance: __, ...answer } = body;
  return { status, answer, made: statements };
}

const OF_THINGS = V1_TABLE.filter(({ path }) => path.includes(':')).map(
  (call) => [`${call.method} ${call.path}`, call] as const,
);
/** The list of a foreign show is read before it is refused, because anybody may know that the show exists. */
const READ_FIRST = ['GET /shows/:show_id/episodes'];

test.each(OF_THINGS)('%s: neither answer nor work tells a thing of another creator from none', async (name, call) => {
  const foreign = pathOf(call);
  const missing = foreign.replaceAll(/\/(?:\d+|[0-9a-f-]{36})(?=\/|$)/g, (id) =>
    id.length > 12 ? id.replace(/^.{5}/, '/0000') : '/2000000000',
  );
  expect(missing).not.toBe(foreign);

  // the first call of a kind fills caches
  await send(call, missing);
  const [first, second] = [await send(call, foreign), await send(call, missing)];

  expect(first.answer).toEqual(second.answer);
  if (!READ_FIRST.includes(name)) expect(first.made).toEqual(second.made);
});

test('a revoked key has the answer of one that never was', async () => {
  const revoked = await keyMaker(opened)(ada);
  const [newest] = await opened.ada.api.developers.keys();
  await opened.ada.api.developers.revokeKey({ id: newest!.id });
  const [call] = V1_TABLE;

  const [first, second] = [await send(call!, '/shows', revoked), await send(call!, '/shows', createToken(KEY_PREFIX))];

  expect(first.status).toBe(401);
  expect(first).toEqual(second);
});
