import { createHash, randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { apiCalls } from '~/db/schema/developers';
import type { Scope } from '~/db/values/api-scopes';
import { noteKeyUse } from '../auth/api-keys';
import { noteAppUse } from '../auth/app-tokens';
import { DAYS, earlier, MINUTES } from '../base/time';
import { connectApp } from '../domain/apps/connect-app';
import { exchangeCode } from '../domain/apps/exchange-code';
import { listConnections } from '../domain/apps/list-connections';
import { registerApp } from '../domain/apps/register-app';
import { createKey } from '../domain/developers/create-key';
import { listKeys } from '../domain/developers/list-keys';
import { type ApiCall, insertCalls } from '../domain/developers/record-calls';
import * as schema from '../domain/developers/schema';
import { requireCreator } from '../policy/actor';
import type { Ctx } from '../runtime/ctx';
import type { Runtime } from '../runtime/runtime';
import { actAs } from './acting';
import { DEMO_PASSWORD } from './cast';
import type { DemoPerson } from './demo-types';

const OWNER = 'lucia@altavoz.example';
type DemoKey = { name: string; life: 'forever' | 'month'; daysAgo: number; scopes: Scope[] };
const WEBSITE: DemoKey = {
  ...{ name: 'Web del taller', life: 'forever', daysAgo: 40 },
  scopes: ['shows:read', 'episodes:read', 'statistics:read'],
};
const SCRIPT: DemoKey = { name: 'Publicar desde el estudio', life: 'month', daysAgo: 26, scopes: ['episodes:write'] };
const APP = { name: 'Cuaderno de guiones', redirectUri: 'https://cuaderno.example/callback', daysAgo: 12 };
const APP_SCOPES: Scope[] = ['shows:read', 'episodes:read', 'statistics:read'];
const NETWORK = '203.0.113.0/24';

/** Keys of the API, a connected app, and what they have called. Past calls are inserted. */
export async function seedDevelopers(runtime: Runtime, cast: readonly DemoPerson[]): Promise<void> {
  const person = cast.find(({ email }) => email === OWNER);
  if (!person) return;
  const at = (daysAgo: number) => actAs(runtime, person, earlier(runtime.now(), DAYS(daysAgo)));
  const website = await ensureKey(await at(WEBSITE.daysAgo), WEBSITE);
  await ensureKey(await at(SCRIPT.daysAgo), SCRIPT);
  const app = await ensureApp(await at(APP.daysAgo));
  const owner = await actAs(runtime, person);
  const calls = callsOf(owner, { website, app });
  const usedAt = calls.at(-1)!.at;
  await noteKeyUse(runtime.db, website, { at: usedAt, network: NETWORK });
  await noteAppUse(runtime.db, app, usedAt);
  if ((await runtime.db.$count(apiCalls, eq(apiCalls.creatorId, requireCreator(owner).creatorId))) === 0)
    await insertCalls(runtime.db, calls);
}

/** @returns its id; nobody reads the secret */
async function ensureKey(ctx: Ctx, { name, life, scopes }: DemoKey): Promise<number> {
  const known = (await listKeys(ctx)).find((key) => key.name === name);
  if (known) return known.id;
  const proof = { currentPassword: DEMO_PASSWORD };
  return (await createKey(ctx, schema.createKey.parse({ name, life, scopes, ...proof }))).id;
}

/** @returns the id of the connection */
async function ensureApp(ctx: Ctx): Promise<number> {
  const isIt = ({ name }: { name: string }) => name === APP.name;
  const known = (await listConnections(ctx)).find(isIt);
  if (known) return known.id;
  const redirect = { redirect_uri: APP.redirectUri };
  const { clientId } = await registerApp(ctx, { client_name: APP.name, redirect_uris: [APP.redirectUri] });
  const verifier = randomBytes(32).toString('base64url');
  const { url } = await connectApp(ctx, {
    ...{ response_type: 'code', client_id: clientId, ...redirect, code_challenge_method: 'S256' },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), scope: APP_SCOPES.join(' ') },
    resource: `${ctx.urls.settings.appUrl}/v1`,
    ...{ creatorId: requireCreator(ctx).creatorId, granted: APP_SCOPES, currentPassword: DEMO_PASSWORD },
  });
  const code = new URL(url).searchParams.get('code')!;
  const exchange = { grant_type: 'authorization_code' as const, client_id: clientId, code, ...redirect };
  await exchangeCode(ctx, { ...exchange, code_verifier: verifier });
  return (await listConnections(ctx)).find(isIt)!.id;
}

/** Path, status and milliseconds. */
const OF_WEBSITE = [
  ['/v1/shows', 200, 14],
  ['/v1/shows/{id}', 200, 11],
  ['/v1/shows/{show_id}/episodes', 200, 23],
  ['/v1/episodes/{id}', 200, 12],
  ['/v1/episodes/{id}', 404, 6],
  ['/v1/coupons', 403, 2],
] as const;
const OF_APP = ['/v1/statistics', 200, 31] as const;
const CALLS = 60;

/** The calls of two days, the oldest first: one every 45 minutes, each seventh by the app. */
function callsOf(ctx: Ctx, { website, app }: { website: number; app: number }): ApiCall[] {
  const { creatorId } = requireCreator(ctx);
  const end = earlier(ctx.now(), MINUTES(10));
  return Array.from({ length: CALLS }, (_, n) => {
    const at = earlier(end, (CALLS - 1 - n) * MINUTES(45));
    const isApp = n % 7 === 6;
    const [path, status, ms] = isApp ? OF_APP : OF_WEBSITE[n % OF_WEBSITE.length]!;
    const caller = isApp ? `app:${app}` : `key:${website}`;
    return { creatorId, caller, method: 'GET', path, status, ms: ms + (n % 5), at };
  });
}
