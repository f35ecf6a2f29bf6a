import type { ServerBuild } from '@remix-run/node';
import { type AppSettings, createApp } from '~/server/doors/app';
import { createShowLanguages } from '~/server/http/caches/show-language';
import type { testRuntime } from './runtime';

export type Tested = Pick<Awaited<ReturnType<typeof testRuntime>>, 'runtime' | 'env'>;

/** The complete app without pages, with the given doors. */
export function apiApp({ runtime, env }: Tested, doors: AppSettings['doors']) {
  return createApp(runtime, {
    rules: { hosts: { ...env.urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 1 },
    policy: { urls: env.urls, uploadOrigin: null, development: false },
    readiness: { stopping: false },
    metricsToken: null,
    inboxUrl: null,
    simulatesPayments: false,
    build: async () => ({}) as ServerBuild,
    showLanguages: createShowLanguages(runtime.db),
    clientDir: null,
    doors,
  });
}

/** A function for each method that an API knows. */
export function methodsOf<Sent, Reply>(send: (method: string, path: string, sent?: Sent) => Promise<Reply>) {
  const by = (method: string) => (path: string, sent?: Sent) => send(method, path, sent);
  return { get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), delete: by('DELETE') };
}
