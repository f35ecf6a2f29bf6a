/** A part of each payment in basis points, and an amount in minor units. */
export type Rate = { basisPoints: number; fixedMinor: number };
/**
 * The fees of one kind of payment. `processing`: of the card. `small`: the card's fee for payments up to an amount, where
 * it differs.
 */
export type PaymentFees = { platform: Rate; processing: Rate; small?: Rate & { upToMinor: number } };
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
  sources: FeeSource[];
};

const percent = (share: number): Rate => ({ basisPoints: Math.round(share * 100), fixedMinor: 0 });
/** The card's fee that the platforms below state: that of Stripe for cards of the United States. */
const CARD: Rate = { basisPoints: 290, fixedMinor: 30 };
const withCard = (share: number): PaymentFees => ({ platform: percent(share), processing: CARD });

/**
 * Other ways of selling a podcast, and their published fees for new creators, in US dollars. Each figure is from a page
 * of the platform itself that is named here: fees and platforms without such a page are left out, also where they may
 * exist, such as those for payouts, for other currencies and for purchases in apps.
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
    sources: [{ url: 'https://www.patreon.com/pricing', asOf: '2025-08' }],
  },
  {
    id: 'substack',
    name: 'Substack',
    // with the card company's 0.5% for recurring payments
    fees: { subscriptions: withCard(10.5), donations: null, sales: null },
    sources: [
      {
        url: 'https://support.substack.com/hc/en-us/articles/18687769631252-How-can-readers-pay-for-a-subscription-on-my-Substack-publication',
        asOf: '2023-08',
      },
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
    sources: [{ url: 'https://help.ko-fi.com/hc/en-us/articles/360013140633-Supporter-payments-FAQ', asOf: '2025' }],
  },
];
