import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { apiKeys } from '~/db/schema/developers';
import { DEFAULT_LANGUAGE } from '~/locales/languages';
import { createToken, KEY_PREFIX, lastFourOf } from '../../auth/api-tokens';
import { hashToken } from '../../auth/token-hash';
import { DEVELOPERS_PATH } from '../../base/account-paths';
import { languagePrefix } from '../../base/public-paths';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import { currentCreator, requireUser } from '../../policy/actor';
import { type Allowed, authorize } from '../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { queueAccountEmail } from '../accounts/base/email-links';
import type { UserRow } from '../accounts/base/queries';
import { requireProof } from '../accounts/second-factors/second-factor';
import { lockCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { keyLimitReached } from './errors';
import { endOfLife } from './rules';
import type { CreateKey } from './schema';

/** `key`: the secret, which nobody can read again. */
export type CreatedKey = { id: number; key: string };

/**
 * Creates a key of the API for the current creator. It outlives the session, so it needs the second factor or the
 * password, and the owner gets an email. @throws common.role_not_allowed, key.limit_reached; as requireProof
 */
export async function createKey(ctx: Ctx, { name, scopes, life, ...proof }: CreateKey): Promise<CreatedKey> {
  const owner = authorize(ctx, 'creator.manageKeys', currentCreator(ctx));
  const user = await requireProof(ctx, proof);
  return transact(ctx, async (tx) => {
    const created = await insertKey(tx, owner, { name, scopes, expiresAt: endOfLife(life, tx.now()) });
    await recordActivity(tx, { creatorId: owner.id, action: 'key.created', subjectId: created.id, params: { name } });
    await tellOfKey(tx, user, name);
    return created;
  });
}

/** Emails the owner that there is a new key. */
export async function tellOfKey(tx: TxCtx, user: UserRow, key: string): Promise<void> {
  const url = tx.urls.app(languagePrefix(user.language ?? DEFAULT_LANGUAGE) + DEVELOPERS_PATH);
  await queueAccountEmail(tx, user, { topic: 'key_created', url, key });
}

type NewKey = Pick<typeof apiKeys.$inferInsert, 'name' | 'scopes'> & { expiresAt: Date | null };

/** @throws key.limit_reached; `limit`: of keys that work */
export async function insertKey(
  tx: TxCtx,
  { id: creatorId }: Allowed<'creator.manageKeys', { id: number }>,
  values: NewKey,
  limit: number = DEVELOPER_LIMITS.keys,
): Promise<CreatedKey> {
  // so that concurrent keys are counted one after the other
  await lockCreator(tx, creatorId);
  const isWorking = and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, tx.now())));
  const count = await tx.db.$count(apiKeys, and(eq(apiKeys.creatorId, creatorId), isWorking));
  if (count >= limit) throw keyLimitReached({ count: limit });
  const key = createToken(KEY_PREFIX);
  const { userId } = requireUser(tx);
  const [row] = await tx.db
    .insert(apiKeys)
    .values({
      ...values,
      creatorId,
      userId,
      tokenHash: hashToken(key),
      lastFour: lastFourOf(key),
      createdAt: tx.now(),
    })
    .returning({ id: apiKeys.id });
  return { id: row!.id, key };
}
