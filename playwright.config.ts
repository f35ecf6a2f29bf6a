import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { isDeep } from './tests/support/deep';

/** The journeys with the longest waits. They start first, so that no worker is idle at the end. */
const LONG = /(publish-and-listen|upload|episode-status|player-faults)\.spec\.ts$/;
/**
 * Journeys tagged @deep show in a browser what tests of the server show as well, or wait long; a full proof runs them, and
 * those tagged @sample, of which an everyday run does less. See docs/decisions/0199-everyday-samples-of-journeys.md.
 */
const FULL = /@deep|@sample/;
/** With SAMPLES=off, full proofs run afterwards. */
const chosen = isDeep ? { grep: FULL } : { grepInvert: process.env.SAMPLES === 'off' ? FULL : /@deep/ };
const port = Number(process.env.JOURNEYS_PORT ?? 4173);

/** Journeys run against the built app in a data directory of its own, in the browser that scripts/browser.mjs found. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // Journeys share one server and one database, and each creates its own accounts and shows.
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  projects: [
    { name: 'long', testMatch: LONG, ...chosen },
    { name: 'short', testIgnore: LONG, ...chosen },
  ],
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: `http://altavoz.localhost:${port}`,
    locale: 'en-GB',
    // A trace copies the page before and after every step. Record a trace of a failure with `--trace
    // retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    // its requests pass the routes of a page; saved.spec.ts allows it
    serviceWorkers: 'block',
    // a browser without a graphics card paints animations with the processor
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        // audio starts without a click; the sandbox of the browser does not work as root
        ...['--autoplay-policy=no-user-gesture-required', '--no-sandbox', '--mute-audio'],
        // a microphone that beeps, and may be used
        ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
      ],
    },
  },
  // `npm run prove:cluster` has started the servers
  webServer: process.env.JOURNEYS_RUNNING
    ? undefined
    : {
        command: 'node scripts/journey-server.mjs',
        // by IP address, because the resolver of a bare machine may not have names below localhost, which browsers do
        url: `http://127.0.0.1:${port}/readyz`,
        env: {
          PORT: String(port),
          DATA_DIR: path.resolve('.data/journeys'),
          SEED_DEMO: '1',
          LOG_LEVEL: 'warn',
          TRUST_PROXY: '1',
          // the feed of another host is a server of the journey
          FETCH_ALLOW_LOOPBACK: '1',
        },
        // a busy machine needs minutes to compose the demo
        timeout: 400_000,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 45_000 },
        stdout: 'ignore',
        stderr: 'pipe',
      },
});
