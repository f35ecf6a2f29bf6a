import { and, asc, eq } from 'drizzle-orm';
import { identities, passkeys } from '~/db/schema/logins';
import { PASSKEY_LIMITS } from '../../../limits/accounts';
import { requireUser } from '../../../policy/actor';
import { type Ctx, type TxCtx, transact, violates } from '../../../runtime/ctx';
import { deviceOf } from '../base/devices';
import { passkeyExists, passkeyNeeded, passkeyNotFound, passkeyRejected, tooManyPasskeys } from '../base/errors';
import { findUser, type UserRow } from '../base/queries';
import type { AddPasskey, AnswerPasskey, RenamePasskey } from '../base/schema';
import { addSecondFactor, lockUser, type NewRecoveryCodes, removeSecondFactor } from './change-second-factor';
import { consumeChallenge, createChallenge } from './login-challenges';
import { markConfirmed, requireConfirmation } from './second-factor';
import {
  type CreationOptions,
  creationOptions,
  type PasskeyRow,
  type RequestOptions,
  requestOptions,
  verifyCreation,
  verifyRequest,
} from './webauthn';

export type PasskeyView = Pick<PasskeyRow, 'id' | 'name' | 'createdAt' | 'lastUsedAt'>;
/** `token` is sent back with the browser's answer. */
type Started<Options> = { token: string; options: Options };

export async function listPasskeys(ctx: Ctx, userId: number): Promise<PasskeyRow[]> {
  return ctx.db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
    .limit(PASSKEY_LIMITS.perUser);
}

/** Starts adding a passkey. @throws account.confirmation_required, account.passkeys_full */
export async function startPasskey(ctx: Ctx): Promise<Started<CreationOptions>> {
  await requireConfirmation(ctx);
  const user = await findUser(ctx, requireUser(ctx).userId);
  const existing = await listPasskeys(ctx, user.id);
  if (existing.length >= PASSKEY_LIMITS.perUser) throw tooManyPasskeys();
  const options = await creationOptions(ctx, user, existing);
  return { options, token: await keepChallenge(ctx, options, { purpose: 'passkey_registration', userId: user.id }) };
}

/** Adds the passkey that the browser has created. @throws account.passkey_rejected, account.passkey_exists */
export async function addPasskey(ctx: Ctx, { token, response }: AddPasskey): Promise<NewRecoveryCodes> {
  await requireConfirmation(ctx);
  const { userId } = requireUser(ctx);
  const challenge = await consumeChallenge(ctx, { token, purpose: 'passkey_registration', userId });
  if (!challenge) throw passkeyRejected();
  const passkey = await verifyCreation(ctx, { challenge, response });
  const { browser, system } = deviceOf(ctx.client.userAgent);
  const name = [browser, system].filter(Boolean).join(', ') || ctx.translate('account:device.unknown');
  const added = addSecondFactor(ctx, await findUser(ctx, userId), {
    email: { topic: 'passkey_added', passkey: name },
    insert: async (tx) => {
      const values = { ...passkey, userId, createdAt: tx.now(), name: name.slice(0, PASSKEY_LIMITS.nameLength) };
      await tx.db.insert(passkeys).values(values);
    },
  });
  return added.catch((error: unknown) => {
    throw violates(error, 'passkeys_pkey') ? passkeyExists() : error;
  });
}

/** @throws account.passkey_not_found */
export async function renamePasskey(ctx: Ctx, { id, name }: RenamePasskey): Promise<void> {
  const renamed = await ctx.db.update(passkeys).set({ name }).where(isOwn(ctx, id)).returning({ id: passkeys.id });
  if (renamed.length === 0) throw passkeyNotFound();
}

/** Deletes a passkey; repeating it succeeds. @throws account.confirmation_required, account.passkey_needed */
export async function deletePasskey(ctx: Ctx, { id }: { id: string }): Promise<void> {
  await requireConfirmation(ctx);
  const user = await findUser(ctx, requireUser(ctx).userId);
  await transact(ctx, async (tx) => {
    await lockUser(tx, user.id);
    const [deleted] = await tx.db.delete(passkeys).where(isOwn(tx, id)).returning({ name: passkeys.name });
    if (deleted && !(await canLogIn(tx, user))) throw passkeyNeeded();
    if (deleted) await removeSecondFactor(tx, user, { topic: 'passkey_removed', passkey: deleted.name });
  });
}

/** Whether the user could still log in. */
async function canLogIn(tx: TxCtx, { id, passwordHash }: UserRow): Promise<boolean> {
  if (passwordHash !== null) return true;
  const [others, left] = [
    await tx.db.$count(identities, eq(identities.userId, id)),
    await tx.db.$count(passkeys, eq(passkeys.userId, id)),
  ];
  return others + left > 0;
}

/** Starts a login with any passkey of this browser. */
export async function startPasskeyLogIn(ctx: Ctx): Promise<Started<RequestOptions>> {
  const options = await requestOptions(ctx);
  return { options, token: await keepChallenge(ctx, options, { purpose: 'passkey_login', userId: null }) };
}

/** The user of the passkey that has answered. @throws account.passkey_rejected */
export async function provePasskeyLogIn(ctx: Ctx, answer: AnswerPasskey): Promise<{ userId: number }> {
  const challenge = await consumeChallenge(ctx, { token: answer.token, purpose: 'passkey_login', userId: null });
  return { userId: (await acceptAnswer(ctx, answer.response, challenge)).userId };
}

/** Starts a confirmation with one of the current user's passkeys. */
export async function startPasskeyConfirmation(ctx: Ctx): Promise<Started<RequestOptions>> {
  const { userId } = requireUser(ctx);
  const options = await requestOptions(ctx, await listPasskeys(ctx, userId));
  return { options, token: await keepChallenge(ctx, options, { purpose: 'passkey_confirmation', userId }) };
}

/** Confirms that the owner is using this session. @throws account.passkey_rejected */
export async function confirmWithPasskey(ctx: Ctx, { token, response }: AnswerPasskey): Promise<void> {
  const { userId } = requireUser(ctx);
  const challenge = await consumeChallenge(ctx, { token, purpose: 'passkey_confirmation', userId });
  const passkey = await acceptAnswer(ctx, response, challenge);
  if (passkey.userId !== userId) throw passkeyRejected();
  await markConfirmed(ctx);
}

/** Verifies an answer and notes the use of the passkey. */
async function acceptAnswer(ctx: Ctx, response: AnswerPasskey['response'], challenge: string | null) {
  const [passkey] = await ctx.db.select().from(passkeys).where(eq(passkeys.id, response.id));
  if (!passkey || !challenge) throw passkeyRejected();
  const { counter } = await verifyRequest(ctx, { challenge, response, passkey });
  await ctx.db.update(passkeys).set({ counter, lastUsedAt: ctx.now() }).where(eq(passkeys.id, passkey.id));
  return passkey;
}

type PasskeyPurpose = 'passkey_login' | 'passkey_confirmation' | 'passkey_registration';

function keepChallenge(
  ctx: Ctx,
  { challenge }: { challenge: string },
  owner: { purpose: PasskeyPurpose; userId: number | null },
): Promise<string> {
  return createChallenge(ctx, { ...owner, challenge, lifetime: PASSKEY_LIMITS.challengeFor });
}

const isOwn = (ctx: Ctx, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, requireUser(ctx).userId));
