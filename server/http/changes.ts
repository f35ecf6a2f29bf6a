import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../log';

const CHANNEL = 'changed';
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/**
 * Hears of changes that any process commits (`announceChange` in ctx.ts). Whatever was said while the line was down
 * is lost, so `onGap` is called at each connection: forget everything then.
 */
export function listenForChanges(
  url: string,
  { onChange, onGap, log }: { onChange: (tag: string) => void; onGap: () => void; log: Log },
): { ready: Promise<void>; close(): Promise<void> } {
  const closing = new AbortController();
  let client: Client | undefined;
  let firstConnection = () => {};
  const ready = new Promise<void>((resolve) => {
    firstConnection = resolve;
  });

  async function stayConnected() {
    for (let pause = FIRST_PAUSE; !closing.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        client = new Client({ connectionString: url, keepAlive: true, application_name: 'altavoz-changes' });
        const ended = lost(client);
        client.on('notification', ({ payload }) => payload && onChange(payload));
        // a client that is ended while it connects never says so
        await Promise.race([client.connect(), ended]);
        if (closing.signal.aborted) break;
        await client.query(`listen ${CHANNEL}`);
        onGap();
        firstConnection();
        pause = FIRST_PAUSE;
        await ended;
      } catch (err) {
        if (!closing.signal.aborted) log.warn({ err }, 'not hearing of changes; trying again');
      }
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  const running = stayConnected();
  return {
    ready,
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
      await running;
    },
  };
}

/** Settles when the connection is gone, whichever way. */
function lost(client: Client): Promise<void> {
  return new Promise((resolve) => {
    // without a listener an 'error' event ends the process
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
}
