import { randomInt } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { recoveryCodes } from '~/db/schema/logins';
import { SECOND_FACTOR_LIMITS } from '../../../limits/accounts';
import type { Ctx } from '../../../runtime/ctx';

/** 49 bits, without letters that look alike. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 10;
const SHAPE = /^[2-9a-z]{10}$/;

/** Replaces all codes. They are shown once, because only fingerprints are stored. @returns `abcde-fgh23` */
export async function createRecoveryCodes(tx: Ctx, userId: number): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId);
  const codes = Array.from({ length: SECOND_FACTOR_LIMITS.recoveryCodes }, randomCode);
  await tx.db.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: fingerprint(tx, userId, code) })));
  return codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`);
}

/** Uses a code up: of two concurrent requests, one succeeds. `code`: without spaces and hyphens, in lower case. */
export async function consumeRecoveryCode(ctx: Ctx, userId: number, code: string): Promise<boolean> {
  if (!SHAPE.test(code)) return false;
  const used = await ctx.db
    .update(recoveryCodes)
    .set({ usedAt: ctx.now() })
    .where(and(eq(recoveryCodes.hash, fingerprint(ctx, userId, code)), isUnusedBy(userId)))
    .returning({ hash: recoveryCodes.hash });
  return used.length === 1;
}

export function countRecoveryCodes(ctx: Ctx, userId: number): Promise<number> {
  return ctx.db.$count(recoveryCodes, isUnusedBy(userId));
}

export async function deleteRecoveryCodes(tx: Ctx, userId: number): Promise<void> {
  await tx.db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

const isUnusedBy = (userId: number) => and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));
const randomCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
const fingerprint = ({ vault }: Ctx, userId: number, code: string) =>
  vault.fingerprint(code, `recovery code ${userId}`);
