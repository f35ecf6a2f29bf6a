import type http from 'node:http';
import type net from 'node:net';
import { afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import type { FetcherSettings } from '~/server/adapters/feed-fetcher/port';
import { type Hostile, heldOpen, hostileServer, rawServer } from './hostile';
import { fetcherFor } from './trial-fetcher';

export const MOST = 100_000;

/** A fetcher with short timeouts and the servers of a test. Checks after each test that nothing is left open. */
export function onTrial(settings: Partial<FetcherSettings> = {}) {
  let idle = 0;
  const servers: Hostile[] = [];
  const start = async (made: Promise<Hostile>) => {
    servers.unshift(await made);
    return servers[0]!;
  };
  const trial = {
    fetcher: fetcherFor(settings),
    url: (path = '/') => servers[0]!.url(path),
    serve: (handle: http.RequestListener) => start(hostileServer(handle)),
    serveBytes: (handle: (socket: net.Socket, request: string) => void) => start(rawServer(handle)),
    get: (path?: string) => trial.fetcher.fetch({ url: trial.url(path), maxBytes: MOST }),
    /** Expects an error, and that the connection closes although the fetcher stays open. */
    async refuses(code: string, path?: string) {
      await expect(trial.get(path)).rejects.toMatchObject({ name: 'AppError', code });
      await vi.waitFor(() => expect(servers[0]!.open()).toBe(0));
    },
  };
  beforeAll(() => {
    idle = heldOpen();
  });
  beforeEach(() => {
    trial.fetcher = fetcherFor(settings);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await vi.waitFor(() => expect(heldOpen()).toBeLessThanOrEqual(idle));
    await trial.fetcher.close();
  });
  return trial;
}
