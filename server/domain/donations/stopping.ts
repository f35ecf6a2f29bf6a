import type { Language } from '~/locales/languages';
import type { Ctx } from '../../ctx';
import { AppError } from '../../errors';
import type { Currency } from '../../money';
import { isUser, requireUser } from '../../policy/actor';
import { languagePrefix, STOP_DONATION_PATH } from '../../public-paths';
import { syncSubscription } from '../billing/subscriptions';
import { readSignedToken, signToken } from '../notifications/signed-tokens';
import { donationNotFound, notMonthly, stopLinkInvalid } from './errors';
import { creatorOfDonation, type DonationRow, findDonationRecord } from './queries';
import type { FindDonation, StopLink } from './schema';

const SIGNED_FOR = 'stop a monthly donation';

/** Stops a monthly donation without a log-in. It never expires, because people open old emails. */
export function stopLink(
  ctx: Pick<Ctx, 'vault' | 'urls'>,
  { id }: Pick<DonationRow, 'id'>,
  language: Language,
): string {
  const token = signToken(ctx, String(id), SIGNED_FOR);
  return ctx.urls.app(`${languagePrefix(language)}${STOP_DONATION_PATH}?token=${token}`);
}

export type StoppableDonation = { creator: string; amountMinor: number; currency: Currency; isRunning: boolean };

/** What a link would stop, without stopping it. @throws donation.stop_link_invalid */
export async function findStoppable(ctx: Ctx, input: StopLink): Promise<StoppableDonation> {
  const { donation, endedAt } = await findDonationRecord(ctx, readLink(ctx, input));
  const { amountMinor, currency, creatorId } = donation;
  const { name } = await creatorOfDonation(ctx, creatorId);
  return { creator: name, amountMinor, currency, isRunning: endedAt === null };
}

/** Ends a monthly donation at once: nothing more is charged. Repeating it is harmless. @throws donation.stop_link_invalid */
export async function stopByLink(ctx: Ctx, input: StopLink): Promise<void> {
  await stop(ctx, readLink(ctx, input));
}

/** The same for the donor who is logged in. @throws donation.not_found, donation.not_monthly */
export async function stopDonation(ctx: Ctx, { id }: FindDonation): Promise<void> {
  requireUser(ctx);
  const { donation } = await findDonationRecord(ctx, id);
  if (donation.userId === null || !isUser(ctx.actor, donation.userId)) throw donationNotFound();
  await stop(ctx, id);
}

async function stop(ctx: Ctx, id: number): Promise<void> {
  const { subscription, endedAt } = await findDonationRecord(ctx, id);
  if (!subscription) throw notMonthly();
  if (endedAt) return;
  await ctx.ports.payments.cancel(subscription, 'now', `donation/${id}/stop`).catch(ignoreConflict);
  await syncSubscription(ctx, subscription);
}

/** It has ended meanwhile. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'payments.conflict')) throw error;
}

function readLink(ctx: Ctx, { token }: StopLink): number {
  const text = readSignedToken(ctx, token, SIGNED_FOR) ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw stopLinkInvalid();
  return Number(text);
}
