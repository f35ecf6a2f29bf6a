import fs from 'node:fs';
import { expect, test } from 'vitest';
import { typesOfCalls } from '~/clients/typescript/generate/types-of-calls';
import { createClient } from '~/clients/typescript/src/client';
import { AltavozProblem } from '~/clients/typescript/src/problem';
import { appConnections } from '../support/app-connections';
import { appFetch } from '../support/app-fetch';
import { attackedServer } from '../support/attacked-server';

const { lucia, podcast, make, port } = await attackedServer();
const fetchApp = appFetch(port);
const { connect } = appConnections(fetchApp);
const url = 'http://altavoz.localhost:3000';
const { access_token } = await connect(lucia, { audience: 'v1', scope: 'shows:read episodes:write' });
const client = createClient({ url, token: access_token, fetch: fetchApp });

/** Formatting adds and removes spaces, the first bar of a union, and the last semicolon of an object. */
const withoutSpace = (text: string) =>
  text
    .replace(/\s+/g, '')
    .replaceAll(';}', '}')
    .replace(/([=:<(,])\|/g, '$1');

test('the types are those of the calls: node --import tsx scripts/client-types.mjs writes them again', () => {
  const stored = fs.readFileSync('clients/typescript/src/types.ts', 'utf8');

  expect(withoutSpace(stored)).toBe(withoutSpace(typesOfCalls()));
});

test('the client reads, follows the pages of a list, and changes', async () => {
  await make.episodes(podcast, 7, (i) => ({ slug: `client-${i}` }));
  const shows: string[] = [];
  for await (const show of client.list('GET /shows')) shows.push(show.name);
  const ids: number[] = [];
  const params = { show_id: podcast.id };
  for await (const { id } of client.list('GET /shows/:show_id/episodes', { params, query: { limit: 2 } })) ids.push(id);

  const { total } = await client.call('GET /shows/:show_id/episodes', { params });
  const changed = await client.call('PATCH /episodes/:id', { params: { id: ids[0]! }, body: { name: 'Renamed' } });

  expect(shows).toContain(podcast.name);
  expect([new Set(ids).size, ids.length > 6]).toEqual([total, true]);
  expect(changed.name).toBe('Renamed');
});

test('a refusal is a problem with its code, its fields and the id of the request', async () => {
  const missing = await client.call('GET /shows/:id', { params: { id: 999_999 } }).catch((error) => error);
  const { data } = await client.call('GET /shows/:show_id/episodes', { params: { show_id: podcast.id } });
  const invalid = await client
    .call('PATCH /episodes/:id', { params: { id: data[0]!.id }, body: { name: '' } })
    .catch((error) => error);

  expect(missing).toBeInstanceOf(AltavozProblem);
  expect(missing).toMatchObject({ status: 404, code: 'product.not_found', requestId: expect.any(String) });
  expect(invalid).toMatchObject({ status: 400, errors: { name: [expect.any(String)] } });
});

test('a call is sent again after a lost connection and a busy server, with the same key and the asked pause', async () => {
  const answers = [
    new TypeError('lost'),
    new Response(null, { status: 503, headers: { 'retry-after': '7' } }),
    new Response(null, { status: 429 }),
  ];
  const keys: (string | null)[] = [];
  const pauses: number[] = [];
  const shaky: typeof fetch = async (target, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? fetchApp(target, init);
  };
  const wait = async (ms: number) => void pauses.push(ms);
  const retrying = createClient({ url, token: () => access_token, fetch: shaky, wait });
  const { data } = await client.call('GET /shows/:show_id/episodes', { params: { show_id: podcast.id } });

  await retrying.call('PATCH /episodes/:id', { params: { id: data[0]!.id }, body: { name: 'Again' } });

  expect(pauses).toEqual([1000, 7000, 4000]);
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([4, 1, expect.stringMatching(/^[\w-]{36}$/)]);
});

test('a server that stays away is asked four times, and one that asks for an hour is not asked again', async () => {
  let calls = 0;
  const away = (headers: Record<string, string>): typeof fetch => {
    calls = 0;
    return async () => {
      calls += 1;
      return new Response(null, { status: 503, headers });
    };
  };
  const attempt = (headers: Record<string, string>) =>
    createClient({ url, token: 'x', fetch: away(headers), wait: async () => {} })
      .call('GET /shows')
      .catch((error: AltavozProblem) => error.status);

  expect([await attempt({}), calls]).toEqual([503, 4]);
  expect([await attempt({ 'retry-after': '3600' }), calls]).toEqual([503, 1]);
});
