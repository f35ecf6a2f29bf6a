import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { passkeys } from '~/db/schema/logins';
import type { Ctx } from '../../../runtime/ctx';
import { passkeyRejected } from '../base/errors';
import type { UserRow } from '../base/queries';

export type PasskeyRow = typeof passkeys.$inferSelect;
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

const SERVICE = 'Altavoz';

/** Passkeys work on the app's own host and origin only. */
function relyingParty({ urls }: Ctx): { id: string; origin: string } {
  const { hostname, origin } = new URL(urls.settings.appUrl);
  return { id: hostname, origin };
}

const load = () => import('@simplewebauthn/server');

const descriptorOf = ({ id, transports }: PasskeyRow) => ({
  id,
  transports: transports as AuthenticatorTransport[],
});

/**
 * Options for a new passkey. It must be discoverable, so that it works without an email address, and must verify its
 * user, because it replaces password and second factor.
 */
export async function creationOptions(ctx: Ctx, user: UserRow, existing: PasskeyRow[]): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await load();
  return generateRegistrationOptions({
    rpName: SERVICE,
    rpID: relyingParty(ctx).id,
    userName: user.email,
    userDisplayName: user.name,
    // all passkeys of an account have the same user id, which reveals nothing about it
    userID: new Uint8Array(Buffer.from(ctx.vault.fingerprint('passkeys', `user ${user.id}`), 'base64url')),
    attestationType: 'none',
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** `allowed`: the passkeys that may answer; by default the user chooses any. */
export async function requestOptions(ctx: Ctx, allowed: PasskeyRow[] = []): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await load();
  return generateAuthenticationOptions({
    rpID: relyingParty(ctx).id,
    userVerification: 'required',
    allowCredentials: allowed.map(descriptorOf),
  });
}

/** Checks the answer to `creationOptions`. @throws account.passkey_rejected, also for another origin */
export async function verifyCreation(
  ctx: Ctx,
  { challenge, response }: { challenge: string; response: unknown },
): Promise<Pick<PasskeyRow, 'id' | 'publicKey' | 'counter' | 'transports'>> {
  const { verifyRegistrationResponse } = await load();
  const { id: rpId, origin } = relyingParty(ctx);
  const { registrationInfo } = await rejecting(ctx, () =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    }),
  );
  if (!registrationInfo) throw passkeyRejected();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, counter, transports, publicKey: Buffer.from(publicKey).toString('base64url') };
}

type Answer = { challenge: string; response: unknown; passkey: PasskeyRow };

/** Checks the answer to `requestOptions`. @returns the new counter @throws account.passkey_rejected */
export async function verifyRequest(ctx: Ctx, { challenge, response, passkey }: Answer): Promise<{ counter: number }> {
  const { verifyAuthenticationResponse } = await load();
  const { id: rpId, origin } = relyingParty(ctx);
  const { verified, authenticationInfo } = await rejecting(ctx, () =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        ...descriptorOf(passkey),
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified) throw passkeyRejected();
  return { counter: authenticationInfo.newCounter };
}

/** The library throws for every invalid answer. */
async function rejecting<T>(ctx: Ctx, verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (err) {
    ctx.log.info({ err }, 'passkey rejected');
    throw passkeyRejected();
  }
}
