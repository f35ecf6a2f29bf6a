import { asc, desc, eq } from 'drizzle-orm';
import { operatorActions } from '~/db/schema/operators';
import { OPERATOR_LIMITS } from '../../limits/operators';
import type { Ctx } from '../../runtime/ctx';

/** Operators' actions on one object, in order of time. */
export function listOperations({ db }: Pick<Ctx, 'db'>, target: string) {
  const { at, operator, action, details } = operatorActions;
  return db
    .select({ at, operator, action, details })
    .from(operatorActions)
    .where(eq(operatorActions.target, target))
    .orderBy(asc(at), asc(operatorActions.id))
    .limit(OPERATOR_LIMITS.listed);
}

/** Operators' last actions, the newest first. */
export function recentOperations({ db }: Pick<Ctx, 'db'>, limit: number) {
  const { id, at, operator, action, target, details } = operatorActions;
  return db
    .select({ id, at, operator, action, target, details })
    .from(operatorActions)
    .orderBy(desc(at), desc(id))
    .limit(limit);
}
