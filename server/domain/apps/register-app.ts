import { randomBytes } from 'node:crypto';
import { oauthClients } from '~/db/schema/apps';
import type { Ctx } from '../../runtime/ctx';
import { hostOf, nameOf } from './rules';
import type { RegisterApp } from './schema';

export type RegisteredApp = { clientId: string; name: string; redirectUris: string[]; createdAt: Date };

const ID_BYTES = 16;

/**
 * Registers an app, which gives it nothing: a person has to connect it. It has no secret, because an app on people's
 * machines can't keep one; PKCE proves that the same app began. Doors limit how many there are.
 */
export async function registerApp(ctx: Ctx, input: RegisterApp): Promise<RegisteredApp> {
  const redirectUris = [...new Set(input.redirect_uris)];
  const app = {
    clientId: `app_${randomBytes(ID_BYTES).toString('hex')}`,
    name: nameOf(input.client_name) ?? hostOf(redirectUris[0]!),
    redirectUris,
    createdAt: ctx.now(),
  };
  await ctx.db.insert(oauthClients).values(app);
  return app;
}
