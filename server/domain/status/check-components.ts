import { statusChecks } from '~/db/schema/status';
import { COMPONENTS } from '~/db/values/status';
import type { Ctx } from '../../runtime/ctx';
import { PROBES } from './component-probes';
import { slotOf } from './rules';

/**
 * Checks every component and records what it found, once per slot, whichever process comes first. Without the database
 * there is no record, and the status page shows a gap.
 */
export async function checkComponents(ctx: Ctx): Promise<void> {
  const slot = slotOf(ctx.now());
  const found = await Promise.all(
    COMPONENTS.map(async (component) => ({ component, slot, finding: await PROBES[component](ctx) })),
  );
  const rows = found.flatMap(({ finding, ...check }) => (finding ? [{ ...check, ...finding }] : []));
  await ctx.db.insert(statusChecks).values(rows).onConflictDoNothing();
}
