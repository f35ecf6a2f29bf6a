import { eq, sql } from 'drizzle-orm';
import { editionLinks, editions } from '~/db/schema/newsletter';
import { later } from '../../base/time';
import { SENDING_LIMITS } from '../../limits/newsletter';
import { type Ctx, type TxCtx, transact } from '../../runtime/ctx';
import { checkSteps, countEmails } from './check-steps';
import { composeMailing } from './compose-mailing';
import { sendBatch } from './deliver-edition';
import { leaseEmails } from './lease-emails';
import { lookupOwnSender } from './own-sender';
import { whyNotReady } from './preview-edition';
import type { EditionRow } from './queries';
import { countedLinks } from './render-edition';

/**
 * The job: sends the emails of an automation's step that are due, in batches. Each batch has the text of its moment, and
 * while the text is unfinished, its emails wait. `sendDueSteps` continues what this job leaves.
 */
export async function deliverStep(ctx: Ctx, { editionId }: { editionId: number }): Promise<void> {
  const end = later(ctx.now(), SENDING_LIMITS.turn);
  do {
    const [step] = await ctx.db.select().from(editions).where(eq(editions.id, editionId));
    if (step?.status !== 'sending' || step.automationId === null) return;
    if (step.title === '' || step.content === '' || (await whyNotReady(ctx, step))) return;
    await countLinks(ctx, step);
    const own = await lookupOwnSender(ctx, step.creatorId);
    const mailing = await composeMailing(ctx, step, own);
    const { leased, done } = await leaseEmails(ctx, editionId, SENDING_LIMITS.batch, checkSteps);
    if (done) return;
    // what is not sent at its first attempt counts when it is leased again
    const takeBack = (tx: TxCtx, unsent: number) => countEmails(tx, step.creatorId, -unsent);
    await sendBatch(ctx, editionId, { leased, mailing, own, takeBack });
  } while (ctx.now() <= end);
}

/** A changed text has new links. Those of emails that people have keep their places. */
async function countLinks(ctx: Ctx, step: EditionRow): Promise<void> {
  const hrefs = await countedLinks(ctx, step);
  if (hrefs.length === 0) return;
  await transact(ctx, async (tx) => {
    await tx.db.select({ id: editions.id }).from(editions).where(eq(editions.id, step.id)).for('update');
    await tx.db.execute(sql`
      insert into ${editionLinks} (edition_id, position, href)
      select ${step.id}::bigint, row_number() over (order by h.place) - 1 + (
        select coalesce(max(position) + 1, 0) from ${editionLinks} where edition_id = ${step.id}), h.href
      from jsonb_array_elements_text(${JSON.stringify(hrefs)}::text::jsonb) with ordinality as h(href, place)
      where not exists (select from ${editionLinks} l where l.edition_id = ${step.id} and l.href = h.href)`);
  });
}
