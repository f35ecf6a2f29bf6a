import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEnd } from 'stripe-sandbox/testing/at-end';
import { beforeEach, expect, test } from 'vitest';
import { run } from '~/clients/typescript/src/cli/run';
import type { Terminal } from '~/clients/typescript/src/cli/terminal';
import { createKey } from '~/server/domain/developers/create-key';
import { appFetch } from '../support/app-fetch';
import { attackedServer } from '../support/attacked-server';
import { PASSWORD } from '../support/make';
import { mp3 } from '../support/mp3';

const { runtime, lucia, podcast, ctxOf, clock, port, checkNewAudio } = await attackedServer();
const URL_OF_APP = 'http://altavoz.localhost:3000';
const fetchApp = appFetch(port);

beforeEach(() => runtime.db.execute('delete from rate_limits'));

/** A terminal with a folder of its own. `agree`: what the person does on the consent page. */
async function terminal(agree: (page: URL) => Promise<URL> = accept) {
  const folder = await mkdtemp(path.join(tmpdir(), 'altavoz-cli-'));
  atEnd(() => rm(folder, { recursive: true }));
  const lines: string[] = [];
  const faked: Terminal = {
    fetch: fetchApp,
    folder,
    url: undefined,
    key: undefined,
    print: (line) => void lines.push(line),
    read: async () => '',
    open: (page) => void agree(new URL(page)).then((answer) => fetch(answer)),
    now: () => clock.now.getTime(),
  };
  const login = async () => JSON.parse(await readFile(path.join(folder, 'login.json'), 'utf8'));
  return { faked, folder, lines, login };
}

async function accept(page: URL): Promise<URL> {
  const asked = Object.fromEntries(page.searchParams);
  const { scopes } = await lucia.api.apps.request(asked);
  const answer = { creatorId: lucia.creatorId, granted: scopes, currentPassword: PASSWORD };
  return new URL((await lucia.api.apps.connect({ ...asked, ...answer })).url);
}

test('a person logs in by the browser, lists shows and episodes, and logs out', async () => {
  const { faked, folder, lines, login } = await terminal();

  expect(await run(faked, ['login', '--url', `${URL_OF_APP}/`])).toBe(0);
  const { mode } = await stat(path.join(folder, 'login.json'));
  expect(mode & 0o777).toBe(0o600);
  expect(lines.at(-1)).toBe('Logged in. Shows: 3');
  expect(await run(faked, ['shows'])).toBe(0);
  expect(lines).toContain([podcast.id, podcast.slug, podcast.name].join('\t'));
  expect(await run(faked, ['episodes', '--show', podcast.slug])).toBe(0);
  expect(lines.some((line) => line.includes('\tpublished\t'))).toBe(true);

  const { accessToken } = await login();
  expect(await run(faked, ['logout'])).toBe(0);
  const headers = { authorization: `Bearer ${accessToken}` };
  expect((await fetchApp(`${URL_OF_APP}/v1/shows`, { headers })).status).toBe(401);
  expect([await run(faked, ['shows']), lines.at(-1)]).toEqual([1, 'Log in first: altavoz login --url https://…']);
  expect([await run(faked, ['logout']), lines.at(-1)]).toEqual([0, 'You are not logged in.']);
});

