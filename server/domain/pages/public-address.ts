import type { Ctx } from '../../runtime/ctx';
import { findCreator } from '../creators/queries';
import { assertCanSee } from '../episodes/episode-catalog';
import { findEpisodeRecord } from '../episodes/queries';
import { assertProductShown } from '../products/archive-product';
import { findProductRecord } from '../products/queries';
import type { PublicAddressInput } from './schema';

/**
 * The current address of a public page, for clients that keep ids (spec §7, get-redirect-url). It is always on one of
 * our hosts.
 * @throws creator.not_found, product.not_found, episode.not_found (also if the caller may not see it)
 */
export async function publicAddress(ctx: Ctx, { type, id }: PublicAddressInput): Promise<{ url: string }> {
  return { url: await ADDRESSES[type](ctx, id) };
}

const ADDRESSES = {
  async creator(ctx: Ctx, id: number) {
    return ctx.urls.creator((await findCreator(ctx, id)).domain);
  },
  async product(ctx: Ctx, id: number) {
    const { creator, product } = await findProductRecord(ctx, id);
    await assertProductShown(ctx, product);
    return ctx.urls.product(creator.domain, product.slug);
  },
  async episode(ctx: Ctx, id: number) {
    const found = await findEpisodeRecord(ctx, id);
    assertCanSee(ctx, found);
    return ctx.urls.episode(found.creator.domain, found.product.slug, found.episode.slug);
  },
};
