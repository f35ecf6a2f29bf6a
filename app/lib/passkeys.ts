import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser';
import { useSyncExternalStore } from 'react';
import type { CreationOptions, RequestOptions } from '~/server/domain/accounts/second-factors/webauthn';
import { mutateProcedure } from './procedures';

/** The answer for the server: the token of its challenge, and the browser's response. */
export type PasskeyAnswer<Response> = { token: string; response: Response };

// the library loads at the first click, because most visitors never need it
const load = () => import('@simplewebauthn/browser');

/** Lets the user choose a passkey. @throws if the user cancels, or the browser has none */
export async function askForPasskey(
  start: 'accounts.startPasskeyLogIn' | 'accounts.startPasskeyConfirmation',
): Promise<PasskeyAnswer<AuthenticationResponseJSON>> {
  const [{ token, options }, { startAuthentication }] = await Promise.all([
    mutateProcedure<{ token: string; options: RequestOptions }>(start, null),
    load(),
  ]);
  return { token, response: await startAuthentication({ optionsJSON: options }) };
}

/** Lets the user create a passkey. @throws if the user cancels, or this device already has one of the account */
export async function createPasskey(): Promise<PasskeyAnswer<RegistrationResponseJSON>> {
  const [{ token, options }, { startRegistration }] = await Promise.all([
    mutateProcedure<{ token: string; options: CreationOptions }>('accounts.startPasskey', null),
    load(),
  ]);
  return { token, response: await startRegistration({ optionsJSON: options }) };
}

/** False until hydration, and in browsers without passkeys. */
export function useHasPasskeys(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => 'PublicKeyCredential' in window,
    () => false,
  );
}
