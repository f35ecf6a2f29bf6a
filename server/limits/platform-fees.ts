/** A part of each payment in basis points, and an amount in minor units. */
export type Rate = { basisPoints: number; fixedMinor: number };
/**
 * The fees of one kind of payment. `processing`: of the card; null if the platform pays it. `small`: the card's fee for
 * payments up to an amount, where it differs.
 */
export type PaymentFees = { platform: Rate; processing: Rate | null; small?: Rate & { upToMinor: number } };
/** What listeners pay for. */
export const PAYMENT_KINDS = ['subscriptions', 'donations', 'sales'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];
/** `asOf`: the month or the year in which the page stated the fees. */
export type FeeSource = { url: string; asOf: string };
export type Platform = {
  id: string;
  name: string;
  /** Null if the platform does not sell it, or if no source states its fees. */
  fees: Record<PaymentKind, PaymentFees | null>;
  monthlyMinor?: number;
  yearlyMinor?: number;
  perSubscriberMonthlyMinor?: number;
  /** The fees fall for subscribers who stay for longer than a year. */
  isFirstYear?: boolean;
  sources: FeeSource[];
};

const percent = (share: number): Rate => ({ basisPoints: Math.round(share * 100), fixedMinor: 0 });
/** The card's fee that the platforms below state: that of Stripe for cards of the United States. */
const CARD: Rate = { basisPoints: 290, fixedMinor: 30 };
const withCard = (share: number): PaymentFees => ({ platform: percent(share), processing: CARD });

/**
 * Other ways of selling a podcast, and their published fees for new creators, in US dollars. Each figure is from a page
 * that is named here: fees without such a page are left out, also where they may exist, such as those for payouts, for
 * other currencies and for purchases in apps.
 */
export const PLATFORMS: readonly Platform[] = [
  {
    id: 'patreon',
    name: 'Patreon',
    fees: {
      subscriptions: { ...withCard(10), small: { basisPoints: 500, fixedMinor: 10, upToMinor: 3_00 } },
      donations: null,
      sales: null,
    },
    sources: [
      {
        url: 'https://www.geeknative.com/173896/its-official-patreon-is-taking-a-bigger-cut-and-the-next-wave-of-rpg-creators-will-pay-the-price/',
        asOf: '2025-08',
      },
      { url: 'https://www.patreon.com/pricing', asOf: '2025-08' },
    ],
  },
  {
    id: 'substack',
    name: 'Substack',
    fees: { subscriptions: withCard(10.7), donations: null, sales: null },
    sources: [{ url: 'https://picktheplatform.com/guides/creator-platform-fees-compared', asOf: '2026-05' }],
  },
  {
    id: 'supercast',
    name: 'Supercast',
    fees: { subscriptions: withCard(0), donations: withCard(2), sales: null },
    perSubscriberMonthlyMinor: 59,
    sources: [
      {
        url: 'https://digiday.com/media/why-podcasters-are-selling-subscriptions-through-third-party-vendors',
        asOf: '2023-05',
      },
      { url: 'https://support.supercast.com/article/96-donations', asOf: '2025' },
    ],
  },
  {
    id: 'memberful',
    name: 'Memberful',
    fees: { subscriptions: withCard(4.9), donations: null, sales: null },
    monthlyMinor: 49_00,
    sources: [{ url: 'https://memberful.com/docs/manage-your-account/manage-your-account-in-live-mode', asOf: '2025' }],
  },
  {
    id: 'buymeacoffee',
    name: 'Buy Me a Coffee',
    fees: { subscriptions: withCard(5), donations: withCard(5), sales: withCard(5) },
    sources: [
      {
        url: 'https://help.buymeacoffee.com/en/articles/8105744-how-to-calculate-charges-on-your-payment',
        asOf: '2025',
      },
    ],
  },
  {
    id: 'kofi',
    name: 'Ko-fi',
    fees: { subscriptions: withCard(5), donations: withCard(0), sales: withCard(5) },
    sources: [
      { url: 'https://help.ko-fi.com/hc/en-us/articles/360013140633-Supporter-payments-FAQ', asOf: '2025' },
      { url: 'https://terms.law/ToS-Watchdog/crowdfunding/kofi', asOf: '2025' },
    ],
  },
  {
    id: 'apple',
    name: 'Apple Podcasts',
    fees: { subscriptions: { platform: percent(30), processing: null }, donations: null, sales: null },
    yearlyMinor: 19_99,
    isFirstYear: true,
    sources: [
      {
        url: 'http://www.insideradio.com/free/apple-to-flip-on-podcast-subscriptions-switch-next-week/article_fec56626-ca2e-11eb-bf3f-63404e1a7ec5.html',
        asOf: '2021-06',
      },
    ],
  },
];
