import { requireUser } from '../../../policy/actor';
import type { Ctx } from '../../../runtime/ctx';
import { findUser } from '../base/queries';
import { type AuthenticatorSetUp, authenticatorSetUp, authenticatorSince } from '../second-factors/authenticator';
import { listPasskeys, type PasskeyView } from '../second-factors/passkeys';
import { countRecoveryCodes } from '../second-factors/recovery-codes';
import { missingProof, type Proof } from '../second-factors/second-factor';

export type SecondFactorState = {
  isOn: boolean;
  /** The proof that a change needs; null if none is missing, or if the user gave it within the last ten minutes. */
  missingProof: Proof | null;
  authenticatorSince: Date | null;
  /** Set only while a set-up waits for its first code and no proof is missing. */
  setUp: AuthenticatorSetUp | null;
  recoveryCodesLeft: number;
  passkeys: PasskeyView[];
};

/** The two-factor authentication part of the settings. */
export async function secondFactorState(ctx: Ctx): Promise<SecondFactorState> {
  const user = await findUser(ctx, requireUser(ctx).userId);
  const proof = await missingProof(ctx);
  const passkeys = await listPasskeys(ctx, user.id);
  const since = await authenticatorSince(ctx, user.id);
  return {
    isOn: since !== null || passkeys.length > 0,
    missingProof: proof,
    authenticatorSince: since,
    setUp: proof === null ? await authenticatorSetUp(ctx, user) : null,
    recoveryCodesLeft: await countRecoveryCodes(ctx, user.id),
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt })),
  };
}
