import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { sessions } from '~/db/schema/accounts';
import { episodes } from '~/db/schema/episodes';
import { products } from '~/db/schema/products';
import { SESSIONS_TAG } from '~/server/auth/sessions';
import { openCaches } from '~/server/doors/open-caches';
import { announceChange, transact } from '~/server/runtime/ctx';
import { systemCtx } from '~/server/runtime/runtime';
import { cast } from '../support/cast';

const { runtime, url, make, lucia, podcast } = await cast();
const { db } = runtime;

/** The caches of a web process that hears of every change. */
async function listening() {
  const caches = openCaches({ runtime, directUrl: url });
  onTestFinished(() => caches.close());
  await expect.poll(caches.hearsChanges).toBe(true);
  const rendered = (tag: string) => ({ status: 200, headers: {}, body: Buffer.from(tag), tags: [tag] });
  const keep = (tag: string) => caches.pages.load(tag, async () => rendered(tag));
  const isKept = (tag: string) => caches.pages.find(tag) !== undefined;
  const answer = async (body: string) =>
    (await caches.answers.find('list', 600_000, async () => ({ status: 200, body }))).body;
  const until = (what: () => unknown) => expect.poll(what);
  return { ...caches, keep, isKept, answer, until };
}

test('a change of one show clears its pages, Discover, rows and answers, and no other page', async () => {
  const { keep, isKept, answer, until, showLanguages } = await listening();
  const own = `product:${podcast.id}`;
  await Promise.all([keep('discover'), keep(own), keep('product:0'), answer('old')]);
  const languageOf = () => showLanguages.find(`lucia/${podcast.slug}`);
  expect(await languageOf()).toBe('es');
  await db.update(products).set({ language: 'en' }).where(eq(products.id, podcast.id));

  await transact(systemCtx(runtime, 'test'), (tx) => announceChange(tx, `product:${podcast.id}`));

  await until(() => isKept(own)).toBe(false);
  expect([isKept('discover'), isKept('product:0')]).toEqual([false, true]);
  expect([await answer('new'), await languageOf()]).toEqual(['new', 'en']);
});

test('a session that has ended in another process is forgotten with all answers, and pages stay', async () => {
  const { keep, isKept, answer, until } = await listening();
  const { token, id } = await make.person();
  await Promise.all([keep('discover'), answer('old'), runtime.sessions.read(token)]);
  await db.delete(sessions).where(eq(sessions.userId, id));

  await db.execute(sql`select pg_notify('changed', ${SESSIONS_TAG})`);

  await until(() => answer('new')).toBe('new');
  expect([await runtime.sessions.read(token), isKept('discover')]).toEqual([null, true]);
  expect(await runtime.sessions.read(lucia.token)).not.toBeNull();
});

const loseConnection = () =>
  db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'altavoz-changes'`);

test('whatever was kept is dropped when the connection that hears of changes was lost', async () => {
  const { keep, isKept, answer, until, hearsChanges } = await listening();
  const { token, id } = await make.person();
  await Promise.all([keep('discover'), answer('old'), runtime.sessions.read(token)]);
  await db.delete(sessions).where(eq(sessions.userId, id));

  await loseConnection();

  await until(() => isKept('discover')).toBe(false);
  expect(await runtime.sessions.read(token)).toBeNull();
  await until(hearsChanges).toBe(true);
  expect(await answer('new')).toBe('new');
});

test.each([
  ['a change', () => transact(systemCtx(runtime, 'test'), (tx) => announceChange(tx, `product:${podcast.id}`))],
  ['a lost connection', loseConnection],
])('after %s, neither audio nor sounds nor a language come from memory', async (_, happens) => {
  const { keep, isKept, until, enclosures, soundFiles, showLanguages } = await listening();
  const show = await make.product(lucia, { language: 'es' });
  const [episode] = await make.episodes(show, 1, () => ({ audioSha256: 'abc' }));
  const kept = async () => [
    (await enclosures.find(episode!.id)) !== null,
    (await soundFiles.find(episode!.id)) !== null,
    await showLanguages.find(`lucia/${show.slug}`),
  ];
  expect(await kept()).toEqual([true, true, 'es']);
  await db.update(episodes).set({ deletedAt: runtime.now() }).where(eq(episodes.id, episode!.id));
  await db.update(products).set({ language: 'en' }).where(eq(products.id, show.id));

  await keep(`product:${podcast.id}`);

  await happens();

  // one check only: a second later, the entries would have expired anyway
  await until(() => isKept(`product:${podcast.id}`)).toBe(false);
  expect(await kept()).toEqual([false, false, 'en']);
});
