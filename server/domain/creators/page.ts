import { eq } from 'drizzle-orm';
import { creators } from '~/db/schema/creators';
import { pick } from '../../base/fields';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { storeCover } from '../media/covers';
import { consumeUpload, findUsableUpload } from '../media/uploads';
import { recordActivity } from '../team/activity';
import { asConflict, moveDomain } from './claim-page';
import { markCreatorChanged } from './mark-creator-changed';
import { findCreator, lockCreator } from './queries';
import { CREATOR_COLUMNS, type UpdateCreator } from './schema';
import { type OwnCreatorView, toOwnCreatorView } from './views';

/**
 * Changes the current creator's page: the fields that were sent.
 * @throws common.role_not_allowed for what only the owner changes, creator.domain_taken, upload.* and media.* (the picture)
 */
export async function updateCreatorPage(ctx: Ctx, input: UpdateCreator): Promise<OwnCreatorView> {
  const { creatorId } = requireCreator(ctx);
  const creator = authorize(ctx, 'creator.manage', await findCreator(ctx, creatorId));
  const avatar = input.avatarKey ? await findUsableUpload(ctx, { key: input.avatarKey, purpose: 'avatar' }) : null;
  const avatarKey = avatar ? await storeCover(ctx, avatar) : undefined;

  await transact(ctx, async (tx) => {
    if (avatar) await consumeUpload(tx, avatar);
    const current = await lockCreator(tx, creatorId);
    const { acceptsDonations = current.acceptsDonations } = input;
    if (acceptsDonations !== current.acceptsDonations) authorize(tx, 'creator.switchDonations', current);
    if (input.domain && input.domain !== creator.domain)
      await moveDomain(tx, authorize(ctx, 'creator.move', creator), input.domain);
    await tx.db
      .update(creators)
      .set({ ...pick(input, CREATOR_COLUMNS), avatarKey, updatedAt: tx.now() })
      .where(eq(creators.id, creatorId));
    await recordActivity(tx, { creatorId, action: 'page.updated' });
    await markCreatorChanged(tx, creatorId);
  }).catch(asConflict);
  return toOwnCreatorView(await findCreator(ctx, creatorId));
}