test('a file is uploaded, and its episode published at a time, at once, or by hand', async () => {
  const { faked, folder, lines } = await terminal();
  const file = path.join(folder, 'The first wave.mp3');
  await writeFile(file, mp3(3));
  await run(faked, ['login', '--url', URL_OF_APP]);
  const publish = (...options: string[]) => run(faked, ['publish', file, '--show', podcast.slug, ...options]);

  const codes = [
    await publish('--at', '2026-03-05T08:00:00Z'),
    await publish('--name', 'Now', '--notes', 'About the sea.'),
    await publish('--name', 'Draft', '--draft', '--type', 'private', '--no-email'),
  ];
  await checkNewAudio();

  expect(codes).toEqual([0, 0, 0]);
  const made = lines.flatMap((line) => /^Episode (\d+): (\w+)/.exec(line)?.slice(1) ?? []);
  expect([made[1], made[3], made[5]]).toEqual(['scheduled', 'published', 'a']);
  const stored = await Promise.all([made[0], made[2], made[4]].map((id) => lucia.api.episodes.forEditing({ id: id! })));
  expect(stored.map(({ name, status }) => [name, status])).toEqual([
    ['The first wave', 'scheduled'],
    ['Now', 'published'],
    ['Draft', 'on_hold'],
  ]);
  expect(stored.map(({ type, sendEmail }) => [type, sendEmail])).toEqual([
    ['public', true],
    ['public', true],
    ['private', false],
  ]);
  expect(stored[0]!.releaseDate).toEqual(new Date('2026-03-05T08:00:00Z'));
  expect([await publish('--at', 'tomorrow'), lines.at(-1)]).toEqual([
    1,
    'tomorrow is no time. Write it as 2026-12-01T08:00',
  ]);
  expect(await run(faked, ['publish', 'missing.mp3', '--show', podcast.slug])).toBe(1);
  expect([await publish('--type', 'secret'), lines.at(-1)]).toEqual([
    1,
    'secret is no type. The types: public, private, trailer',
  ]);
  expect([await publish('--show', 'nowhere'), lines.at(-1)]).toEqual([
    1,
    'You have no show nowhere. altavoz shows lists them.',
  ]);
});

test('a time in the past is found before the upload', async () => {
  const { faked, folder, lines } = await terminal();
  const file = path.join(folder, 'wave.mp3');
  await writeFile(file, mp3(3));
  await run(faked, ['login', '--url', URL_OF_APP]);
  const requests: string[] = [];
  const watched: typeof fetch = (target, init) => {
    requests.push(String(target));
    return fetchApp(target, init);
  };

  const code = await run({ ...faked, fetch: watched }, [
    ...['publish', file, '--show', podcast.slug, '--at', '2020-01-01T08:00'],
  ]);

  expect([code, requests]).toEqual([1, []]);
  expect(lines.at(-1)).toBe('2020-01-01T08:00 is in the past. Without --at, the episode is published now.');
});

test('a file at an address is fetched by the server', async () => {
  const { faked, lines } = await terminal();
  await run(faked, ['login', '--url', URL_OF_APP]);
  const publish = (address: string) => run(faked, ['publish', address, '--show', podcast.slug, '--draft']);

  const codes = [await publish('https://files.example/a/Low%20tide.mp3?x=1'), await publish('http://10.0.0.1/a.mp3')];

  expect(codes).toEqual([0, 1]);
  const id = lines.flatMap(
    (line) => /^Episode (\d+): a draft, once its audio has been fetched/.exec(line)?.[1] ?? [],
  )[0]!;
  expect(await lucia.api.episodes.forEditing({ id })).toMatchObject({ name: 'Low tide', fetchedFrom: 'files.example' });
  expect(lines.at(-1)).toBe('audio_url: 10.0.0.1 is not a public address on the internet.');
});

test('an expired token is refreshed once, by one of several commands at the same time', async () => {
  const { faked, login } = await terminal();
  await run(faked, ['login', '--url', URL_OF_APP]);
  const former = await login();
  const start = clock.now;
  clock.now = new Date(start.getTime() + 2 * 3600 * 1000);
  atEnd(() => {
    clock.now = start;
  });

  const codes = await Promise.all([run(faked, ['shows']), run(faked, ['shows']), run(faked, ['shows'])]);

  expect(codes).toEqual([0, 0, 0]);
  const renewed = await login();
  expect(renewed.refreshToken).not.toBe(former.refreshToken);
  expect(renewed.clientId).toBe(former.clientId);
});

test('a key is pasted, and not an argument', async () => {
  const { faked, login } = await terminal();
  const { key } = await createKey(ctxOf(lucia), {
    ...{ name: 'CLI', scopes: ['shows:read'], life: 'forever', currentPassword: PASSWORD },
  });

  expect(await run({ ...faked, read: async () => ` ${key}\n` }, ['login', '--url', URL_OF_APP, '--key'])).toBe(0);
  expect(await login()).toEqual({ kind: 'key', url: URL_OF_APP, key });
});

