import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { httpBatchLink, TRPCClientError } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import { MINUTES } from '~/server/base/time';
import { CALL_LIMITS } from '~/server/limits/http';
import type { AppRouter } from '~/server/trpc/router';
import { useTranslation } from './translation';

/**
 * Procedures for the interactive parts of the studio: availability, upload tickets, polling, and the publish toggle.
 * Pages load their data through loaders, and forms submit to actions.
 */
export const trpc = createTRPCReact<AppRouter>();

export function ApiProvider({ children }: { children: ReactNode }) {
  // in state instead of at module level: on the server, every request needs its own cache
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: MINUTES(1), retry: 2 }, mutations: { retry: false } },
      }),
  );
  const [client] = useState(() =>
    trpc.createClient({
      links: [httpBatchLink({ url: '/trpc', transformer: superjson, maxItems: CALL_LIMITS.batch })],
    }),
  );
  return (
    <trpc.Provider client={client} queryClient={queries}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}

function errorData(error: unknown) {
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data : null;
}

export function isUnauthorized(error: unknown): boolean {
  return errorData(error)?.code === 'UNAUTHORIZED';
}

/** The code of an error that the server expected; null for others. */
export function errorCode(error: unknown): string | null {
  return errorData(error)?.app?.code ?? null;
}

/** Whether the server says that the user is not, or no longer, logged in (spec §7). */
export function isLoggedOut(error: unknown): boolean {
  return [401, 403].includes(errorData(error)?.httpStatus ?? 0);
}

/** Whether another attempt may succeed: the server was unreachable, is overloaded, or has failed. */
export function isTemporary(error: unknown): boolean {
  const status = errorData(error)?.httpStatus ?? 503;
  return status === 429 || status >= 500;
}

/** The server's message of a failed call: the first field's, or the general one. Null if the server was not reached. */
export function serverMessage(error: unknown): string | null {
  const response = errorData(error);
  if (!response) return null;
  return Object.values(response.fields ?? {})[0]?.[0] ?? (error as Error).message;
}

/** A function that returns the message to show for a failed call, also when the user is offline. */
export function useErrorMessage(): (error: unknown) => string {
  const { t } = useTranslation('errors');
  return (error) => serverMessage(error) ?? t(navigator.onLine ? 'common.something_went_wrong' : 'common.offline');
}
