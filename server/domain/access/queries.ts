import { and, asc, eq } from 'drizzle-orm';
import { grants } from '~/db/schema/access';
import type { Ctx } from '../../ctx';
import { whereLiveGrant } from '../../policy/visibility';

export type GrantRow = typeof grants.$inferSelect;

/** What a person may hear now: all grants that have not ended, those of any source. */
export function listLiveGrants(ctx: Pick<Ctx, 'db' | 'now'>, userId: number): Promise<GrantRow[]> {
  return ctx.db
    .select()
    .from(grants)
    .where(and(eq(grants.userId, userId), whereLiveGrant(ctx.now().toISOString())))
    .orderBy(asc(grants.id));
}