test('a key that does not work leaves the login that works', async () => {
  const { faked, login, lines } = await terminal();
  await run(faked, ['login', '--url', URL_OF_APP]);
  const working = await login();

  const logIn = (key: string) => run({ ...faked, read: async () => key }, ['login', '--url', URL_OF_APP, '--key']);

  expect([await logIn('av_live_mistyped'), await logIn('')]).toEqual([1, 1]);
  expect(lines.at(-1)).toBe('Paste the key, or send it: printf %s "$KEY" | altavoz login --key');
  expect(await login()).toEqual(working);
});

test('a key of the environment needs no login', async () => {
  const { faked, folder, lines } = await terminal();
  const { key } = await createKey(ctxOf(lucia), {
    ...{ name: 'CI', scopes: ['shows:read'], life: 'forever', currentPassword: PASSWORD },
  });

  expect(await run({ ...faked, key, url: URL_OF_APP }, ['shows'])).toBe(0);
  expect(lines).toContain([podcast.id, podcast.slug, podcast.name].join('\t'));
  expect(await run({ ...faked, key }, ['shows'])).toBe(1);
  expect(lines.at(-1)).toContain('ALTAVOZ_URL');
  await expect(stat(path.join(folder, 'login.json'))).rejects.toThrow();
});

test('a key may end with the input, without a line', async () => {
  const { folder } = await terminal();
  const sent: unknown[] = [];
  const server = createServer(({ headers }, answer) => {
    sent.push(headers.authorization);
    answer.setHeader('content-type', 'application/json').end('{"data":[],"total":2,"next_cursor":null}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const main = ['--import', 'tsx', 'clients/typescript/src/cli/main.ts', 'login', '--key', '--url', url];
  const child = spawn(process.execPath, main, { env: { ...process.env, XDG_CONFIG_HOME: folder } });
  child.stdin.end('av_live_piped');
  const [code] = await once(child, 'exit');

  expect([code, sent]).toEqual([0, ['Bearer av_live_piped']]);
});

test('a host that can’t be reached is named in one line', async () => {
  const { faked, folder, lines } = await terminal();
  const file = path.join(folder, 'wave.mp3');
  await writeFile(file, mp3(3));
  await run(faked, ['login', '--url', URL_OF_APP]);
  const withoutUploads: typeof fetch = async (target, init) => {
    if (new URL(target as string | URL).pathname.startsWith('/v1')) return fetchApp(target, init);
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
  };

  expect(await run({ ...faked, fetch }, ['login', '--url', 'http://127.0.0.1:2'])).toBe(1);
  expect(lines.at(-1)).toBe('Can’t reach 127.0.0.1:2: connect ECONNREFUSED 127.0.0.1:2');
  const publish = ['publish', file, '--show', podcast.slug];
  expect(await run({ ...faked, fetch: withoutUploads }, publish)).toBe(1);
  expect(lines.at(-1)).toBe(
    'Can’t reach altavoz.localhost:3000: getaddrinfo ENOTFOUND. The server names this host for uploads; it must be reachable from here.',
  );
});

test.each([
  [
    'who declines',
    async (page: URL) => new URL((await lucia.api.apps.decline(Object.fromEntries(page.searchParams))).url),
    'You did not let the app in.',
  ],
  [
    'whose answer has another state',
    async (page: URL) => {
      const answer = await accept(page);
      answer.searchParams.set('state', 'forged');
      return answer;
    },
    'The answer belongs to another login. Start again.',
  ],
  [
    'whose answer comes from another server',
    async (page: URL) => {
      const answer = await accept(page);
      answer.searchParams.set('iss', 'https://evil.example');
      return answer;
    },
    'The answer belongs to another login. Start again.',
  ],
])('a person %s is not logged in', async (_, agree, message) => {
  const { faked, lines, folder } = await terminal(agree);

  expect([await run(faked, ['login', '--url', URL_OF_APP]), lines.at(-1)]).toEqual([1, message]);
  await expect(stat(path.join(folder, 'login.json'))).rejects.toThrow();
});

test('mistakes are explained in one line', async () => {
  const { faked, lines, folder } = await terminal();
  await writeFile(path.join(folder, 'login.json'), '{');

  const codes = [
    await run(faked, ['shows']),
    await run(faked, ['login']),
    await run(faked, ['login', '--nonsense']),
    await run(faked, ['nonsense']),
    await run(faked, []),
  ];

  expect(codes).toEqual([1, 1, 1, 2, 0]);
  expect(lines.join('\n')).not.toContain('    at ');
});
