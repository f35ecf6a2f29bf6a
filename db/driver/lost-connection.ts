import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
// relative, because vitest.config.ts loads this file without our aliases
import { codeOf, isConnectionError } from '../../server/base/database-errors';

/** The code of a connection that the pool itself has closed: it rejects further statements. */
const CLOSED_BY_POOL = 'CONNECTION_DESTROYED';

/**
 * Whether this is the driver's timer that writes to a connection which was lost at the same moment. No code can catch
 * the error, but the process is healthy: the time limit rejects the statement (docs/decisions/0118).
 */
export function isLateWrite(thrown: unknown): boolean {
  const { message, stack } = Object(thrown) as { message?: unknown; stack?: unknown };
  return String(message).includes("(reading 'write')") && /\bnextWrite\b/.test(String(stack));
}

/** Longer than a pool that lost a connection waits for its other connections; afterwards, statements are rejected. */
const HARMLESS_AFTER_MS = 10_000;

type Work = (tx: postgres.TransactionSql) => Promise<unknown>;
type Loss = { isLost: boolean };
type Rejectable = { reject(error: Error): void };

/**
 * After a transaction's connection is lost, postgres.js still sends its next statement, `rollback` or `commit` on it,
 * which throws an error that no code can catch. So further statements are rejected, and the work is kept from settling.
 * The transaction itself fails at once, because its connection reports the loss.
 */
export function guardTransactions(client: postgres.Sql): void {
  const { begin } = client;
  client.begin = ((work: Work) => {
    const loss: Loss = { isLost: false };
    let isRunning = false;
    const guarded: Work = async (tx) => {
      isRunning = true;
      try {
        return await guardWork(work, loss)(tx);
      } finally {
        isRunning = false;
      }
    };
    const transaction = begin(guarded as never);
    transaction.catch(() => {
      loss.isLost ||= isRunning;
    });
    return transaction;
  }) as typeof begin;
}

function guardWork(work: Work, loss: Loss): Work {
  return async (tx) => {
    const { savepoint } = tx;
    tx.savepoint = ((inner: Work) => savepoint(guardWork(inner, loss) as never)) as typeof savepoint;
    observeLoss(tx, loss);
    try {
      return await work(tx);
    } finally {
      if (loss.isLost) await sleep(HARMLESS_AFTER_MS, null, { ref: false });
    }
  };
}

/** Only the transaction's own statements count: its work may use other connections too. */
function observeLoss(tx: postgres.TransactionSql, loss: Loss): void {
  const { unsafe } = tx;
  tx.unsafe = ((...args: Parameters<typeof unsafe>) => {
    const query = unsafe(...args);
    const rejectable = query as unknown as Rejectable;
    const { reject } = rejectable;
    rejectable.reject = (error) => {
      loss.isLost ||= isConnectionError(error) && codeOf(error) !== CLOSED_BY_POOL;
      reject(error);
    };
    if (loss.isLost) query.cancel();
    return query;
  }) as typeof unsafe;
}
