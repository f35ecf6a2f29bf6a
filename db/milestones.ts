import type { Database, Transaction } from './client';
import { milestones } from './schema/operations';

/** Records when something happened last; the time before it is replaced. */
export async function reachMilestone(db: Database | Transaction, name: string, reachedAt: Date): Promise<void> {
  const set = { reachedAt };
  await db.insert(milestones).values({ name, reachedAt }).onConflictDoUpdate({ target: milestones.name, set });
}
