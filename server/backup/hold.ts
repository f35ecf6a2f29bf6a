import { openPool } from '~/db/driver/pool';
import { BACKUP_LIMITS } from '../limits/backup';
import { BackupError } from './backup-error';

/**
 * Runs `work` while no object is deleted (server/domain/media/sweep-uploads.ts) and no other backup runs. The locks
 * belong to a transaction that reads nothing, so it keeps no old rows alive, and Postgres releases the locks when this
 * process is killed. `stillHeld` throws if they were lost.
 */
export async function withBackupLock<T>(url: string, work: (stillHeld: () => Promise<void>) => Promise<T>): Promise<T> {
  const { client, close } = openPool(url, { max: 1, patient: true });
  try {
    const result = await client.begin(async (tx) => {
      await tx`select set_config(name, '0', true) from pg_settings
        where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
      const [first] = await tx`select pg_try_advisory_xact_lock(${BACKUP_LIMITS.aloneLock}) as alone`;
      if (!first?.alone) throw new BackupError('Another backup or restore of this database is running.');
      await tx`select pg_advisory_xact_lock(${BACKUP_LIMITS.holdLock})`;
      return { value: await work(async () => void (await tx`select 1`)) };
    });
    return result.value as T;
  } finally {
    await close();
  }
}
