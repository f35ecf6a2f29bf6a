/**
 * Options of the Remix Vite plugin; vite.config.ts passes them on.
 * @type {Partial<import('@remix-run/dev').VitePluginConfig> & { appDirectory: string; buildDirectory: string }}
 */
const config = {
  appDirectory: 'app',
  buildDirectory: 'build',
  serverModuleFormat: 'esm',
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
    v3_routeConfig: true,
  },
};
export default config;
