import { currentCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { insertDraft } from './edit-edition';
import { findEditionRow } from './queries';
import type { FindEdition } from './schema';

/**
 * A draft with the texts and the audience of an edition of any state. Its address, its times and its counts are new.
 * @throws newsletter.edition_not_found, newsletter.too_many_editions, common.role_not_allowed
 */
export async function duplicateEdition(ctx: Ctx, { id }: FindEdition): Promise<{ id: number }> {
  const { id: creatorId } = authorize(ctx, 'creator.manageNewsletter', currentCreator(ctx));
  return transact(ctx, async (tx) => {
    const { title, preheader, description, content, tags, ...row } = await findEditionRow(tx, { creatorId, id });
    const { seoTitle, seoDescription, audience, isInArchive } = row;
    const texts = { title, preheader, description, content, tags, seoTitle, seoDescription };
    return insertDraft(tx, creatorId, { ...texts, audience, isInArchive });
  });
}
