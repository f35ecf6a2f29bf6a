import { and, eq } from 'drizzle-orm';
import { newsletters } from '~/db/schema/newsletter';
import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { recordActivity } from '../team/activity';

/** Switches the welcome email of the settings off, whose text stays there. Repeating it changes nothing. */
export async function stopWelcome(ctx: Ctx): Promise<void> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  await transact(ctx, async (tx) => {
    const sends = and(eq(newsletters.creatorId, creatorId), eq(newsletters.sendsWelcome, true));
    const [row] = await tx.db
      .update(newsletters)
      .set({ sendsWelcome: false, updatedAt: tx.now() })
      .where(sends)
      .returning({ name: newsletters.name });
    if (row) await recordActivity(tx, { creatorId, action: 'newsletter.saved', params: { name: row.name } });
  });
}
