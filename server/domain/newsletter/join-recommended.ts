import { type Ctx, transact } from '../../runtime/ctx';
import { addToLists, readConfirmed } from '../audience/confirmed-address';
import { lockRecommended, type RecommendedNewsletter } from './recommended-newsletters';
import type { JoinRecommended } from './schema';

export type JoinedNewsletters = {
  email: string;
  creator: string;
  url: string;
  /** Those whose list now has the address. */
  joined: Pick<RecommendedNewsletter, 'id' | 'name' | 'creator'>[];
};

/**
 * Adds an address that was confirmed for one newsletter to others that its creator recommends, as far as they are ticked.
 * Ids of other creators are ignored. Repeating it is harmless. @throws audience.join_link_expired
 */
export async function joinRecommended(ctx: Ctx, { confirmed, ids }: JoinRecommended): Promise<JoinedNewsletters> {
  const { creator, email, provenAt } = await readConfirmed(ctx, confirmed);
  const lead = ctx.translate('newsletter:also.lead', { creator: creator.name, email });
  const joined = await transact(ctx, async (tx) => {
    await tx.reach('confirmation.read');
    const ticked = (await lockRecommended(tx, creator.id)).filter(({ id }) => ids.includes(id));
    const lists = ticked.map(({ id, ...of }) => ({
      creatorId: id,
      text: `${lead} ${tx.translate('newsletter:also.newsletter', { name: of.name, creator: of.creator })}`,
    }));
    const added = await addToLists(tx, { email, provenAt }, lists);
    return ticked
      .filter(({ id }) => added.includes(id))
      .map(({ id, name, creator: of }) => ({ id, name, creator: of }));
  });
  return { email, creator: creator.name, url: ctx.urls.creator(creator.domain), joined };
}
