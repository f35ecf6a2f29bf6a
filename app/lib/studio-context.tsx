import { createContext, useContext } from 'react';
import type { KindName } from '~/server/domain/products/kinds';
import type { Announcement } from '~/server/domain/reference/announcements';
import type { Workplace } from '~/server/domain/team/queries';
import { type RoleAbility, roleMay } from '~/server/policy/roles';
import type { Caller } from '~/server/trpc/caller';

/** What every screen of the studio knows: the user, their creator page, and their products. */
export type Studio = {
  user: Awaited<ReturnType<Caller['accounts']['me']>>;
  /** The creators for whom the user can work. */
  workplaces: Workplace[];
  products: { id: number; kind: KindName; name: string; picture: string }[];
  /** Of the operators; each person can hide them. */
  announcements: Announcement[];
  /** Other formats than MP3 are accepted for episodes, because FFmpeg converts them. */
  convertsAudio: boolean;
};

const StudioContext = createContext<Studio | null>(null);
export const StudioProvider = StudioContext.Provider;

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio needs a StudioProvider');
  return studio;
}

/**
 * Whether the user's role has an ability over what belongs to the creator that they work for. Screens show nobody a
 * button or link that the server would answer with 403.
 */
export function useMay(): (ability: RoleAbility) => boolean {
  const { role, creator } = useStudio().user;
  return (ability) => creator !== null && roleMay(role, ability);
}

/** Whether the user may change shows, episodes and the page of the creator that they work for. */
export function useIsEditor(): boolean {
  return useMay()('product.manage');
}

/** The creator's time zone, in which publish times are entered and shown. */
export function useCreatorTimeZone(): string {
  return useStudio().user.creator?.timeZone ?? 'UTC';
}
