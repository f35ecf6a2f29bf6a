import { createContext, useContext } from 'react';
import type { KindName } from '~/server/domain/products/kinds';
import type { Workplace } from '~/server/domain/team/queries';
import type { Caller } from '~/server/trpc/caller';

/** What every screen of the studio knows: the user, their creator page, and their products. */
export type Studio = {
  user: Awaited<ReturnType<Caller['accounts']['me']>>;
  /** The creators for whom the user can work. */
  workplaces: Workplace[];
  products: { id: number; kind: KindName; name: string; picture: string }[];
};

const StudioContext = createContext<Studio | null>(null);
export const StudioProvider = StudioContext.Provider;

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio needs a StudioProvider');
  return studio;
}

/** Whether the user may change shows, episodes and the page of the creator that they work for. */
export function useIsEditor(): boolean {
  const { role, creator } = useStudio().user;
  return creator !== null && (role === 'owner' || role === 'editor');
}

/** The creator's time zone, in which publish times are entered and shown. */
export function useCreatorTimeZone(): string {
  return useStudio().user.creator?.timeZone ?? 'UTC';
}
