import type { Input, Rule } from './authorization';
import { type Creator, PASSWORD } from './make';

type Rows = Record<string, [rule: Rule, input: () => Promise<Input> | Input][]>;
const KEY = { name: 'Sheet', scopes: ['shows:read' as const], currentPassword: PASSWORD };

/** The rows of the authorization matrix about keys of the API. */
export function developerRows(owner: Creator) {
  const created = async () => ({ id: (await owner.api.developers.createKey(KEY)).id });
  return {
    'developers.createKey': [['heads', () => KEY]],
    'developers.rotateKey': [['ownerAlone', async () => ({ ...(await created()), currentPassword: PASSWORD })]],
    'developers.revokeKey': [['ownerAlone', created]],
  } satisfies Rows;
}
