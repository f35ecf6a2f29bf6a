import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { outbox } from '~/db/schema/notifications';
import { createLog } from '~/server/watching/log';
import { startWeb } from '~/server/web';
import { APP_HOST } from '../support/attacked-server';
import { cast } from '../support/cast';
import { pagesBuild } from '../support/pages-build';

const { runtime, env, url: directUrl, inbox, stripeSandbox, client } = await cast();
const sandboxes = { inbox, stripeSandbox, identitySandbox: null, spotifySandbox: null, dnsZone: null };
let output = '';
const lines = new Writable({
  write(chunk, _encoding, done) {
    output += chunk;
    done();
  },
});
const log = createLog('debug', lines);
const logged = { ...runtime, log };
const opened = { runtime: logged, jobsRuntime: logged, directUrl, ...sandboxes, close: async () => {} };
const build = pagesBuild();
const web = await startWeb({ ...env, port: 0, host: '127.0.0.1' }, opened, { development: false, build });
afterAll(() => web.close());

const ADDRESS = 'ana.secreta@mail.example';
const SIGN_UP = {
  email: ADDRESS,
  password1: 'correct horse',
  password2: 'correct horse',
  name: 'Ana',
  country: 'es',
  language: 'es',
  terms: true,
};

/** Everything logged while `work` runs, including output of libraries that print to the console. */
async function logOf(work: () => Promise<unknown>): Promise<string> {
  const printed: string[] = [];
  for (const name of ['error', 'warn', 'log'] as const)
    vi.spyOn(console, name).mockImplementation((...parts) => void printed.push(parts.map(String).join(' ')));
  onTestFinished(() => void vi.restoreAllMocks());
  output = '';
  await work();
  return output + printed.join('\n');
}

const post = (path: string, contentType: string, body: string) =>
  fetch(`http://127.0.0.1:${web.port}${path}`, {
    method: 'POST',
    headers: { host: APP_HOST, 'content-type': contentType },
    body,
  });

test.each([
  ['users', '$argon2'],
  ['outbox', '/verify-email/'],
])('a statement that fails on %s logs no address, hash or link', async (table, secret) => {
  await client`alter table ${client(table)} add constraint broken check (false) not valid`;
  onTestFinished(async () => void (await client`alter table ${client(table)} drop constraint broken`));

  const text = await logOf(async () => {
    expect((await post('/api/auth/registration/', 'application/json', JSON.stringify(SIGN_UP))).status).toBe(500);
  });

  expect(text).toContain('Failed query: insert into');
  expect(text).toContain('broken');
  expect(text).not.toContain(ADDRESS);
  expect(text).not.toContain('correct horse');
  expect(text).not.toContain(secret);
});

test('a page whose statement fails prints no parameters to the console', async () => {
  await client`alter table users rename to hidden_users`;
  onTestFinished(async () => void (await client`alter table hidden_users rename to users`));
  const form = `email=${encodeURIComponent(ADDRESS)}&password=correct%20horse`;

  const text = await logOf(() => post('/en/login', 'application/x-www-form-urlencoded', form));

  expect(text).toContain('Failed query: ');
  expect(text).not.toContain(ADDRESS);
});

test('values that Postgres quotes, and messages that repeat a statement, are hidden', async () => {
  const id = '7f0c0f3e-2d6e-4b7e-9d2c-0a1b2c3d4e5f';
  const row = { id, to: ADDRESS, topic: 't', language: 'en', subject: 's', html: 'h', text: 't' } as const;
  await runtime.db.insert(outbox).values(row);
  const failures = [
    () => runtime.db.insert(outbox).values(row),
    () => runtime.db.execute(sql`select ${ADDRESS}::date`),
    () => runtime.db.transaction((tx) => tx.execute(sql`select ${ADDRESS}::date, 'also ana.secreta@mail.example'`)),
    () => client`select ${ADDRESS}::text::date`,
  ];

  for (const fail of failures) {
    const err = await Promise.resolve(fail()).then(
      () => null,
      (error: Error) => error,
    );
    const text = await logOf(async () =>
      log.error({ err: new Error(`while saving: ${err?.message}`, { cause: err }) }),
    );

    expect(err).toBeInstanceOf(Error);
    expect(text).not.toContain(id);
    expect(text).not.toContain(ADDRESS);
  }
});
