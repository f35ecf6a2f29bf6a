import { asc, eq } from 'drizzle-orm';
import { users } from '~/db/schema/accounts';
import { operators } from '~/db/schema/operators';
import { OPERATOR_LIMITS } from '../../limits/operators';
import { type Ctx, transact } from '../../runtime/ctx';
import { accountUnknown } from './errors';
import { type Operator, recordOperation } from './record-operation';

type Change = { operator: Operator; email: string };

/** Lets an account see the operators' pages. Repeating it changes nothing. @throws operator.account_unknown */
export function addOperator(ctx: Ctx, { operator, email }: Change): Promise<void> {
  return transact(ctx, async (tx) => {
    const userId = await accountOf(tx, email);
    const row = { userId, addedBy: operator.name, addedAt: tx.now() };
    const added = await tx.db.insert(operators).values(row).onConflictDoNothing().returning();
    if (added.length > 0) await recordOperation(tx, operator, { action: 'operators.added', ...aboutUser(userId) });
  });
}

/** @throws operator.account_unknown */
export function removeOperator(ctx: Ctx, { operator, email }: Change): Promise<void> {
  return transact(ctx, async (tx) => {
    const userId = await accountOf(tx, email);
    const removed = await tx.db.delete(operators).where(eq(operators.userId, userId)).returning();
    if (removed.length > 0) await recordOperation(tx, operator, { action: 'operators.removed', ...aboutUser(userId) });
  });
}

const aboutUser = (userId: number) => ({ target: `user/${userId}`, details: {} });

async function accountOf({ db }: Pick<Ctx, 'db'>, email: string): Promise<number> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email.toLowerCase()));
  if (!user) throw accountUnknown();
  return user.id;
}

export const listOperators = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({ email: users.email, addedAt: operators.addedAt, addedBy: operators.addedBy })
    .from(operators)
    .innerJoin(users, eq(users.id, operators.userId))
    .orderBy(asc(users.email))
    .limit(OPERATOR_LIMITS.listed);
