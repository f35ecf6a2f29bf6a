import { createContext, useContext } from 'react';
import type { KeptRelease } from '~/server/domain/episodes/kept-releases';
import type { KindName } from '~/server/domain/products/kinds';
import type { Announcement } from '~/server/domain/reference/announcements';
import type { Workplace } from '~/server/domain/team/queries';
import { type RoleAbility, roleMay } from '~/server/policy/roles';
import type { Caller } from '~/server/trpc/caller';

/** The data for every screen of the studio: the user, their creator page, and their products. */
export type Studio = {
  user: Awaited<ReturnType<Caller['accounts']['me']>>;
  /** The creators that the user can work for. */
  workplaces: Workplace[];
  products: { id: number; kind: KindName; name: string; picture: string }[];
  /** The operators' announcements. Each user can hide them. */
  announcements: Announcement[];
  /** Null once the user's address is verified. `waiting`: episodes that are published then. */
  verification: { inboxUrl: string | null; waiting: KeptRelease[] } | null;
  /** Whether episodes may have other formats than MP3, because FFmpeg converts them. */
  convertsAudio: boolean;
  /** Whether an engine transcribes episodes. */
  transcribes: boolean;
};

const StudioContext = createContext<Studio | null>(null);
export const StudioProvider = StudioContext.Provider;

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (!studio) throw new Error('useStudio needs a StudioProvider');
  return studio;
}

/**
 * Whether the user's role has an ability for the creator that they work for. Screens hide buttons and links that the
 * server would answer with 403.
 */
export function useMay(): (ability: RoleAbility) => boolean {
  const { role, creator } = useStudio().user;
  return (ability) => creator !== null && roleMay(role, ability);
}

/** Whether the user may change the shows, episodes and page of the creator that they work for. */
export function useIsEditor(): boolean {
  return useMay()('product.manage');
}

/** The creator's time zone, in which publish times are entered and shown. */
export function useCreatorTimeZone(): string {
  return useStudio().user.creator?.timeZone ?? 'UTC';
}
