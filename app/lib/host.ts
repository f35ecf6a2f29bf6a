import { useRouteLoaderData } from '@remix-run/react';
import type { loader } from '~/app/root';

/** Address of the app, without a slash at its end: empty where the page stands on the app's own host. */
export function useAppUrl(): string {
  return useRouteLoaderData<typeof loader>('root')?.appUrl ?? '';
}

/** Whether payments are a simulation that every page has to speak of. */
export function useSimulatedPayments(): boolean {
  return useRouteLoaderData<typeof loader>('root')?.simulatesPayments ?? false;
}

/** Who looks at the page; null for a visitor. */
export function useViewer(): { name: string; hasCreator: boolean } | null {
  return useRouteLoaderData<typeof loader>('root')?.viewer ?? null;
}
