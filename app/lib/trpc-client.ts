import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { createTRPCQueryUtils } from '@trpc/react-query';
import superjson from 'superjson';
import { SECONDS } from '~/server/base/time';
import { CALL_LIMITS } from '~/server/limits/http';
import type { AppRouter } from '~/server/trpc/router';
import { isTemporary } from './trpc-errors';

/** Only browsers load this file (trpc.ts), so the module's cache is one user's. */
export const client = createTRPCClient<AppRouter>({
  links: [httpBatchLink({ url: '/trpc', transformer: superjson, maxItems: CALL_LIMITS.batch })],
});

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isTemporary(error),
      retryDelay: (failures) => SECONDS(failures + 1),
    },
  },
});

/** Queries that are asked at the same time are asked once, and repeated after a temporary fault. */
export const queries = createTRPCQueryUtils<AppRouter>({ queryClient, client });
