import { and, eq, inArray, ne, or } from 'drizzle-orm';
import { buyerNotes } from '~/db/schema/buyers';
import { creators } from '~/db/schema/creators';
import { authorize } from '../../../policy/authorize';
import { type Ctx, type TxCtx, transact } from '../../../runtime/ctx';
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
  // whoever may read the notes may write them: they are the team's memory, and change nothing for the buyer
  const show = authorize(ctx, 'product.readBuyers', product);
  if (!(await lookupBuyer(ctx, show, userId))) throw buyerNotFound();
  const { creatorId, name } = show;
  await transact(ctx, async (tx) => {
    if (!(await writeNote(tx, { creatorId, userId, text: note }))) return;
    await recordActivity(tx, { creatorId, action: 'buyer.noted', subjectId: userId, params: { name } });
  });
}

/** Whether the note has changed. An empty text deletes it. */
async function writeNote({ db, now }: TxCtx, { text, ...about }: About & { text: string }): Promise<boolean> {
  const { creatorId, userId } = buyerNotes;
  if (text === '') return (await db.delete(buyerNotes).where(isAbout(about)).returning({ userId })).length > 0;
  const written = await db
    .insert(buyerNotes)
    .values({ ...about, text })
    .onConflictDoUpdate({
      target: [creatorId, userId],
      set: { text, updatedAt: now() },
      setWhere: ne(buyerNotes.text, text),
    })
    .returning({ userId });
  return written.length > 0;
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
