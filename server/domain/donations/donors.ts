import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import { donations } from '~/db/schema/donations';
import type { Page } from '../../base/paging';
import { DONATION_EXPORT } from '../../limits/donations';
import { PAGE_LIMITS } from '../../limits/paging';
import { requireUser } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { findCreator } from '../creators/queries';
import { takesDonations } from '../creators/rules';
import { recordActivity } from '../team/activity';
import {
  currencyOfDonations,
  type DonationTotals,
  type DonorView,
  type ExportedDonation,
  findDonationRecord,
  listDonors,
  listForExport,
  listOwnDonations,
  lookupSettings,
  type OwnDonation,
  totalsOf,
} from './queries';
import type { ExportDonations, FindDonations, HideDonation } from './schema';

/** `isOpen`: people can donate now. */
export type Donors = Page<DonorView> & {
  totals: DonationTotals;
  showsWall: boolean;
  acceptsDonations: boolean;
  isOpen: boolean;
};

/** The donors of a creator, for the creator's team. @throws creator.not_found */
export async function donorsOf(ctx: Ctx, input: FindDonations): Promise<Donors> {
  const creator = authorize(ctx, 'creator.readDonations', await findCreator(ctx, input.creatorId));
  const settings = await lookupSettings(ctx, creator.id);
  const currency = await currencyOfDonations(ctx, creator, settings);
  const [list, totals] = await Promise.all([listDonors(ctx, input), totalsOf(ctx, creator.id, currency)]);
  const { acceptsDonations } = creator;
  const isOpen = takesDonations(creator, ctx.settings);
  return { ...list, totals, acceptsDonations, isOpen, showsWall: settings?.showsWall ?? false };
}

/** The next part of a list of all donations. @throws creator.not_found */
export async function exportDonations(ctx: Ctx, input: ExportDonations): Promise<ExportedDonation[]> {
  const { id } = authorize(ctx, 'creator.readDonations', await findCreator(ctx, input.creatorId));
  return listForExport(ctx, { creatorId: id, after: input.after ?? 0, limit: DONATION_EXPORT.batch });
}

/**
 * Hides a donor's name and message on the page, or shows them again. Repeating it is harmless. @throws
 * donation.not_found
 */
export async function hideDonation(ctx: Ctx, { id, isHidden }: HideDonation): Promise<void> {
  const { donation } = await findDonationRecord(ctx, id);
  const { creatorId } = authorize(ctx, 'donation.moderate', donation);
  await transact(ctx, async (tx) => {
    const isOther = isHidden ? isNull(donations.hiddenAt) : isNotNull(donations.hiddenAt);
    const changed = await tx.db
      .update(donations)
      .set({ hiddenAt: isHidden ? tx.now() : null, updatedAt: tx.now() })
      .where(and(eq(donations.id, id), isOther))
      .returning({ id: donations.id });
    if (changed.length === 0) return;
    const action = isHidden ? 'donations.hidden' : 'donations.shown';
    await recordActivity(tx, { creatorId, action, subjectId: id });
    await markCreatorChanged(tx, creatorId);
  });
}

/** The current user's donations, the newest first. */
export async function ownDonations(ctx: Ctx): Promise<OwnDonation[]> {
  const { userId } = requireUser(ctx);
  return listOwnDonations(ctx, userId, PAGE_LIMITS.maxSize);
}
