import { createContext, useContext } from 'react';

/** Returns the HTML of a list's rows if it is kept. Otherwise it is kept after the page is rendered. */
export type FindRows = (key: string) => string | null;

/** In the browser, rows are always rendered. */
const KeptRowsContext = createContext<FindRows>(() => null);

export const KeptRowsProvider = KeptRowsContext.Provider;

/**
 * Server only: finds the HTML of a list's rows from an earlier page (decision 0140).
 * @param key everything that the rows depend on
 */
export const useKeptRows = (key: string): string | null => useContext(KeptRowsContext)(key);
