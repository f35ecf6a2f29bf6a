import { expect, test } from 'vitest';
import { v1Fields } from '~/server/doors/v1/input';
import { V1_TABLE } from '~/server/doors/v1/table';
import type { V1Call } from '~/server/doors/v1/v1-call';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { hostileValue } from '../support/random-input';
import { seededInts } from '../support/seeded-ints';
import { keyMaker } from '../support/v1-client';
import { v1Things } from '../support/v1-things';

const opened = await attackedServer();
const { runtime, clock, lucia, podcast, paidPodcast, episodes, faults, lines, sendRaw } = opened;
const below = seededInts(deepSeed());
const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;
const pathOf = await v1Things({
  runtime,
  owner: lucia,
  show: podcast,
  paid: paidPodcast,
  episode: episodes.podcast.public,
});
const key = await keyMaker(opened)(lucia);

async function send(method: string, path: string, { body, headers = [] }: { body?: string; headers?: string[] } = {}) {
  const length = `Content-Length: ${Buffer.byteLength(body ?? '')}`;
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${APP_HOST}`, ...headers, length];
  return sendRaw(`${head.join('\r\n')}\r\n\r\n`, body ?? '');
}
const bearer = `Authorization: Bearer ${key}`;

const BROKEN = [
  ...['', '{', '[]', 'null', '1', '"a"', '{"a":', '\u0000', '{"__proto__":{"a":1}}', '{"constructor":1}'],
  `{"filter":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  JSON.stringify({ name: 'x'.repeat(150_000) }),
  JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i]))),
];

/** A body with some fields of the call, and something else in them. */
function hostileBody({ example = {} }: V1Call): string {
  if (!below(4)) return one(BROKEN);
  const names = [...Object.keys(example), 'id', 'kind', 'name', 'unknown'];
  const fields = names.filter(() => below(2)).map((name) => [name, below(3) ? hostileValue(below) : 1]);
  return JSON.stringify({ ...(below(2) ? example : {}), ...Object.fromEntries(fields) }) ?? '{}';
}

const TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=a',
  '',
];
const text = () =>
  encodeURIComponent(
    String(JSON.stringify(hostileValue(below)))
      .slice(0, 100)
      .toWellFormed(),
  );

test('no hostile body, query or header fails the server', async () => {
  const count = isDeep ? 10_000 * deepTimes : 400;
  const found: string[] = [];

  for (let i = 0; i < count; i += 1) {
    // each minute of the clock has its own rate
    if (i % 500 === 0) Object.assign(clock, { now: new Date(clock.now.getTime() + 61_000) });
    const call = one(V1_TABLE);
    const query = below(3) ? '' : `?${one(['limit', 'cursor', 'fields', 'search', 'from', 'month', text()])}=${text()}`;
    const more = below(4) ? [] : [`Idempotency-Key: ${one(['a', 'b', '\u00e9', 'x'.repeat(300)])}`];
    const headers = [bearer, `Content-Type: ${one(TYPES)}`, ...more];
    const { status } = await send(call.method, `/v1${pathOf(call)}${query}`, {
      headers,
      ...(call.method !== 'GET' && { body: hostileBody(call) }),
    });
    if (status >= 500 || status === 0) found.push(`${status} ${call.method} ${call.path}${query}`);
  }

  expect(found).toEqual([]);
  expect(faults().filter((line) => !line.includes('rate limit reached'))).toEqual([]);
});

test('no object in place of a field fails the server, whatever its own methods are', async () => {
  const writes = V1_TABLE.filter(({ method }) => method !== 'GET');
  const bodies = writes.flatMap((call) =>
    Object.keys(v1Fields(call)).flatMap((name) =>
      [{ toString: 1 }, [{ toString: 1, valueOf: 1 }]].map((value) => ({ call, name, value })),
    ),
  );
  const found: string[] = [];

  for (const [i, { call, name, value }] of bodies.entries()) {
    if (i % 500 === 0) Object.assign(clock, { now: new Date(clock.now.getTime() + 61_000) });
    const body = JSON.stringify({ ...call.example, [name]: value });
    const headers = [bearer, 'Content-Type: application/json'];
    const { status } = await send(call.method, `/v1${pathOf(call)}`, { headers, body });
    if (status >= 500 || status === 0) found.push(`${status} ${call.method} ${call.path} ${name}`);
  }

  expect(bodies.length).toBeGreaterThan(200);
  expect(found).toEqual([]);
});

test('keys are nowhere in the log, wherever they were sent', async () => {
  await send('GET', '/v1/shows', { headers: [bearer] });
  await send('GET', `/v1/shows?key=${key}`);
  await send('GET', `/v1/shows/${key}`, { headers: [bearer] });
  await send('GET', `/v1/${key}`);
  await send('POST', '/v1/contacts', {
    headers: [bearer, 'Content-Type: application/json'],
    body: JSON.stringify({ name: key }),
  });

  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes(key.slice(8, 40)))).toEqual([]);
});

test('a page of another site cannot use the API with the cookie of its visitor', async () => {
  const headers = [`Cookie: token=${lucia.token}`, 'Origin: https://evil.example', 'Content-Type: application/json'];

  const { status, head } = await send('POST', '/v1/contacts', { headers, body: '{}' });

  expect(status).toBe(401);
  expect(head).not.toMatch(/access-control-allow/i);
});
