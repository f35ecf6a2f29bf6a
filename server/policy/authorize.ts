import { AppError, roleNotAllowed } from '../base/errors';
import type { Ctx } from '../runtime/ctx';
import { type Ability, abilities, isInTeam, JOB_ABILITIES, type Subject } from './abilities';

declare const allowed: unique symbol;
/**
 * Proof that `authorize` allowed this ability. Functions that write require it, so code that forgets the check doesn't
 * compile.
 */
export type Allowed<A extends Ability, S> = S & { readonly [allowed]: A };

export function may<A extends Ability>(ctx: Pick<Ctx, 'actor'>, ability: A, subject: Subject<A>): boolean {
  const { actor } = ctx;
  if (actor.type === 'system') return JOB_ABILITIES[actor.job]?.includes(ability) ?? false;
  return (abilities[ability] as (a: typeof actor, s: Subject<A>) => boolean)(actor, subject);
}

/**
 * The subject, branded. Only a member of the creator's team learns that the subject exists.
 * @throws the error of a missing subject: `product.not_found`, `episode.not_found` …; common.role_not_allowed for a
 * member whose role does not allow it
 */
export function authorize<A extends Ability, S extends Subject<A>>(
  ctx: Pick<Ctx, 'actor'>,
  ability: A,
  subject: S,
): Allowed<A, S> {
  if (!may(ctx, ability, subject)) {
    if (isInTeam(ctx.actor, ability, subject)) throw roleNotAllowed();
    throw new AppError(`${ability.split('.')[0]}.not_found`, 'not_found');
  }
  return subject as Allowed<A, S>;
}
