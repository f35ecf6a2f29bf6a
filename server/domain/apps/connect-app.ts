import { and, eq, isNull, sql } from 'drizzle-orm';
import { oauthClients, oauthCodes, oauthGrants } from '~/db/schema/apps';
import type { Scope } from '~/db/values/api-scopes';
import type { Audience } from '~/db/values/apps';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { CODE_PREFIX, createToken } from '../../auth/api-tokens';
import { hashToken } from '../../auth/token-hash';
import { CONNECTED_APPS_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import { later } from '../../base/time';
import { APP_LIMITS } from '../../limits/apps';
import { requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import type { UserRow } from '../accounts/base/queries';
import { requireProof } from '../accounts/second-factors/second-factor';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { listWorkplaces, lookupRole, type Workplace } from '../team/queries';
import { type CheckedRequest, checkAppRequest } from './check-app-request';
import { appLimitReached, noScopes, unknownApp } from './errors';
import { answerUrl, hostOf, isLocalApp, isNamed } from './rules';
import type { AppRequest, ConnectApp } from './schema';

/**
 * What the consent page shows. `host`: where the person is sent; `isLocal`: an app on their own machine; `isNamed`: it calls
 * itself so.
 */
export type ConsentView = {
  name: string;
  isNamed: boolean;
  host: string;
  isLocal: boolean;
  registeredAt: Date;
  audience: Audience;
  scopes: Scope[];
  workplaces: Pick<Workplace, 'creatorId' | 'name' | 'role' | 'isCurrent'>[];
};

/** @throws as checkAppRequest */
export async function viewAppRequest(ctx: Ctx, input: AppRequest): Promise<ConsentView> {
  requireUser(ctx);
  const { app, redirectUri, audience, scopes } = await checkAppRequest(ctx, input);
  const places = await listWorkplaces(ctx);
  return {
    name: app.name,
    isNamed: isNamed(app),
    host: hostOf(redirectUri),
    isLocal: isLocalApp(redirectUri),
    registeredAt: app.createdAt,
    audience,
    scopes,
    workplaces: places.map(({ creatorId, name, role, isCurrent }) => ({ creatorId, name, role, isCurrent })),
  };
}

/**
 * Connects an app to a creator in whose team the person is. A member may do so, too: tokens never do more than the
 * person's role at the time of each request. A second consent replaces the scopes of the first. The connection outlives
 * the session, so it needs the second factor or the password, and the person gets an email.
 * @returns the app's address, with a code that works once
 * @throws as checkAppRequest and requireProof; app.no_scopes, app.limit_reached, creator.not_found for a page of others
 */
export async function connectApp(ctx: Ctx, input: ConnectApp): Promise<{ url: string }> {
  const { userId } = requireUser(ctx);
  const request = await checkAppRequest(ctx, input);
  const scopes = request.scopes.filter((scope) => input.granted.includes(scope));
  if (scopes.length === 0) throw noScopes();
  const { creatorId } = input;
  const role = await lookupRole(ctx, { userId, creatorId });
  const actor = { ...requireUser(ctx), creatorId: role && creatorId, role: role ?? 'analyst' };
  authorize({ actor }, 'creator.connectApps', { id: creatorId });
  const user = await requireProof(ctx, input);
  const code = createToken(CODE_PREFIX);
  await ctx.reach('app.consented');
  await transact(ctx, async (tx) => {
    await lockCreator(tx, creatorId);
    const grantId = await saveGrant(tx, request, { creatorId, userId, scopes });
    await insertCode(tx, request, { grantId, code, scopes });
    await recordActivity(tx, { creatorId, action: 'app.connected', params: { name: request.app.name } });
    await tellOfApp(tx, user, request.app.name);
  });
  // tokens of a former consent may have got fewer scopes
  await ctx.sessions.announceEnded();
  return { url: answerUrl(request.redirectUri, { code, state: request.state, iss: ctx.urls.settings.appUrl }) };
}

async function tellOfApp(tx: TxCtx, user: UserRow, app: string): Promise<void> {
  const url = tx.urls.app(languagePrefix(user.language ?? DEFAULT_LANGUAGE) + CONNECTED_APPS_PATH);
  await queueAccountEmail(tx, user, { topic: 'app_connected', url, app });
}

/** Sends the person back without a connection. @throws as checkAppRequest */
export async function declineApp(ctx: Ctx, input: AppRequest): Promise<{ url: string }> {
  requireUser(ctx);
  const { redirectUri, state } = await checkAppRequest(ctx, input);
  return { url: answerUrl(redirectUri, { error: 'access_denied', state, iss: ctx.urls.settings.appUrl }) };
}

type Consent = { creatorId: number; userId: number; scopes: Scope[] };

async function saveGrant(tx: TxCtx, { app, audience }: CheckedRequest, consent: Consent): Promise<number> {
  const now = tx.now();
  // a registration that was swept meanwhile has no row
  const used = await tx.db.update(oauthClients).set({ usedAt: now }).where(eq(oauthClients.id, app.id)).returning();
  if (used.length === 0) throw unknownApp();
  const [grant] = await tx.db
    .insert(oauthGrants)
    .values({ ...consent, appId: app.id, audience, createdAt: now })
    .onConflictDoUpdate({
      target: [oauthGrants.appId, oauthGrants.creatorId, oauthGrants.userId, oauthGrants.audience],
      targetWhere: sql`${oauthGrants.revokedAt} is null`,
      set: { scopes: consent.scopes },
    })
    .returning({ id: oauthGrants.id });
  const isLive = and(eq(oauthGrants.creatorId, consent.creatorId), isNull(oauthGrants.revokedAt));
  // the creator is locked, so two consents count one after the other
  if ((await tx.db.$count(oauthGrants, isLive)) > APP_LIMITS.grants)
    throw appLimitReached({ count: APP_LIMITS.grants });
  return grant!.id;
}

type NewCode = { grantId: number; code: string; scopes: Scope[] };

async function insertCode(tx: TxCtx, request: CheckedRequest, { grantId, code, scopes }: NewCode): Promise<void> {
  const { redirectUri, challenge } = request;
  const createdAt = tx.now();
  const expiresAt = later(createdAt, APP_LIMITS.code);
  const row = { grantId, codeHash: hashToken(code), redirectUri, challenge, scopes, createdAt, expiresAt };
  await tx.db.insert(oauthCodes).values(row);
}
