import { eq } from 'drizzle-orm';
import { subscriptions } from '~/db/schema/billing';
import type { Language } from '~/locales/languages';
import { STOP_DONATION_PATH } from '../../base/account-paths';
import { AppError } from '../../base/errors';
import type { Currency } from '../../base/money';
import { languagePrefix } from '../../base/public-paths';
import { isUser, requireUser } from '../../policy/actor';
import { type Ctx, transact } from '../../runtime/ctx';
import { endQueued, queueEnds } from '../billing/subscriptions/end-subscriptions';
import { findCreatorRecord } from '../creators/queries';
import { readSignedToken, signToken } from '../notifications/signed-tokens';
import { donationNotFound, notMonthly, stopLinkInvalid } from './errors';
import { type DonationRow, findDonationRecord } from './queries';
import { stateOf } from './rules';
import type { FindDonation, StopLink } from './schema';

const SIGNED_FOR = 'stop a monthly donation';

/** A link that stops a monthly donation without a login. It never expires, because people open old emails. */
export function stopLink(
  ctx: Pick<Ctx, 'vault' | 'urls'>,
  { id }: Pick<DonationRow, 'id'>,
  language: Language,
): string {
  const token = signToken(ctx, String(id), SIGNED_FOR);
  return ctx.urls.app(`${languagePrefix(language)}${STOP_DONATION_PATH}?token=${token}`);
}

export type StoppableDonation = { creator: string; amountMinor: number; currency: Currency; isRunning: boolean };

/** The donation that a link would stop, without stopping it. @throws donation.stop_link_invalid */
export async function findStoppable(ctx: Ctx, input: StopLink): Promise<StoppableDonation> {
  const { donation, ...subscription } = await findDonationRecord(ctx, readLink(ctx, input));
  const { amountMinor, currency, creatorId } = donation;
  const { name } = await findCreatorRecord(ctx, creatorId);
  return { creator: name, amountMinor, currency, isRunning: stateOf(donation.every, subscription) !== 'ended' };
}

/**
 * Ends a monthly donation at once, without further charges. Repeating it is harmless. @throws
 * donation.stop_link_invalid
 */
export async function stopByLink(ctx: Ctx, input: StopLink): Promise<void> {
  await endDonation(ctx, readLink(ctx, input));
}

/** Stops a donation of the logged-in donor. @throws donation.not_found, donation.not_monthly */
export async function stopDonation(ctx: Ctx, { id }: FindDonation): Promise<void> {
  requireUser(ctx);
  const { donation } = await findDonationRecord(ctx, id);
  if (donation.userId === null || !isUser(ctx.actor, donation.userId)) throw donationNotFound();
  await endDonation(ctx, id);
}

/**
 * Stops further charges. The reason is committed with a job, so the donation ends even if the payment provider is down
 * now. @throws donation.not_monthly
 */
async function endDonation(ctx: Ctx, id: number): Promise<void> {
  const { donation, endedAt } = await findDonationRecord(ctx, id);
  const { subscriptionId } = donation;
  if (subscriptionId === null) throw notMonthly();
  if (endedAt) return;
  const isIt = eq(subscriptions.id, subscriptionId);
  await transact(ctx, (tx) => queueEnds(tx, isIt, { reason: 'subscriber', when: 'now' }));
  await endQueued(ctx, { subscriptionId, reason: 'subscriber', when: 'now' }).catch((error) => {
    if (!(error instanceof AppError)) throw error;
    ctx.log.warn({ err: error, donation: id }, 'a donation ends later');
  });
}

function readLink(ctx: Ctx, { token }: StopLink): number {
  const text = readSignedToken(ctx, token, SIGNED_FOR) ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw stopLinkInvalid();
  return Number(text);
}
