import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiKeys } from '~/db/schema/developers';
import { members } from '~/db/schema/team';
import { SCOPES, type Scope } from '~/db/values/api-scopes';
import { V1_TABLE } from '~/server/doors/v1/table';
import type { V1Call } from '~/server/doors/v1/v1-call';
import type { TeamRole } from '~/server/policy/roles';
import { cast } from '../support/cast';
import { keyMaker, v1Client } from '../support/v1-client';
import { v1Things } from '../support/v1-things';

const opened = await cast();
const { runtime, make, lucia, ada, podcast, paidPodcast, episodes } = opened;
const { db } = runtime;
const api = v1Client(opened);
const keyOf = keyMaker(opened);
const episode = episodes.podcast.public;
const pathOf = await v1Things({ runtime, owner: lucia, show: podcast, paid: paidPodcast, episode });

const nameOf = ({ method, path }: V1Call) => `${method} ${path}`;
const ROWS = V1_TABLE.map((call) => [nameOf(call), call] as const);
const OF_THINGS = ROWS.filter(([, { path }]) => path.includes(':'));
const send = (call: V1Call, key: string | null) =>
  api.send(call.method, pathOf(call), { key, ...(call.method !== 'GET' && { json: bodyOf(call) }) });
function bodyOf({ example = {} }: V1Call) {
  return 'show_id' in example ? { ...example, show_id: paidPodcast.id } : example;
}

test('no two rows have the same method and path', () => {
  expect(new Set(ROWS.map(([name]) => name)).size).toBe(ROWS.length);
});

test.each(ROWS)('%s needs a key with its scope', async (_, call) => {
  const enough: Scope[] = [call.scope, ...(Object.values(call.scopeBy?.scopes ?? {}) as Scope[])];
  const others = SCOPES.filter((scope) => !enough.some((one) => scope.split(':')[0] === one.split(':')[0]));
  const readOnly = call.scope.endsWith(':write') ? [...others, call.scope.replace('write', 'read') as Scope] : others;
  const key = await keyOf(await make.creator(), readOnly);

  const [without, refused] = [await send(call, null), await send(call, key)];

  expect(without.status).toBe(401);
  expect([refused.status, refused.body.code]).toEqual([403, 'api.scope_missing']);
});

const foreign = await keyOf(ada);

test.each(OF_THINGS)('%s: a thing of another creator does not exist', async (_, call) => {
  const { status, body } = await send(call, foreign);

  // looked for only once there is a newsletter
  if (body.code !== 'newsletter.settings_not_defined') expect(status, JSON.stringify(body)).toSatisfy(isHidden);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(body.code).not.toBe('common.role_not_allowed');
});

/** What is refused before it is looked for says nothing either. */
const isHidden = (status: number) => status === 404 || status === 400;

/** The roles that may make the calls of a scope, beside the owner. */
const ROLES: Record<Scope, TeamRole[]> = {
  'shows:read': ['editor', 'analyst', 'finance'],
  'shows:write': ['editor'],
  'episodes:read': ['editor', 'analyst'],
  'episodes:write': ['editor'],
  'subscribers:read': ['finance'],
  'subscribers:write': [],
  'contacts:read': ['editor'],
  'contacts:write': ['editor'],
  'editions:read': ['editor'],
  'editions:write': ['editor'],
  'coupons:read': ['finance'],
  'coupons:write': [],
  'money:read': ['finance'],
  'statistics:read': ['editor', 'analyst', 'finance'],
  'imports:read': ['editor', 'analyst'],
  'imports:write': ['editor'],
  'insertions:read': ['editor', 'analyst'],
  'insertions:write': ['editor'],
  'webhooks:read': [],
  'webhooks:write': [],
};
/** Who else may make a call: everyone who works for a creator reads what visitors hear, and how an import goes. */
const MORE: Record<string, TeamRole[]> = {
  'GET /shows/:show_id/episodes': ['finance'],
  'GET /imports/:id': ['finance'],
  // a ticket belongs to the person, and storing a file changes nothing of the creator
  'POST /uploads': ['analyst', 'finance'],
};
/** What the owner cannot delegate. */
const OWNER_ALONE: string[] = [];

/** A key that the owner has created, and that belongs to a member now. */
async function keyOfRole(role: TeamRole): Promise<string> {
  const { id: userId } = await make.person();
  await db.insert(members).values({ creatorId: lucia.creatorId, userId, role });
  const key = await keyOf(lucia);
  const [last] = await opened.lucia.api.developers.keys();
  await db.update(apiKeys).set({ userId }).where(eq(apiKeys.id, last!.id));
  await runtime.sessions.refresh();
  return key;
}

test.each(['analyst', 'finance', 'editor'] as const)('a key never exceeds the role %s of its creator', async (role) => {
  const key = await keyOfRole(role);
  const last = (method: string) => Number(method === 'DELETE');
  const found: Record<string, boolean | number> = {};

  for (const [name, call] of ROWS.toSorted(([, a], [, b]) => last(a.method) - last(b.method))) {
    const { status, body } = await send(call, key);
    const isRefused = body.code === 'common.role_not_allowed' || body.code === 'common.not_authorized';
    found[name] = status < 500 ? !isRefused : status;
  }

  const expected = ROWS.map(([name, { scope }]) => {
    const allowed = OWNER_ALONE.includes(name) ? [] : [...ROLES[scope], ...(MORE[name] ?? [])];
    return [name, allowed.includes(role)];
  });
  expect(found).toEqual(Object.fromEntries(expected));
});

test.each(ROWS)('%s answers its owner as the document says', async (_, call) => {
  const key = await keyOf(await make.creator());
  const mine = await send(call, call.path.includes(':') ? await ownKey() : key);

  expect(mine.status, mine.text).toBeLessThan(500);
  expect([401, 403]).not.toContain(mine.status);
});

let own: string | undefined;
async function ownKey(): Promise<string> {
  own ??= await keyOf(lucia);
  return own;
}
