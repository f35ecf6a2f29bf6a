import { createContext, useContext } from 'react';
import type { loader } from '~/app/routes/dashboard/layout';

/** What every screen of the studio knows: who works in it, their page, and their products. */
export type Studio = Awaited<ReturnType<typeof loader>>;

const Context = createContext<Studio | null>(null);
export const StudioProvider = Context.Provider;

export function useStudio(): Studio {
  const studio = useContext(Context);
  if (!studio) throw new Error('useStudio outside of the studio');
  return studio;
}
