import { statusChecks } from '~/db/schema/status';
import { COMPONENTS, type Component } from '~/db/values/status';
import type { Ctx } from '../../runtime/ctx';
import { type Finding, PROBES } from './component-probes';
import { slotOf } from './rules';

/**
 * Checks every component and records what it found, once per slot, whichever process comes first. Without the database
 * there is no record, and the status page shows a gap.
 */
export async function checkComponents(ctx: Ctx): Promise<void> {
  const slot = slotOf(ctx.now());
  const found = await Promise.all(
    COMPONENTS.map(async (component) => ({ component, slot, finding: await findingOf(ctx, component) })),
  );
  const rows = found.flatMap(({ finding, ...check }) => (finding ? [{ ...check, ...finding }] : []));
  await ctx.db.insert(statusChecks).values(rows).onConflictDoNothing();
}

/** A probe that fails itself is no reason to lose what the others have found. */
async function findingOf(ctx: Ctx, component: Component): Promise<Finding | null> {
  try {
    return await PROBES[component](ctx);
  } catch (err) {
    ctx.log.warn({ err, component }, 'no check of a component');
    return null;
  }
}
