import type { Language } from '~/locales/languages';
import type { SignUpReason } from '../domain/accounts/base/schema';
import type { BuyablePlan } from '../limits/plans';
import type { TeamRole } from '../policy/roles';
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
  /** Each chapter gets a picture if `hasPictures`. */
  chapters?: { startMs: number; title: string; url?: string }[];
  hasPictures?: boolean;
  /** Published today, when its show has followers, so they get an email. */
  isAnnounced?: boolean;
  /** Has words, which the local engine knows, in place of a tune. */
  speech?: 'en' | 'es' | 'lesson';
  soundbites?: { title: string; startMs: number; endMs: number }[];
  /** The engine has written them down; its creator pays for a plan with minutes. */
  isTranscribed?: boolean;
  /** Its words as an engine heard them, some of them wrong: the editor shows what needs a look. */
  needsLook?: boolean;
  /** Its script was compared with the sound: one sentence of it is not said. */
  isTimed?: boolean;
  /** Also gets a promo. */
  hasPromo?: boolean;
  state?: 'draft' | 'failed' | 'deleted';
  /** A listener reported the episode, and an operator took it down. */
  isTakenDown?: boolean;
};
export type DemoProduct = {
  kind: 'podcast' | 'audio_series';
  name: string;
  slug: string;
  description: string;
  category: number;
  /** A language tag; shows may have languages that our texts don't have. */
  language: string;
  cover: CoverMotif;
  /** Per month, or once for an audio series. The show is free without a price. */
  price?: string;
  annualPrice?: string;
  paysWhatTheyWant?: boolean;
  trialDays?: number;
  /** What buyers get. */
  benefits?: string[];
  /** How long new public episodes are for subscribers only. */
  earlyAccessDays?: number;
  /** Days between private episodes, for each listener. */
  dripDays?: number;
  /** Whether private feeds name the listener. */
  namesListener?: boolean;
  /** Episodes on a page of its public feed. */
  feedLength?: number;
  /** Archived once its episodes are published. */
  isArchived?: boolean;
  /** What Spotify has answered about it; its creator has an account there. */
  onSpotify?: 'approved' | 'in_review' | 'rejected';
  /** All of its episodes have the same sound. */
  hasOneTune?: boolean;
  episodes: DemoEpisode[];
};
export type DemoPage = {
  name: string;
  domain: string;
  timeZone: string;
  /** Without it, the start wizard still asks. */
  about?: { title: string; text: string };
  buttonColor?: string;
  showNewsletter?: boolean;
};
/** A coupon as its form has it. `uses`: number of paid redemptions. */
export type DemoCoupon = {
  /** The slug of the show. */
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
/** A purchase of a listener at the show's price, and what the listener or the show's creator does afterwards. */
export type DemoSale = {
  slug: string;
  interval?: 'month' | 'year' | 'once';
  daysAgo: number;
  coupon?: string;
  /** Set if buyers choose the price. */
  amount?: string;
  card?: string;
  then?: 'cancel' | 'pause' | 'refund' | { refund: string };
};
export type DemoPerson = {
  /** May open the operators' pages once she has set up a second factor. */
  isOperator?: boolean;
  name: string;
  email: string;
  country: string;
  language: Language;
  birthDate?: string;
  /** The answer to the start wizard's first question. */
  reason?: SignUpReason;
  /** The account is as an import of subscribers creates it: the first-login dialog asks for country and language. */
  isImported?: boolean;
  creator?: DemoPage;
  /** The team of which the person is a member. */
  worksFor?: { owner: string; role: TeamRole };
  /** A pending invitation. */
  invites?: { email: string; role: TeamRole };
  products: DemoProduct[];
  coupons?: DemoCoupon[];
  /** The address of the affiliate whose link has brought the creator. */
  broughtBy?: string;
  /** The plan that the creator pays for. */
  plan?: BuyablePlan;
  /** Days since the page was claimed; 0 if not given. */
  claimedDaysAgo?: number;
  /** Downloads in podcast apps since the month began. */
  downloads?: number;
  /** Downloads that were removed last week, because their app turned out to be a machine. */
  removedDownloads?: number;
  /** Where the person stopped in episodes, the last one first; null after the end. */
  heard?: { show: string; episode: string; seconds: number | null }[];
  /** The name of an account at the local Spotify, which is linked. */
  spotifyAccount?: string;
  /** Slugs of the shows that the person follows. Followers come after the shows' creators in the list. */
  follows?: string[];
  buys?: DemoSale[];
  /** The creator connects a Stripe account of their own after these sales. */
  sellsOnOwnAccount?: boolean;
  buysOnOwnAccount?: DemoSale[];
  /** The paid shows that the person may hear for free, by invitation of the creator. */
  invitedTo?: string[];
};
