import type { TeamRole } from '~/db/schema/team';
import type { Language } from '~/locales/languages';
import type { SignUpReason } from '../domain/accounts/base/schema';
import type { BuyablePlan } from '../limits/plans';
import type { CoverMotif } from './pictures';

export type DemoEpisode = {
  name: string;
  description: string;
  seconds: number;
  /** Days before the seed; negative for scheduled episodes. */
  daysAgo: number;
  type?: 'public' | 'trailer' | 'private';
  season?: number;
  number?: number;
  /** Each gets a picture if `hasPictures`. */
  chapters?: { startMs: number; title: string; url?: string }[];
  hasPictures?: boolean;
  /** Published today, when its show has followers, who get an email. */
  isAnnounced?: boolean;
  /** Also gets a promo. */
  hasPromo?: boolean;
  state?: 'draft' | 'failed' | 'deleted';
  /** Somebody reported it, and an operator took it down. */
  isTakenDown?: boolean;
};
export type DemoProduct = {
  kind: 'podcast' | 'audio_series';
  name: string;
  slug: string;
  description: string;
  category: number;
  /** A language tag; shows may be in languages that our texts are not in. */
  language: string;
  cover: CoverMotif;
  /** Per month, or once for an audio series. Without: free. */
  price?: string;
  annualPrice?: string;
  paysWhatTheyWant?: boolean;
  trialDays?: number;
  /** Of new public episodes, for subscribers. */
  earlyAccessDays?: number;
  /** Between private episodes, for each listener. */
  dripDays?: number;
  /** In private feeds. */
  namesListener?: boolean;
  /** Episodes on a page of its public feed. */
  feedLength?: number;
  /** Hidden once its episodes are out. */
  isArchived?: boolean;
  /** Its episodes sound the same. */
  hasOneTune?: boolean;
  episodes: DemoEpisode[];
};
export type DemoPage = {
  name: string;
  domain: string;
  timeZone: string;
  /** Without: the start wizard still asks. */
  about?: { title: string; text: string };
  buttonColor?: string;
};
/** As in the form. `uses`: redemptions that were paid. */
export type DemoCoupon = {
  /** Of the show. */
  slug: string;
  couponCode: string;
  discountType: 'percentage' | 'flat';
  discount: string;
  duration?: 'once' | 'repeating' | 'lifetime';
  months?: number;
  redemptions?: number;
  uses?: number;
  isDisabled?: boolean;
};
/** What a listener buys at its price, and what follows: by the listener, or by the show's creator. */
export type DemoSale = {
  slug: string;
  interval?: 'month' | 'year' | 'once';
  daysAgo: number;
  coupon?: string;
  /** Where buyers choose what they pay. */
  amount?: string;
  card?: string;
  then?: 'cancel' | 'pause' | 'refund' | { refund: string };
};
export type DemoPerson = {
  /** May open the operators' pages, once she has a second factor. */
  isOperator?: boolean;
  name: string;
  email: string;
  country: string;
  language: Language;
  birthDate?: string;
  /** The answer to the start wizard's first question. */
  reason?: SignUpReason;
  /** As the import of a subscriber leaves an account: the first-login dialog asks for country and language. */
  isImported?: boolean;
  creator?: DemoPage;
  /** Of whose team the person is a member. */
  worksFor?: { owner: string; role: TeamRole };
  /** An invitation that nobody has answered. */
  invites?: { email: string; role: TeamRole };
  products: DemoProduct[];
  coupons?: DemoCoupon[];
  /** The plan that the creator pays for. */
  plan?: BuyablePlan;
  /** When the page was claimed; without: now. */
  claimedDaysAgo?: number;
  /** Downloads in podcast apps since the month began. */
  downloads?: number;
  /** The shows that they follow, by slug. They come after the shows' creators. */
  follows?: string[];
  buys?: DemoSale[];
  /** The creator connects a Stripe account of their own after those sales. */
  sellsOnOwnAccount?: boolean;
  buysOnOwnAccount?: DemoSale[];
  /** The paid shows that their creator lets them hear for free. */
  invitedTo?: string[];
};
