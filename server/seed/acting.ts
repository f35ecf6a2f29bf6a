import { lookupUserByEmail } from '../domain/accounts/base/queries';
import { lookupCreatorOfUser } from '../domain/creators/queries';
import type { Actor, Ctx } from '../runtime/ctx';
import { type Runtime, systemCtx } from '../runtime/runtime';
import type { DemoPerson } from './demo-types';

/** The context of a demo person at one moment: a visitor's until the person has an account. */
export async function actAs(runtime: Runtime, { email, language }: DemoPerson, at = runtime.now()): Promise<Ctx> {
  const system = systemCtx(runtime, 'demo');
  const user = await lookupUserByEmail(system, email);
  const creator = user && (await lookupCreatorOfUser(system, user.id));
  const actor: Actor = user
    ? { type: 'user', userId: user.id, creatorId: creator?.id ?? null, role: 'owner', sessionId: 'demo' }
    : { type: 'visitor' };
  const sessions = { ...system.sessions, open: async () => ({ token: 'demo' }) };
  const translate: Ctx['translate'] = (key, params, other = language) => system.translate(key, params, other);
  return { ...system, actor, language, translate, sessions, now: () => at };
}
