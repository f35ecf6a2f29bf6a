import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { CURRENCIES } from '../../base/money';
import { DONATION_LIMITS, DONATION_TEXTS, GOAL_LIMITS } from '../../limits/donations';
import { RHYTHMS } from './rules';

const within =
  ({ minMinor, maxMinor }: { minMinor: number; maxMinor: number }) =>
  (minor: number) =>
    minor >= minMinor && minor <= maxMinor;

const amount = fields.amount().refine(within(DONATION_LIMITS), { error: 'donation.amount_out_of_range' });

/** These characters reverse the text around them, also in the subject of an email or in a table. */
const DIRECTION_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;
const withoutOverrides = (text: string) => text.replace(DIRECTION_OVERRIDES, '').trim();

export const findPage = z.object({
  creatorId: fields.id(),
  /** The checkout of a donation that was just paid. */
  checkout: z.uuid().optional().catch(undefined),
});

export const giveDonation = z.object({
  creatorId: fields.id(),
  amount,
  /** The currency that the page showed. */
  currency: fields.oneOf(CURRENCIES),
  every: fields.oneOf(RHYTHMS),
  name: fields.optionalLine(DONATION_TEXTS.name).transform(withoutOverrides).default(''),
  message: fields.text(DONATION_TEXTS.message).transform(withoutOverrides).default(''),
  isAnonymous: fields.flag().default(false),
  /** Keeps the card of a single donation; a monthly one keeps its card anyway. */
  saveCard: fields.flag().optional(),
  /** The address of a guest: any valid address. */
  email: z.preprocess((value) => (value === '' ? undefined : value), fields.email().optional()),
});

export const listDonations = z.object({ ...listFields, every: fields.oneOf(RHYTHMS).optional() });
/** `creatorId`: the creator whose page lists the donations. */
export const findDonations = listDonations.extend({ creatorId: fields.id() });

export const exportDonations = z.object({ creatorId: fields.id(), after: z.number().int().nonnegative().optional() });

export const findDonation = z.object({ id: fields.id() });
export const hideDonation = z.object({ id: fields.id(), isHidden: fields.flag() });
export const stopLink = z.object({ token: z.string().max(1000) });

const goal = z.preprocess(
  (value) => (value === '' || value === null || value === undefined ? null : value),
  fields.amount().refine(within(GOAL_LIMITS), { error: 'donation.goal_out_of_range' }).nullable(),
);

/** Fields of the creator page's form, besides its switch and its text. */
export const updateDonationSettings = z.object({
  donationGoal: goal.default(null),
  donationGoalTitle: fields.optionalLine(DONATION_TEXTS.goalTitle).default(''),
  showsWall: fields.flag().default(false),
  thankYouText: fields.text(DONATION_TEXTS.thankYou).default(''),
});

export type FindPage = z.infer<typeof findPage>;
export type GiveDonation = z.infer<typeof giveDonation>;
export type FindDonations = z.infer<typeof findDonations>;
export type ExportDonations = z.infer<typeof exportDonations>;
export type FindDonation = z.infer<typeof findDonation>;
export type HideDonation = z.infer<typeof hideDonation>;
export type StopLink = z.infer<typeof stopLink>;
export type UpdateDonationSettings = z.infer<typeof updateDonationSettings>;
