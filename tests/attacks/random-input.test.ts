import { expect, test } from 'vitest';
import { TABLE } from '~/server/rest/table';
import { APP_HOST, attackedServer } from '../support/attacked-server';
import { procedures } from '../support/authorization';
import { deepSeed, deepTimes, isDeep } from '../support/deep';
import { hostileValue, randomInput } from '../support/random-input';
import { ROUTE_PATHS } from '../support/routed-pages';
import { seededInts } from '../support/seeded-ints';

const { runtime, lucia, tom, podcast, series, episodes, faults, sendRaw } = await attackedServer();
const below = seededInts(deepSeed());
const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;

const people = { lucia: await startSession(lucia), tom: await startSession(tom) };
const ids = [podcast.id, series.id, ...Object.values(episodes.podcast).map(({ id }) => id), lucia.creatorId ?? 0];

type Sent = { method: string; path: string; headers?: string[]; body?: string };

/** A session of its own for each request that may end it. */
async function startSession({ id }: { id: number }): Promise<string> {
  return (await runtime.sessions.start(id, { channel: 'web', userAgent: '', country: null })).token;
}

async function someone(): Promise<string | null> {
  const name = one(['lucia', 'lucia', 'tom', null] as const);
  if (name === null) return null;
  if (!(await runtime.sessions.read(people[name]))) people[name] = await startSession(name === 'lucia' ? lucia : tom);
  return people[name];
}

async function send({ method, path, headers = [], body }: Sent) {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${APP_HOST}`, `Origin: http://${APP_HOST}`, ...headers, ...length];
  return sendRaw(`${head.join('\r\n')}\r\n\r\n`, body ?? '');
}

const encoded = (values: Record<string, unknown>) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, toText(value)])).toString();
const toText = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? ''));

/** An identifier in a path: mostly one that exists. */
const segment = () => encodeURIComponent(below(5) ? String(one(ids)) : toText(hostileValue(below)).slice(0, 80));
const filled = (path: string) => path.replaceAll(/:\w+\??/g, segment).replace('*', segment);

const asCookie = (token: string | null) => (token ? [`Cookie: token=${token}`] : []);
const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';

async function someCall(): Promise<Sent> {
  const [name, { _def }] = one(Object.entries(procedures));
  const json = JSON.stringify({ json: randomInput(_def.inputs[0], ids, below) });
  const headers = asCookie(await someone());
  if (_def.type === 'query')
    return { method: 'GET', path: `/trpc/${name}?input=${encodeURIComponent(json.toWellFormed())}`, headers };
  return { method: 'POST', path: `/trpc/${name}`, headers: [...headers, JSON_TYPE], body: json };
}

async function someRestCall(): Promise<Sent> {
  const { method, path, procedure } = one(TABLE);
  const input = randomInput(procedures[procedure]!._def.inputs[0], ids, below);
  const fields = Object.entries(input ?? {}).map(([name, value]) => [toLegacyName(name), value]);
  const token = await someone();
  const headers = token ? [`Authorization: Token ${token}`] : [];
  const address = `/api/${filled(path)}`;
  if (method === 'GET') return { method, path: `${address}?${encoded(Object.fromEntries(fields))}`, headers };
  const [type, body] = one([
    [JSON_TYPE, JSON.stringify(Object.fromEntries(fields))],
    [FORM_TYPE, encoded(Object.fromEntries(fields))],
  ] as const);
  return { method, path: address, headers: [...headers, type], body };
}

const toLegacyName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All but the page that shows an error of another page with its status. */
const PAGES = ROUTE_PATHS.filter((path) => !path.endsWith('/error'));

/** A page, or its form with its own names and other values. */
async function somePage(): Promise<Sent> {
  const path = encodeURI(one(['', '/es'])) + filled(one(PAGES)) || '/';
  const headers = asCookie(await someone());
  const page = {
    method: 'GET',
    path: below(4) ? path : `${path}?${encoded(randomFields(['page', 'search', 'state']))}`,
  };
  if (below(2)) return { ...page, headers };
  const { body } = await send({ ...page, headers });
  const names = [...body.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name.replaceAll('&amp;', '&'));
  return { method: 'POST', path, headers: [...headers, FORM_TYPE], body: encoded(randomFields(names)) };
}

function randomFields(names: string[]): Record<string, unknown> {
  const given = names.filter(() => below(6) > 0).map((name) => [name, below(4) ? one(ids) : hostileValue(below)]);
  return Object.fromEntries(given);
}

const INPUTS = isDeep ? 1000 * deepTimes : 80;

test.each([
  ['procedure', someCall],
  ['call of the REST API', someRestCall],
  ['page or form', somePage],
])('no random input of a %s is a server error', async (_, make) => {
  const failed: unknown[] = [];
  for (let i = 0; i < INPUTS; i += 1) {
    const sent = await make();
    const { status } = await send(sent);
    if (status === 0 || status >= 500) failed.push({ ...sent, status });
  }
  expect(failed).toEqual([]);
  expect(faults().filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

// an error that nobody awaits fails the test run
test('no page with a bad identifier is a server error', async () => {
  const failed: unknown[] = [];
  for (const page of PAGES) {
    const path = page.replaceAll(/:\w+\??/g, 'zero').replace('*', 'zero') || '/';
    const { status } = await send({ method: 'GET', path });
    if (status === 0 || status >= 500) failed.push({ path, status });
  }
  expect(failed).toEqual([]);
});
