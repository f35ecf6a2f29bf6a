import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connectionTo } from '~/db/tls';
import { SECONDS } from '../../base/time';
import type { Log } from '../../watching/log';

const CHANNEL = 'changed';
/**
 * In seconds. Without a lower limit, postgres.js retries every few milliseconds while the server refuses connections.
 */
const FIRST_PAUSE = 0.25;
const LONGEST_PAUSE = 10;
/** The wait for one notification, long enough for a busy machine. */
const PATIENCE = SECONDS(3);

export type Changes = {
  ready: Promise<void>;
  /** Whether the connection is open. */
  isListening(): boolean;
  /**
   * Whether this connection receives a notification that `notify` sends on another one. A pooler in transaction mode
   * prevents that.
   */
  hears(notify: (channel: string) => Promise<unknown>): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Listens for changes that any process commits (`announceChange` in ctx.ts), and reconnects when the connection is
 * lost. Notifications sent in between are lost, so `onGap` is called after each connection: clear every cache then.
 */
export function listenForChanges(
  url: string,
  { onChange, onGap, log }: { onChange: (tag: string) => void; onGap: () => void; log: Log },
): Changes {
  let isClosing = false;
  let isListening = false;
  const server = connectionTo(url);
  const sql = postgres(server.url, {
    max: 1,
    ssl: server.ssl,
    // postgres.js calls it whenever a connection has ended, and reports that in no other way
    backoff(failures) {
      isListening = false;
      return Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
    },
    connection: { application_name: 'altavoz-changes' },
  });
  let connections = 0;
  const ready = new Promise<void>((resolve) => {
    const onListen = () => {
      connections += 1;
      isListening = true;
      if (connections > 1) log.warn({}, 'LISTEN connection was lost, caches cleared');
      onGap();
      resolve();
    };
    // rejects when the first attempt fails; postgres.js keeps retrying
    sql.listen(CHANNEL, onChange, onListen).catch((err) => {
      if (!isClosing) log.warn({ err }, 'LISTEN connection failed, retrying');
    });
  });
  return {
    ready,
    isListening: () => isListening,
    async hears(notify) {
      const channel = `altavoz_${randomUUID()}`;
      let heard = () => {};
      const hearing = new Promise<true>((resolve) => {
        heard = () => resolve(true);
      });
      const { unlisten } = await sql.listen(channel, heard);
      await notify(channel);
      const isHeard = await Promise.race([hearing, sleep(PATIENCE, false, { ref: false })]);
      await unlisten();
      return isHeard;
    },
    close() {
      isClosing = true;
      return sql.end({ timeout: 0 });
    },
  };
}
