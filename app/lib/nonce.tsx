import { createContext, useContext } from 'react';

/** The nonce of the page's content security policy. Browsers hide it from scripts, so only the server has it. */
const Nonce = createContext<string | undefined>(undefined);

export const NonceProvider = Nonce.Provider;
export const useNonce = () => useContext(Nonce);
