import type http from 'node:http';
import type net from 'node:net';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { FetcherSettings } from '~/server/adapters/feed-fetcher/port';
import { type Hostile, heldOpen, hostileServer, rawServer } from './hostile';
import { testFetcher } from './test-fetcher';

export const MAX_BYTES = 100_000;

/** A fetcher with short timeouts and the servers of a test. Checks after each test that nothing is left open. */
export function setUpFetcher(settings: Partial<FetcherSettings> = {}) {
  let idle = 0;
  const servers: Hostile[] = [];
  const start = async (made: Promise<Hostile>) => {
    servers.unshift(await made);
    return servers[0]!;
  };
  const setup = {
    fetcher: testFetcher(settings),
    url: (path = '/') => servers[0]!.url(path),
    serve: (handle: http.RequestListener) => start(hostileServer(handle)),
    serveBytes: (handle: (socket: net.Socket, request: string) => void) => start(rawServer(handle)),
    get: (path?: string) => setup.fetcher.fetch({ url: setup.url(path), maxBytes: MAX_BYTES }),
    /** Expects an error, and that the connection closes although the fetcher stays open. */
    async expectError(code: string, path?: string) {
      await expect(setup.get(path)).rejects.toMatchObject({ name: 'AppError', code });
      await expect.poll(() => servers[0]!.open()).toBe(0);
    },
  };
  beforeAll(() => {
    idle = heldOpen();
  });
  beforeEach(() => {
    setup.fetcher = testFetcher(settings);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await expect.poll(heldOpen).toBeLessThanOrEqual(idle);
    await setup.fetcher.close();
  });
  return setup;
}
