import { WALL_LIMITS } from '../../limits/donations';
import type { Ctx } from '../../runtime/ctx';
import type { CreatorRow } from '../creators/queries';
import { takesDonations } from '../creators/rules';
import { listThanks, lookupGoal, lookupSettings, type WallOfThanks } from './queries';
import type { Goal } from './rules';

/** The donation block of a creator page. Each donation raises the version of the page (record-donation.ts). */
export type DonationBlock = WallOfThanks & { text: string; goal: Goal | null };

/** Null if the creator accepts no donations, or the installation takes no payments. */
export async function donationBlock(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  creator: Pick<CreatorRow, 'id' | 'acceptsDonations' | 'donationText'>,
): Promise<DonationBlock | null> {
  if (!takesDonations(creator, ctx.settings)) return null;
  const { id, donationText } = creator;
  const settings = await lookupSettings(ctx, id);
  const [goal, thanks] = await Promise.all([
    lookupGoal(ctx, settings),
    listThanks(ctx, settings, WALL_LIMITS.creatorPage),
  ]);
  return { text: donationText ?? '', goal, ...thanks };
}
