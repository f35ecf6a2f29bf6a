import { and, eq, isNull } from 'drizzle-orm';
import { automations } from '~/db/schema/automations';
import { editions } from '~/db/schema/newsletter';
import { products } from '~/db/schema/products';
import { AUTOMATION_LIMITS } from '../../limits/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { whereProductVisible } from '../../policy/visibility';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { lockCreator } from '../creators/queries';
import { productNotFound } from '../products/errors';
import { recordActivity } from '../team/activity';
import { startingDrafts } from './automation-drafts';
import { tooManyAutomations } from './errors';
import { STARTS } from './rules';
import type { CreateAutomation } from './schema';

/**
 * A new automation, which is off. Those about payments are for people who may see who pays: its numbers tell it.
 * @throws newsletter.too_many_automations, product.not_found, common.role_not_allowed
 */
export async function createAutomation(
  ctx: Ctx,
  { trigger, product, start }: CreateAutomation,
): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  const event = start ? STARTS[start].trigger : trigger;
  if (event !== 'sign_up') authorize(ctx, 'product.readBuyers', { creatorId });
  const productId = product === undefined ? null : await findShow(ctx, creatorId, product);
  const name = ctx.translate(`content:automation.name.${start ?? event}`);
  const drafts = start ? await startingDrafts(ctx, creatorId, start) : [];
  return transact(ctx, async (tx) => {
    await requireRoom(tx, creatorId);
    const now = tx.now();
    const times = { createdAt: now, updatedAt: now };
    const [row] = await tx.db
      .insert(automations)
      .values({ creatorId, name, trigger: event, productId, ...times })
      .returning({ id: automations.id });
    const own = { creatorId, automationId: row!.id, isInArchive: false, ...times };
    if (drafts.length > 0) await tx.db.insert(editions).values(drafts.map((draft) => ({ ...draft, ...own })));
    await recordActivity(tx, { creatorId, action: 'automation.created', subjectId: row!.id, params: { name } });
    return row!;
  });
}

async function findShow({ db }: Ctx, creatorId: number, slug: string): Promise<number> {
  const isIts = and(eq(products.creatorId, creatorId), eq(products.slug, slug), whereProductVisible());
  const [row] = await db.select({ id: products.id }).from(products).where(isIts);
  if (!row) throw productNotFound();
  return row.id;
}

async function requireRoom(tx: TxCtx, creatorId: number): Promise<void> {
  await lockCreator(tx, creatorId);
  const count = await tx.db.$count(
    automations,
    and(eq(automations.creatorId, creatorId), isNull(automations.removedAt)),
  );
  if (count >= AUTOMATION_LIMITS.automations) throw tooManyAutomations({ count: AUTOMATION_LIMITS.automations });
}
