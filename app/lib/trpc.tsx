import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { httpBatchLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import { MINUTES } from '~/server/time';
import type { AppRouter } from '~/server/trpc/router';

/** Procedures for the studio's widgets: availability, upload tickets, polling. Pages load through loaders, forms through actions. */
export const trpc = createTRPCReact<AppRouter>();

export function ApiProvider({ children }: { children: ReactNode }) {
  // in state, never at the module's level: on the server every request must have a cache of its own
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: MINUTES(1), retry: 2 }, mutations: { retry: false } },
      }),
  );
  const [client] = useState(() =>
    trpc.createClient({ links: [httpBatchLink({ url: '/trpc', transformer: superjson })] }),
  );
  return (
    <trpc.Provider client={client} queryClient={queries}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
}
