import { and, eq } from 'drizzle-orm';
import { subscriberImports } from '~/db/schema/moving';
import { authorize } from '../../../policy/authorize';
import { importSubscribers } from '../../../queue/jobs/moving';
import { type Ctx, transact } from '../../../runtime/ctx';
import { requireVerifiedEmail } from '../../accounts/logins/verify-email';
import { acceptsBuyers } from '../../plans/features';
import { productNotFound } from '../../products/errors';
import { lockProduct } from '../../products/price-product';
import { recordAbout } from '../../team/activity';
import { importNotReady, noRoomForSubscribers, nothingToImport, statementMissing } from './errors';
import { countOutcomes, findOwnSubscriberImport } from './queries';
import { whyNotSold } from './request-import';
import type { ConfirmSubscriberImport } from './schema';

/**
 * Starts the import that the report describes. Only the former host knows whom it charges, so the creator states that
 * it charges no subscribers any more; the wording is stored. @throws subscriber_import.not_found,
 * subscriber_import.not_ready, subscriber_import.nothing, subscriber_import.statement_required,
 * subscriber_import.plan_too_small, product.taken_down, product.not_found, subscriber_import.show_not_sold,
 * account.email_not_verified
 */
export async function confirmSubscriberImport(ctx: Ctx, input: ConfirmSubscriberImport): Promise<void> {
  const found = authorize(ctx, 'product.manageBuyers', await findOwnSubscriberImport(ctx, input.id));
  await requireVerifiedEmail(ctx);
  if (found.status !== 'ready') throw importNotReady();
  const { adopt, recreate } = await countOutcomes(ctx, found.id);
  if (adopt + recreate === 0) throw nothingToImport();
  if (recreate > 0 && !input.stopped) throw statementMissing();
  if (!(await acceptsBuyers(ctx, found.creatorId, adopt + recreate))) throw noRoomForSubscribers();
  const statement = input.stopped ? ctx.translate('moving:people.stopped', { show: found.show }) : null;
  const { id, step, productId, creatorId, show } = found;
  await ctx.reach('import.found');
  await transact(ctx, async (tx) => {
    // locked, so that no subscriptions are imported after the show's existing ones were ended
    const locked = await lockProduct(tx, productId);
    const problem = locked ? whyNotSold(locked) : productNotFound();
    if (problem) throw problem;
    const now = tx.now();
    const confirmed = { statement, sendsWelcome: input.welcome, confirmedAt: now, confirmedBy: actorId(ctx) };
    const [row] = await tx.db
      .update(subscriberImports)
      .set({ status: 'running', ...confirmed, step: step + 1, updatedAt: now })
      .where(and(eq(subscriberImports.id, id), eq(subscriberImports.status, 'ready'), eq(subscriberImports.step, step)))
      .returning({ id: subscriberImports.id });
    if (!row) throw importNotReady();
    await recordAbout(tx, 'subscribers.imported', { id: productId, creatorId, name: show });
    await tx.jobs.enqueue(importSubscribers, { importId: id, step: step + 1 });
  });
}

const actorId = ({ actor }: Ctx): number | null => (actor.type === 'user' ? actor.userId : null);
