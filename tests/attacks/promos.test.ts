import { expect, test } from 'vitest';
import '../support/matchers';
import { APP_HOST, attackedServer } from '../support/attacked-server';

const { lucia, ada, tom, visitor, make, checkNewAudio, sendRaw } = await attackedServer();
const CREATOR_HOST = `staging-${lucia.domain}.${APP_HOST}`;
const show = await make.product(lucia, { priceMinor: 500 });
// the other one keeps its place while this one changes
const [{ id, slug }] = [
  await make.draft(lucia, show, { type: 'private', name: 'Secreto' }),
  await make.draft(lucia, show, { type: 'private', name: 'Otro' }),
];
await checkNewAudio();
const ref = { id, kind: 'podcast' as const };

await lucia.api.episodes.cutPromo({ ...ref, startMs: 0, endMs: 2000 });
const { promo } = await visitor.episodes.get(ref);
const path = new URL(promo!.url).pathname;

type Asked = { token?: string; host?: string; at?: string };
async function statusOf({ token, host = APP_HOST, at = path }: Asked = {}) {
  const login = token ? [`Cookie: token=${token}`] : [];
  const lines = [`GET ${at} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...login];
  return (await sendRaw(lines.join('\r\n'), '\r\n\r\n')).status;
}
/** The answers to a visitor, a person with an account, another creator and the owner. */
const statuses = async () => {
  const asked = [{}, { token: tom.token }, { token: ada.token }, { token: lucia.token }];
  const found: number[] = [];
  for (const caller of asked) found.push(await statusOf(caller));
  return found;
};
const OPEN = [200, 200, 200, 200];
const ONLY_OWNER = [404, 404, 404, 200];
/** Creators choose the shows that they recommend by their promos. */
const CREATORS = [404, 404, 200, 200];
const NOBODY = [404, 404, 404, 404];

test('all hear the promo of a published, locked episode on every host, and nobody its audio', async () => {
  expect(await statuses()).toEqual(OPEN);
  expect(await statusOf({ host: CREATOR_HOST })).toBe(200);
  expect(await statusOf({ at: `/audio/${id}/${slug}.mp3` })).toBe(404);
  expect(await statusOf({ at: path.replace(/[0-9a-f]{16}/, '0'.repeat(16)) })).toBe(404);
});

test.each([
  ['on hold', () => lucia.api.episodes.hold(ref), () => lucia.api.episodes.release(ref), ONLY_OWNER],
  [
    'open to all',
    () => lucia.api.episodes.update({ ...ref, type: 'trailer' }),
    () => lucia.api.episodes.update({ ...ref, type: 'private' }),
    CREATORS,
  ],
  [
    'in an archived show',
    () => lucia.api.products.archive({ id: show.id, kind: 'podcast' }),
    () => lucia.api.products.unarchive({ id: show.id, kind: 'podcast' }),
    ONLY_OWNER,
  ],
  ['deleted', () => lucia.api.episodes.remove(ref), () => lucia.api.episodes.restore(ref), NOBODY],
])('the promo of an episode that is %s is not public', async (_, change, undo, expected) => {
  await change();

  // an announced change clears the rows that the server keeps for a second
  await expect.poll(statuses).toEqual(expected);
  if (expected !== NOBODY) expect((await visitor.episodes.get(ref).catch(() => null))?.promo ?? null).toBeNull();
  await undo();
});

test('the promo of an episode that is locked again is public again', async () => {
  await lucia.api.episodes.release(ref).catch(() => null);

  await expect.poll(statuses).toEqual(OPEN);
});
