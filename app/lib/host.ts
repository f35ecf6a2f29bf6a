import { useRouteLoaderData } from '@remix-run/react';
import type { loader } from '~/app/root';

/** Where the page is served: `origin` of this host and `appUrl` of the app, both without a slash at their end. */
export function useHost(): { origin: string; appUrl: string } {
  const root = useRouteLoaderData<typeof loader>('root');
  return { origin: root?.origin ?? '', appUrl: root?.appUrl ?? '' };
}

/** Who looks at the page; null for a visitor. */
export function useViewer(): { name: string; hasCreator: boolean } | null {
  return useRouteLoaderData<typeof loader>('root')?.viewer ?? null;
}
