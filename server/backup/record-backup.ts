import { createDb } from '~/db/client';
import { reachMilestone } from '~/db/milestones';
import { LAST_BACKUP } from '~/db/schema/operations';

/** For the metric of its age. A backup never has its own record, but that of the one before. */
export async function recordBackup(url: string, reachedAt: Date): Promise<void> {
  const { db, close } = createDb(url, { max: 1, patient: true });
  try {
    await reachMilestone(db, LAST_BACKUP, reachedAt);
  } finally {
    await close();
  }
}
