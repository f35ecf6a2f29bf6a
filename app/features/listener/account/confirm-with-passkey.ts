import { askForPasskey } from '~/app/lib/passkeys';
import { mutateProcedure } from '~/app/lib/procedures';

/** Proves with a passkey who is using this session. */
export async function confirmWithPasskey(): Promise<void> {
  await mutateProcedure('accounts.confirmWithPasskey', await askForPasskey('accounts.startPasskeyConfirmation'));
}
