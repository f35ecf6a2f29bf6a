import { and, eq, isNull } from 'drizzle-orm';
import { apiKeys } from '~/db/schema/developers';
import { DEVELOPER_LIMITS, KEY_OVERLAPS } from '../../limits/developers';
import { currentCreator } from '../../policy/actor';
import { type Allowed, authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { requireProof } from '../accounts/second-factors/second-factor';
import { recordActivity } from '../team/activity';
import { type CreatedKey, insertKey, tellOfKey } from './create-key';
import { keyEnded, keyNotFound } from './errors';
import { type ApiKeyRow, endOfNext, endOfOverlap, keyState } from './rules';
import type { FindKey, RotateKey } from './schema';

type Owner = Allowed<'creator.manageKeys', { id: number }>;

/**
 * Replaces a key by a new one with the same scopes. The old one works until the end of the overlap.
 * Like a new key, it needs a proof of the owner, who gets an email.
 * @throws key.not_found, key.ended, key.limit_reached; as requireProof
 */
export async function rotateKey(ctx: Ctx, { id, overlap, ...proof }: RotateKey): Promise<CreatedKey> {
  const owner = authorize(ctx, 'creator.manageKeys', currentCreator(ctx));
  const user = await requireProof(ctx, proof);
  const created = await transact(ctx, async (tx) => {
    const old = await lockKey(tx, owner, id);
    const now = tx.now();
    if (keyState(old, 'owner', now) !== 'active') throw keyEnded();
    const { name, scopes } = old;
    const expiresAt = endOfOverlap(old, KEY_OVERLAPS[overlap], now);
    await tx.db.update(apiKeys).set({ rotatedAt: now, expiresAt }).where(eq(apiKeys.id, id));
    const next = { name, scopes, expiresAt: endOfNext(old, now) };
    // old keys during their overlap may exceed the limit, but not without an end
    const fresh = await insertKey(tx, owner, next, 2 * DEVELOPER_LIMITS.keys);
    await recordActivity(tx, { creatorId: owner.id, action: 'key.rotated', subjectId: id, params: { name } });
    await tellOfKey(tx, user, name);
    return fresh;
  });
  await ctx.sessions.announceEnded();
  return created;
}

/** Ends a key at once, in every process. Repeating it changes nothing. @throws key.not_found */
export async function revokeKey(ctx: Ctx, { id }: FindKey): Promise<void> {
  const owner = authorize(ctx, 'creator.manageKeys', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const { name } = await lockKey(tx, owner, id);
    const revoked = await tx.db
      .update(apiKeys)
      .set({ revokedAt: tx.now() })
      .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id });
    if (revoked.length === 0) return;
    await recordActivity(tx, { creatorId: owner.id, action: 'key.revoked', subjectId: id, params: { name } });
  });
  await ctx.sessions.announceEnded();
}

async function lockKey(tx: TxCtx, { id: creatorId }: Owner, id: number): Promise<ApiKeyRow> {
  const [row] = await tx.db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.creatorId, creatorId)))
    .for('update');
  if (!row) throw keyNotFound();
  return row;
}
