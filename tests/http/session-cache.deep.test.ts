import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sessions } from '~/db/schema/accounts';
import { createSessions, SESSIONS_TAG } from '~/server/auth/sessions';
import { listenForChanges } from '~/server/http/caches/changes';
import { createCaller } from '~/server/trpc/caller';
import { tokenContext } from '~/server/trpc/context';
import { createLog } from '~/server/watching/log';
import { cast } from '../support/cast';

const { runtime, url, make } = await cast();
const here = runtime.sessions;
const elsewhere = createSessions(runtime.db);

test('a session is read from the database once in five seconds', async () => {
  const { token, id } = await make.person();
  await here.read(token);

  await runtime.db.delete(sessions).where(eq(sessions.userId, id));

  expect(await here.read(token)).toMatchObject({ userId: id });
  await expect.poll(() => here.read(token), { interval: 500 }).toBeNull();
});

test('logging out, and ending all sessions of a user, ends them at once in this process', async () => {
  const [one, other] = [await make.person(), await make.person()];
  await Promise.all([here.read(one.token), here.read(other.token)]);

  await here.end(one.token);
  await here.endAll(other.id);

  expect(await Promise.all([here.read(one.token), here.read(other.token)])).toEqual([null, null]);
});

test('a session that is read while it ends is not kept', async () => {
  const { token } = await make.person();

  const reading = here.read(token);
  await Promise.all([reading, here.end(token)]);

  expect(await here.read(token)).toBeNull();
});

test('other processes forget a session when Postgres announces its end', async () => {
  const { token } = await make.person();
  const announced: string[] = [];
  const onChange = (tag: string) => {
    announced.push(tag);
    elsewhere.forget();
  };
  const changes = listenForChanges(url, { onChange, onGap: () => {}, log: createLog('silent') });
  await changes.ready;
  await elsewhere.read(token);

  await here.end(token);

  await expect.poll(() => announced).toContain(SESSIONS_TAG);
  expect(await elsewhere.read(token)).toBeNull();
  await changes.close();
});

test('a claimed page and a changed language are in the session at once', async () => {
  const { token } = await make.person();
  const request = {
    headers: new Headers(),
    host: '',
    address: '203.0.113.7',
    requestId: 'test',
    language: 'en' as const,
  };
  const api = createCaller(await tokenContext(runtime, { request, out: new Headers() }, await here.read(token)));

  const page = await api.creators.claim({ name: 'Ana', domain: 'at-once' });
  await api.accounts.update({ language: 'es' });

  expect(await here.read(token)).toMatchObject({ creatorId: page.id, language: 'es' });
});
