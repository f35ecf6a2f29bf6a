import { eq } from 'drizzle-orm';
import { operators } from '~/db/schema/operators';
import { notFound } from '../../base/errors';
import { requireUser } from '../../policy/actor';
import type { Ctx } from '../../runtime/ctx';
import { findUser } from '../accounts/base/queries';
import { hasSecondFactor, missingProof, type Proof } from '../accounts/second-factors/second-factor';
import { secondFactorNeeded } from './errors';
import type { Operator } from './record-operation';

/**
 * What an operator must do before the pages open: prove the second factor in this session, or set one up. Null if
 * nothing is missing.
 * @throws common.unauthenticated; common.not_found for other users, as if the page did not exist
 */
export async function operatorProof(ctx: Ctx): Promise<Proof | 'set_up' | null> {
  const { userId } = requireUser(ctx);
  if ((await ctx.db.$count(operators, eq(operators.userId, userId))) === 0) throw notFound();
  const proof = await missingProof(ctx);
  // without a second factor, a session counts as confirmed by the password, which is not enough here
  return (await hasSecondFactor(ctx, userId)) ? proof : 'set_up';
}

/** @throws as operatorProof; operator.second_factor_needed */
export async function requireOperator(ctx: Ctx): Promise<void> {
  if ((await operatorProof(ctx)) !== null) throw secondFactorNeeded();
}

/**
 * The operator who works on the pages, for the audit trail. While the proof of the second factor is valid, the session
 * belongs to the operator.
 * @throws as requireOperator
 */
export async function currentOperator(ctx: Ctx): Promise<Operator> {
  await requireOperator(ctx);
  return { name: (await findUser(ctx, requireUser(ctx).userId)).email };
}
