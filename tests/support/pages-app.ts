import type { UrlSettings } from '~/server/base/urls';
import { type AppSettings, createApp } from '~/server/doors/app';
import { createShowLanguages } from '~/server/http/caches/show-language';
import type { Runtime } from '~/server/runtime/runtime';
import { pagesBuild } from './pages-build';

/** The HTTP application with the product's own pages, by default without other doors. */
export function pagesApp(runtime: Runtime, urls: UrlSettings, settings: Partial<AppSettings> = {}) {
  return createApp(runtime, {
    rules: { hosts: { ...urls, allowsUnprefixedHosts: true, trustProxy: false }, trustedProxies: 0 },
    policy: { urls, uploadOrigin: null, development: false },
    readiness: { stopping: false },
    metricsToken: null,
    inboxUrl: null,
    simulatesPayments: false,
    build: pagesBuild(),
    showLanguages: createShowLanguages(runtime.db),
    clientDir: null,
    doors: [],
    ...settings,
  });
}
