import { and, desc, eq, exists, isNull, sql } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { oauthClients, oauthCodes, oauthGrants } from '~/db/schema/apps';
import type { Scope } from '~/db/values/api-scopes';
import type { Audience } from '~/db/values/apps';
import { APP_LIMITS } from '../../limits/apps';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';
import { connectionNotFound } from './errors';
import { hostOf, isLocalApp, isNamed } from './rules';
import type { FindConnection } from './schema';

/** `person`: who connected it; `isOwn`: the current user. */
export type ConnectionView = {
  id: number;
  name: string;
  isNamed: boolean;
  host: string;
  isLocal: boolean;
  audience: Audience;
  scopes: Scope[];
  person: string;
  isOwn: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
};

/** The apps that are connected to the creator, the latest first. Members see those that they have connected. */
export async function listConnections(ctx: Ctx): Promise<ConnectionView[]> {
  const { userId } = requireCreator(ctx);
  const rows = await ctx.db
    .select({ grant: oauthGrants, app: oauthClients, person: users.name, consentedTo: consentedTo(ctx) })
    .from(oauthGrants)
    .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.appId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .where(and(isVisible(ctx), isInUse(ctx)))
    .orderBy(desc(oauthGrants.id))
    .limit(APP_LIMITS.listed);
  return rows.map(({ grant, app, person, consentedTo: to }) => ({
    id: grant.id,
    name: app.name,
    isNamed: isNamed(app),
    host: hostOf(to),
    isLocal: isLocalApp(to),
    audience: grant.audience,
    scopes: grant.scopes,
    person,
    isOwn: grant.userId === userId,
    createdAt: grant.createdAt,
    lastUsedAt: grant.lastUsedAt,
  }));
}

/** The address to which the last consent sent the person. An app may have registered others, of sites that it is not. */
function consentedTo({ db }: Pick<Ctx, 'db'>) {
  const last = db
    .select({ redirectUri: oauthCodes.redirectUri })
    .from(oauthCodes)
    .where(eq(oauthCodes.grantId, oauthGrants.id))
    .orderBy(desc(oauthCodes.id))
    .limit(1);
  return sql<string>`(${last})`;
}

/** Whether a consent still has tokens: an app that has given back its last ones is not connected. */
function isInUse({ db }: Pick<Ctx, 'db'>) {
  const consents = db
    .select({ id: oauthCodes.id })
    .from(oauthCodes)
    .where(and(eq(oauthCodes.grantId, oauthGrants.id), isNull(oauthCodes.revokedAt)));
  return exists(consents);
}

function isVisible(ctx: Ctx) {
  const { userId, creatorId, role } = requireCreator(ctx);
  authorize(ctx, 'creator.connectApps', { id: creatorId });
  const isOwn = role === 'owner' ? undefined : eq(oauthGrants.userId, userId);
  return and(eq(oauthGrants.creatorId, creatorId), isNull(oauthGrants.revokedAt), isOwn);
}

/** Disconnects an app: its tokens stop working at once, in every process. @throws app.connection_not_found */
export async function disconnectApp(ctx: Ctx, { id }: FindConnection): Promise<void> {
  const { creatorId } = requireCreator(ctx);
  await transact(ctx, async (tx) => {
    const [ended] = await tx.db
      .update(oauthGrants)
      .set({ revokedAt: tx.now() })
      .where(and(eq(oauthGrants.id, id), isVisible(ctx)))
      .returning({ appId: oauthGrants.appId });
    if (!ended) throw connectionNotFound();
    const [app] = await tx.db
      .select({ name: oauthClients.name })
      .from(oauthClients)
      .where(eq(oauthClients.id, ended.appId));
    await recordActivity(tx, { creatorId, action: 'app.disconnected', params: { name: app?.name ?? '' } });
  });
  await ctx.sessions.announceEnded();
}
