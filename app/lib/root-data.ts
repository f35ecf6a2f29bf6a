import type { Language } from '~/locales/languages';
import type { Locale } from '~/server/base/formats';
import type { ChatSettings } from '~/server/env/operator';
import { useRouteLoaderData } from './router';

/** A Google Tag Manager container, and the support chat. */
export type Services = { gtmId: string | null; chat: ChatSettings | null };

/** The data that the root loader gives to every page. */
export type RootData = {
  language: Language;
  /** The locale of formats, if the reader's country asks for another one than shared pages have. */
  locale?: Locale;
  /** The app's URL without a trailing slash; empty on the app's own host. */
  appUrl: string;
  /** This host's URL, if it is not the app's own. */
  origin?: string;
  /** The logged-in user; null for a visitor. `usesStudio`: as the owner or a member of a creator's team. */
  viewer: { name: string; avatar: string | null; hasCreator: boolean; usesStudio: boolean } | null;
  simulatesPayments: boolean;
  /** Absent, except while the demo is being created. */
  preparesDemo?: boolean;
  /** Services of third parties, which load only for visitors who agree; absent if the operator has set none. */
  services?: Services;
};

/** Null on the error page when the root loader itself failed. */
export function useRootData(): RootData | null {
  return useRouteLoaderData<RootData>('root') ?? null;
}

export function useAppUrl(): string {
  return useRootData()?.appUrl ?? '';
}

/** Whether every page must say that payments are simulated. */
export function useSimulatedPayments(): boolean {
  return useRootData()?.simulatesPayments ?? false;
}

/** Whether every page must say that the demo is being created. */
export function useDemoInPreparation(): boolean {
  return useRootData()?.preparesDemo ?? false;
}

export function useViewer(): RootData['viewer'] {
  return useRootData()?.viewer ?? null;
}
