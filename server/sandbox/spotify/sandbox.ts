import { Hono } from 'hono';
import { mountAccounts } from './accounts';
import type { Fault, SandboxContext } from './context';
import { mountDelivery } from './delivery';
import { mountKnown } from './known';
import { mountOpenAccess } from './open-access';
import type { SandboxStore } from './store';
import { createTokens } from './tokens';

export type SpotifySandbox = {
  /** Accounts, Open Access and deliveries, below the path of the base URL. */
  app: Hono;
  /** Calls it as a client does. @throws if the connection fails, as a fault of a test says */
  fetch: typeof fetch;
  store: SandboxStore;
  /** The fault applies to every answer of a call such as `replace-entitlements` until it is set to null; `*`: of all. */
  setFault(call: string, fault: Fault | null): void;
  /** Holds every answer until `release` is called. */
  hold(): { release(): void };
  endTokens(): void;
  /** The calls since the start, such as `replace-entitlements`. */
  calls: string[];
};

/**
 * A local Spotify: its page for agreeing, Open Access and deliveries. Every visitor may use any account. Links and feeds
 * are in the database, because web processes and workers call it; codes and tokens are in the memory of each process.
 */
export function openSpotifySandbox(options: Pick<SandboxContext, 'baseUrl' | 'client' | 'store'>): SpotifySandbox {
  const { store, baseUrl } = options;
  const faults = new Map<string, Fault>();
  const calls: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const context: SandboxContext = { ...options, faultOf: (call) => faults.get(call) ?? faults.get('*') ?? null };
  const tokens = createTokens();
  const app = new Hono().basePath(new URL(baseUrl).pathname);
  mountAccounts(app, context, tokens);
  mountOpenAccess(app, context, tokens);
  mountDelivery(app, context);
  mountKnown(app, context);
  return {
    app,
    store,
    calls,
    endTokens: tokens.endAll,
    async fetch(input, init) {
      const request = new Request(input, init);
      const call = callOf(new URL(request.url).pathname);
      calls.push(call);
      await held;
      if (context.faultOf(call) === 'away') throw new TypeError('the connection failed');
      return app.fetch(request);
    },
    setFault: (call, fault) => void (fault ? faults.set(call, fault) : faults.delete(call)),
    hold() {
      let release = () => {};
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      return { release };
    },
  };
}

const callOf = (path: string): string =>
  path.includes('/rss-feeds') ? 'rss-feeds' : path.slice(path.lastIndexOf('/') + 1);
