import type { Section } from './section-action.server';

/** Shown once, instead of a redirect that would lose them. */
export type ShownCodes = { recoveryCodes: string[] };

const codesOr = (codes: string[] | null, done: string): string | ShownCodes =>
  codes ? { recoveryCodes: codes } : done;

/** The forms of the security page about second factors. */
export const TWO_FACTOR_SECTIONS: Record<string, Section<string | ShownCodes>> = {
  confirm: async ({ api }, values) => {
    await api.accounts.confirmIdentity(values as never);
    return 'identity_confirmed';
  },
  startAuthenticator: async ({ api }) => {
    await api.accounts.startAuthenticator();
    return 'authenticator_started';
  },
  confirmAuthenticator: async ({ api }, values) => {
    const { recoveryCodes } = await api.accounts.confirmAuthenticator(values as never);
    return codesOr(recoveryCodes, 'authenticator_added');
  },
  removeAuthenticator: async ({ api }) => {
    await api.accounts.removeAuthenticator();
    return 'authenticator_removed';
  },
  replaceRecoveryCodes: async ({ api }) => {
    const { recoveryCodes } = await api.accounts.replaceRecoveryCodes();
    return codesOr(recoveryCodes, 'two_factor_off');
  },
  renamePasskey: async ({ api }, values) => {
    await api.accounts.renamePasskey(values as never);
    return 'passkey_renamed';
  },
  deletePasskey: async ({ api }, values) => {
    await api.accounts.deletePasskey(values as never);
    return 'passkey_deleted';
  },
};
