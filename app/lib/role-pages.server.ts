import { data } from '@remix-run/node';
import { type RoleAbility, roleMay } from '~/server/policy/roles';
import type { Door } from './doors.server';

/**
 * Closes form pages to members whose role can't submit them. Procedures check the role again.
 * @throws a 403 response
 */
export async function requireAbility({ api, context }: Door, ability: RoleAbility): Promise<void> {
  const { creator, role } = await api.accounts.me();
  if (creator === null || roleMay(role, ability)) return;
  const code = 'common.role_not_allowed';
  throw data({ message: context.translate(`errors:${code}`), code }, { status: 403 });
}
