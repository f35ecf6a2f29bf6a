import { and, eq, inArray, or } from 'drizzle-orm';
import { buyerNotes } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import { authorize } from '../../../policy/authorize';
import { type Ctx, transact } from '../../../runtime/ctx';
import { findProductRecord } from '../../products/queries';
import { recordActivity } from '../../team/activity';
import { buyerNotFound } from '../base/errors';
import type { NoteBuyer } from '../base/schema';
import { lookupBuyer } from './buyer-list';

/**
 * Stores the team's note about a person who is a buyer of the show. The note is the same on all shows of the creator.
 * @throws product.not_found, buyer.not_found, common.role_not_allowed
 */
export async function noteBuyer(ctx: Ctx, { id, kind, userId, note }: NoteBuyer): Promise<void> {
  const { product } = await findProductRecord(ctx, id, kind);
  const show = authorize(ctx, 'product.readBuyers', product);
  if (!(await lookupBuyer(ctx, show, userId))) throw buyerNotFound();
  const { creatorId, name } = show;
  await transact(ctx, async (tx) => {
    if (note === '') await tx.db.delete(buyerNotes).where(isAbout({ creatorId, userId }));
    else
      await tx.db
        .insert(buyerNotes)
        .values({ creatorId, userId, text: note })
        .onConflictDoUpdate({
          target: [buyerNotes.creatorId, buyerNotes.userId],
          set: { text: note, updatedAt: tx.now() },
        });
    await recordActivity(tx, { creatorId, action: 'buyer.noted', subjectId: userId, params: { name } });
  });
}

/** The note about a person; empty without one. Callers check the role. */
export async function noteAbout({ db }: Pick<Ctx, 'db'>, about: About): Promise<string> {
  const [row] = await db.select({ text: buyerNotes.text }).from(buyerNotes).where(isAbout(about));
  return row?.text ?? '';
}

type About = { creatorId: number; userId: number };
const isAbout = ({ creatorId, userId }: About) =>
  and(eq(buyerNotes.creatorId, creatorId), eq(buyerNotes.userId, userId));

/** Deletes the notes about a person, and those of the person's own team. Repeating it is harmless. */
export async function eraseBuyerNotes({ db }: Ctx, { userId }: { userId: number }): Promise<void> {
  const own = db.select({ id: creators.id }).from(creators).where(eq(creators.userId, userId));
  await db.delete(buyerNotes).where(or(eq(buyerNotes.userId, userId), inArray(buyerNotes.creatorId, own)));
}
