import { withDoneMessage } from './done-message';
import { pathsFor } from './paths';
import type { Section } from './section-action.server';
import { TWO_FACTOR } from './two-factor';

/** New recovery codes. The page shows them once, instead of a redirect that would lose them. */
export type ShownCodes = { recoveryCodes: string[] };
export type AfterTwoFactor = ShownCodes | { path: string };

/** Leads back to the section, which is far down the page. */
function backTo({ url }: { url: URL }, done?: string): { path: string } {
  const { security } = pathsFor(url);
  return { path: `${done ? withDoneMessage(security, done) : security}#${TWO_FACTOR}` };
}

/** The forms of the security page about second factors. */
export const TWO_FACTOR_SECTIONS: Record<string, Section<AfterTwoFactor>> = {
  confirm: async (door, values) => {
    await door.api.accounts.confirmIdentity(values as never);
    return backTo(door, 'identity_confirmed');
  },
  startAuthenticator: async (door) => {
    await door.api.accounts.startAuthenticator();
    return backTo(door);
  },
  confirmAuthenticator: async (door, values) => {
    const { recoveryCodes } = await door.api.accounts.confirmAuthenticator(values as never);
    return recoveryCodes ? { recoveryCodes } : backTo(door, 'authenticator_added');
  },
  removeAuthenticator: async (door) => {
    await door.api.accounts.removeAuthenticator();
    return backTo(door, 'authenticator_removed');
  },
  replaceRecoveryCodes: async (door) => {
    const { recoveryCodes } = await door.api.accounts.replaceRecoveryCodes();
    return recoveryCodes ? { recoveryCodes } : backTo(door, 'two_factor_off');
  },
  renamePasskey: async (door, values) => {
    await door.api.accounts.renamePasskey(values as never);
    return backTo(door, 'passkey_renamed');
  },
  deletePasskey: async (door, values) => {
    await door.api.accounts.deletePasskey(values as never);
    return backTo(door, 'passkey_deleted');
  },
};
