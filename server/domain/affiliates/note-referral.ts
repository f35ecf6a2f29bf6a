import { referrals } from '~/db/schema/affiliates';
import { type Ctx, transact } from '../../runtime/ctx';
import { listActiveLinks } from './queries';
import { refusalOf } from './refusals';

type Brought = { userId: number; code: string };

/**
 * Notes which link has brought an account: the first one counts, whether it was followed before the sign-up or before
 * the creator page. A refused one is kept for the operator. Does nothing for a link that no longer works; repeating it
 * is harmless.
 */
export async function noteReferral(ctx: Ctx, { userId, code }: Brought): Promise<void> {
  const [link] = await listActiveLinks(ctx, [code]);
  if (!link) return;
  await transact(ctx, async (tx) => {
    const refusedFor = await refusalOf(tx, { creatorId: link.creatorId, userId });
    await tx.db
      .insert(referrals)
      .values({ linkId: link.id, userId, refusedFor, createdAt: tx.now() })
      .onConflictDoNothing();
  });
}
