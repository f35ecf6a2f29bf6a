import { and, eq, lt } from 'drizzle-orm';
import { idempotentCalls } from '~/db/schema/developers';
import { hashToken } from '../../auth/token-hash';
import { earlier, wholeSeconds } from '../../base/time';
import { DEVELOPER_LIMITS } from '../../limits/developers';
import type { Ctx } from '../../runtime/ctx';
import { idempotencyMismatch, idempotencyRunning } from './errors';
import { keptBody } from './rules';

/** A change that its client may send again. `key`: what the client has chosen. `request`: method, path and body. */
export type RepeatableCall = { creatorId: number; caller: string; key: string; request: string };
export type StoredAnswer = { status: number; body: string | null };
/** `isRefusal`: whether an error is certain to mean that the call has changed nothing. */
type Making = { make: () => Promise<StoredAnswer>; isRefusal: (error: unknown) => boolean };

/**
 * Makes a change once, however often it is sent: the first call makes it, and the others get its answer. A call that
 * was refused has changed nothing, so it may be sent again.
 * @throws api.idempotency_mismatch for another request with the same key; api.idempotency_running before the first one
 * has its answer, and for good if it has failed or its process has ended, because nobody knows how far it came
 */
export async function answerOnce(ctx: Ctx, call: RepeatableCall, { make, isRefusal }: Making): Promise<StoredAnswer> {
  const [keyHash, requestHash] = [hashToken(call.key), hashToken(call.request)];
  const { creatorId, caller } = call;
  const [first] = await ctx.db
    .insert(idempotentCalls)
    .values({ creatorId, caller, keyHash, requestHash, createdAt: ctx.now() })
    .onConflictDoNothing()
    .returning({ id: idempotentCalls.id });
  if (!first) return findStored(ctx, { caller, keyHash, requestHash });
  await ctx.reach('api-call.begun');
  return make().then(
    async (answer) => {
      await keepAnswer(ctx, first.id, answer);
      return answer;
    },
    async (error) => {
      if (isRefusal(error)) await forgetCall(ctx, first.id);
      throw error;
    },
  );
}

type Sent = { caller: string; keyHash: string; requestHash: string };

async function findStored(ctx: Ctx, { caller, keyHash, requestHash }: Sent): Promise<StoredAnswer> {
  const [stored] = await ctx.db
    .select()
    .from(idempotentCalls)
    .where(and(eq(idempotentCalls.caller, caller), eq(idempotentCalls.keyHash, keyHash)));
  // the first call has just failed
  if (!stored) throw stillRunning();
  if (stored.requestHash !== requestHash) throw idempotencyMismatch();
  if (stored.status === null) throw stillRunning();
  const { id, status, body } = stored;
  return { status, body: body && ctx.vault.open(body, ownerOf(id)) };
}

const stillRunning = () => idempotencyRunning({ seconds: wholeSeconds(DEVELOPER_LIMITS.runningFor) });

/** An answer may contain the address of a private feed, or another secret. */
const ownerOf = (id: number) => `idempotent call ${id}`;

/** A call whose answer cannot be kept counts as running, so that it is not made again. */
async function keepAnswer(ctx: Ctx, id: number, { status, body }: StoredAnswer): Promise<void> {
  const sealed = body && ctx.vault.seal(keptBody(body), ownerOf(id));
  await ctx.db.update(idempotentCalls).set({ status, body: sealed }).where(eq(idempotentCalls.id, id));
}

async function forgetCall(ctx: Ctx, id: number): Promise<void> {
  await ctx.db.delete(idempotentCalls).where(eq(idempotentCalls.id, id));
}

/** Deletes answers of more than a day ago. */
export async function sweepAnswers(ctx: Ctx): Promise<void> {
  const before = earlier(ctx.now(), DEVELOPER_LIMITS.answerKeptFor);
  await ctx.db.delete(idempotentCalls).where(lt(idempotentCalls.createdAt, before));
}
