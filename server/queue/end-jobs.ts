import { setTimeout as sleep } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import { isDatabaseAway } from '../base/database-errors';
import { SECONDS } from '../base/time';

/** Shorter than the heartbeat's window, after which another worker would run the job again (jobs/heartbeat.ts). */
const PAUSE = SECONDS(0.5);

/**
 * pg-boss stores the end of a job without waiting for it, so no code can catch the error of a database that is away,
 * and the process would end. Here the end of a job is stored once the database answers, and nothing is thrown: a job
 * whose end could not be stored runs again, like that of a killed worker (docs/decisions/0287).
 */
export function endJobsPatiently(boss: PgBoss, onError: (error: Error) => void): void {
  const db = boss.getDb();
  const { executeSql } = db;
  const endings = endingStatements(boss);
  const stopping = new AbortController();

  async function store(text: string, values: unknown[]): ReturnType<PgBoss.Db['executeSql']> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await executeSql.call(db, text, values);
      } catch (error) {
        if (attempt === 1) onError(error as Error);
        if (stopping.signal.aborted || !isWorthRepeating(error as Error)) return { rows: [{ count: 0 }] };
        await sleep(PAUSE, null, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  db.executeSql = (text, values) => (endings.has(text) ? store(text, values) : executeSql.call(db, text, values));
  const { stop } = boss;
  boss.stop = (options) => {
    stopping.abort();
    return stop.call(boss, options);
  };
}

/** The texts of pg-boss's statements that end a job. It sends them to the given connection before the calls return. */
function endingStatements(boss: PgBoss): ReadonlySet<string> {
  const texts = new Set<string>();
  const db = {
    async executeSql(text: string) {
      texts.add(text);
      return { rows: [{ count: 0 }] };
    },
  };
  void boss.complete('any', 'any', {}, { db });
  void boss.fail('any', 'any', {}, { db });
  return texts;
}

/** Whether no server has judged the statement, or it was one that is starting or stopping. */
const isWorthRepeating = (error: Error) => !('severity' in error) || isDatabaseAway(error);
