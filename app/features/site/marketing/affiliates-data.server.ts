import { data } from '@remix-run/node';
import { sitePageMetadata } from '~/app/features/site/blog/text-metadata.server';
import type { Door } from '~/app/lib/doors.server';
import { type Prefix, prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import { formatNumber, type Locale } from '~/server/base/formats';
import { CURRENCIES, formatMoney, formatShortMoney } from '~/server/base/money';
import { DAYS } from '~/server/base/time';
import { shareOf } from '~/server/domain/affiliates/rules';
import { AFFILIATE_LIMITS } from '~/server/limits/affiliates';
import { PAYOUT_LIMITS } from '~/server/limits/payouts';
import { PLANS, PLANS_FOR_SALE } from '~/server/limits/plans';
import { siteLinks, sitePagePath } from './site-links.server';
import { questionsData } from './software-data.server';

const QUESTIONS = ['first', 'start', 'refund', 'self', 'places', 'pages', 'data', 'payout', 'end'] as const;
const STEPS = ['link', 'visit', 'signUp', 'plan', 'payout'] as const;
const CURRENCY = CURRENCIES[0];

/** The numbers of the programme, as its texts state them. */
export const programmeNumbers = (locale: Locale) => ({
  share: formatNumber(AFFILIATE_LIMITS.shareBasisPoints / 10_000, locale, { style: 'percent' }),
  months: AFFILIATE_LIMITS.months,
  days: AFFILIATE_LIMITS.remembered / DAYS(1),
  pending: AFFILIATE_LIMITS.pending / DAYS(1),
  links: AFFILIATE_LIMITS.links,
  threshold: formatShortMoney({ minor: PAYOUT_LIMITS.thresholdMinor, currency: CURRENCY }, locale),
});

/** The rules of the affiliate programme, with what a creator on each plan brings. */
export async function affiliatesData(door: Door) {
  const { context, url } = door;
  const { language, locale } = context;
  const t = translator(language, 'affiliates');
  const numbers = programmeNumbers(locale);
  const money = (minor: number) => formatMoney({ minor, currency: CURRENCY }, locale);
  const questions = QUESTIONS.map((name) => ({
    name,
    question: t(`question.${name}`, numbers),
    answer: t(`answer.${name}`, numbers),
  }));
  const metadata = await sitePageMetadata(
    door,
    { title: t('title'), description: t('site.description', numbers), pathIn: programmePath },
    questionsData(questions),
  );
  const view = {
    ...{ metadata, numbers, questions, links: siteLinks(door), takesPayments: context.settings.takesPayments },
    steps: STEPS.map((name) => ({ name, text: t(`step.${name}`, numbers) })),
    studioPath: `${prefixOf(url.pathname)}/affiliates`,
    plans: examples().map(({ name, priceMinor, shareMinor }) => ({
      ...{ name, price: money(priceMinor), share: money(shareMinor) },
      total: money(shareMinor * AFFILIATE_LIMITS.months),
    })),
  };
  return data(view, { headers: { 'x-cache-tags': 'affiliates' } });
}

export type AffiliatesView = Omit<Awaited<ReturnType<typeof affiliatesData>>['data'], 'metadata'>;

/** The plans that can be bought, without VAT. */
const examples = () =>
  PLANS_FOR_SALE.flatMap((code) => {
    const { name, priceMinor } = PLANS[code];
    return priceMinor ? [{ name, priceMinor, shareMinor: shareOf({ amountMinor: priceMinor, vatMinor: 0 }) }] : [];
  });

/** The page of the rules, below the language of another page. */
export const programmePath = (prefix: Prefix): string => sitePagePath(prefix, 'affiliates');
