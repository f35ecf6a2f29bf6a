import { randomBytes } from 'node:crypto';
import { oauthClients, oauthGrants } from '~/db/schema/apps';
import type { Runtime } from '~/server/runtime/runtime';
import { CALLBACK } from './app-connections';
import type { Input, Rule } from './authorization';
import { PASSWORD } from './make';
import { pkce } from './pkce';

type Rows = Record<string, [rule: Rule, input: () => Promise<Input> | Input][]>;
type Stage = { runtime: Runtime; owner: { id: number; creatorId: number }; onHold: { id: number } };

/** The rows of the authorization matrix about apps that people connect, and what assistants draft. */
export function appRows({ runtime, owner, onHold }: Stage) {
  const app = async () => {
    const clientId = `app_${randomBytes(16).toString('hex')}`;
    const row = { clientId, name: 'Notes', redirectUris: [CALLBACK], createdAt: runtime.now() };
    const [added] = await runtime.db.insert(oauthClients).values(row).returning();
    return added!;
  };
  const request = async () => ({
    ...{ response_type: 'code', client_id: (await app()).clientId, redirect_uri: CALLBACK },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256' },
  });
  const granted = ['shows:read'];
  const consent = async () => ({
    ...(await request()),
    creatorId: owner.creatorId,
    granted,
    currentPassword: PASSWORD,
  });
  const connection = async () => {
    const { id: appId } = await app();
    const of = { appId, creatorId: owner.creatorId, userId: owner.id };
    const [grant] = await runtime.db
      .insert(oauthGrants)
      .values({ ...of, audience: 'mcp', scopes: ['shows:read'], createdAt: runtime.now() })
      .returning({ id: oauthGrants.id });
    return grant!;
  };
  return {
    'apps.request': [['users', request]],
    'apps.decline': [['users', request]],
    // a member's app does what the member may
    'apps.connect': [['ownMembers', consent]],
    'episodes.updateDraft': [['owner', () => ({ id: onHold.id, name: 'Other' })]],
    'apps.disconnect': [['ownerAlone', connection]],
  } satisfies Rows;
}
