import { createDb } from '~/db/client';
import { LAST_BACKUP, milestones } from '~/db/schema/operations';

/** For the metric of its age. A backup never has its own record, but that of the one before. */
export async function recordBackup(url: string, reachedAt: Date): Promise<void> {
  const { db, close } = createDb(url, { max: 1, patient: true });
  try {
    await db
      .insert(milestones)
      .values({ name: LAST_BACKUP, reachedAt })
      .onConflictDoUpdate({ target: milestones.name, set: { reachedAt } });
  } finally {
    await close();
  }
}
