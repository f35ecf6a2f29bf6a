import { donationSettings } from '~/db/schema/donations';
import { requireCreator } from '../../policy/actor';
import { authorize } from '../../policy/authorize';
import { type Ctx, transact } from '../../runtime/ctx';
import { markCreatorChanged } from '../creators/mark-creator-changed';
import { findCreator } from '../creators/queries';
import { recordActivity } from '../team/activity';
import { currencyOfDonations, lookupSettings, type SettingsRow } from './queries';
import type { UpdateDonationSettings } from './schema';

export type DonationSettings = {
  goalMinor: number | null;
  goalTitle: string;
  showsWall: boolean;
  thankYouText: string;
  currency: SettingsRow['currency'];
};

/** The donation settings of the current creator's page, besides the switch and the text. */
export async function donationSettingsOf(ctx: Ctx): Promise<DonationSettings> {
  const { creatorId } = requireCreator(ctx);
  const creator = authorize(ctx, 'creator.manage', await findCreator(ctx, creatorId));
  const row = await lookupSettings(ctx, creatorId);
  const currency = await currencyOfDonations(ctx, creator, row);
  const { goalMinor = null, goalTitle = '', showsWall = false, thankYouText = '' } = row ?? {};
  return { goalMinor, goalTitle, showsWall, thankYouText, currency };
}

/** A new goal counts from now on; the same goal with another title continues. */
export async function updateDonationSettings(ctx: Ctx, input: UpdateDonationSettings): Promise<void> {
  const { creatorId } = requireCreator(ctx);
  const creator = authorize(ctx, 'creator.manage', await findCreator(ctx, creatorId));
  const { donationGoal: goalMinor, donationGoalTitle: goalTitle, showsWall, thankYouText } = input;
  await transact(ctx, async (tx) => {
    const before = await lookupSettings(tx, creatorId);
    const chosen = { goalMinor, goalTitle, showsWall, thankYouText };
    if (isSame(before, chosen)) return;
    const now = tx.now();
    const goalSince = goalMinor === null ? null : before?.goalMinor === goalMinor ? before.goalSince : now;
    const changes = { ...chosen, goalSince, updatedAt: now };
    const currency = await currencyOfDonations(tx, creator, before);
    await tx.db
      .insert(donationSettings)
      .values({ creatorId, currency, ...changes, createdAt: now })
      .onConflictDoUpdate({ target: donationSettings.creatorId, set: changes });
    await recordActivity(tx, { creatorId, action: 'donations.settings_changed' });
    await markCreatorChanged(tx, creatorId);
  });
}

type Chosen = Pick<SettingsRow, 'goalMinor' | 'goalTitle' | 'showsWall' | 'thankYouText'>;

const NOTHING: Chosen = { goalMinor: null, goalTitle: '', showsWall: false, thankYouText: '' };

function isSame(before: Chosen | null, chosen: Chosen): boolean {
  const stored = before ?? NOTHING;
  return (Object.keys(NOTHING) as (keyof Chosen)[]).every((name) => stored[name] === chosen[name]);
}
