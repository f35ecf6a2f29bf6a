import { urlsFromApp } from '~/app/features/site/public/page-data.server';
import type { Door } from '~/app/lib/doors.server';
import { translator } from '~/app/lib/texts.server';
import { formatDate } from '~/server/base/formats';
import { formatMoney } from '~/server/base/money';
import { coverUrls } from '~/server/domain/media/rules';

/** The current user's donations, the newest first. */
export async function myDonations(door: Door): Promise<DonationCard[]> {
  return (await door.api.donations.mine()).map((donation) => toDonationCard(door, donation));
}

type Donation = Awaited<ReturnType<Door['api']['donations']['mine']>>[number];
export type DonationCard = ReturnType<typeof toDonationCard>;

function toDonationCard({ context, request }: Pick<Door, 'context' | 'request'>, donation: Donation) {
  const { id, creator, state, currency, amountMinor, paidMinor, since, nextAt, every, confirmationUrl } = donation;
  const { language, locale } = context;
  const t = translator(language, 'donation');
  const money = (minor: number) => formatMoney({ minor, currency }, locale);
  const day = (at: Date) => formatDate(at, locale);
  const key = state === 'active' && !nextAt ? 'activeSince' : state;
  const facts = { amount: money(amountMinor), date: day(since), next: nextAt ? day(nextAt) : '' };
  return {
    id,
    name: creator.name,
    avatar: creator.avatarKey ? coverUrls(creator.avatarKey).webp[96] : null,
    url: urlsFromApp(context, request, creator.domain).creator,
    text: t(`mine.${key}`, facts),
    total: every && paidMinor > 0 ? t('mine.total', { total: money(paidMinor) }) : null,
    canStop: state !== 'once' && state !== 'ended',
    confirmationUrl,
    needsCard: state === 'overdue',
  };
}
