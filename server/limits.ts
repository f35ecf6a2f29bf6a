import { DAYS, HOURS, MINUTES, SECONDS } from './time';

const MEGABYTES = 1_000_000;

/** Every number of spec §9 and of the product decisions that the product enforces: the form shows what the server checks. */
export const LIMITS = {
  account: { nameLength: 100, emailLength: 254, passwordMin: 8, passwordMax: 200, ageMin: 13 },
  session: { lifetime: DAYS(40), days: 40 },
  verification: { lifetime: DAYS(2) },
  creator: { nameLength: 20, ctaTextLength: 200, aboutTextLength: 500 },
  /** `former`: how many domains one creator may have given up, which nobody else can have. */
  domain: { min: 3, max: 30, former: 10 },
  product: { nameLength: 100, descriptionLength: 4000, slugLength: 60, messageLength: 2000 },
  episode: {
    nameLength: 200,
    descriptionLength: 10_000,
    noteLength: 2000,
    slugLength: 80,
    /** "In the past" allows this much slack: a form takes minutes to fill in. */
    pastSlack: MINUTES(5),
    /** The checker gives up on what is shorter than this. */
    shortestMs: 1000,
    checkOverdue: MINUTES(15),
    checkGivenUp: DAYS(1),
    releaseOverdue: MINUTES(1),
    recoveredAtOnce: 100,
  },
  audio: { maxBytes: 300 * 1024 * 1024 },
  cover: { maxBytes: 10 * MEGABYTES, recommendedPixels: 3000, minPixels: 300, maxPixels: 60_000_000 },
  /** Who used a ticket in its last moment gets `grace` to be done before its bytes go. */
  upload: { lifetime: DAYS(1), grace: HOURS(1), openTickets: 20 },
  /** Uploads and imports stop while the disk has less than this: Postgres does not come back by itself from a full one. */
  freeSpace: { reserve: 1000 * MEGABYTES },
  /** A store that says nothing for so long is given up: nobody waits for ever for bytes that don't come. */
  storage: { silence: SECONDS(20) },
  listen: { countedAfterSeconds: 60 },
  /** Plays and downloads that wait for one commit: so many at most, so many in one statement. */
  recorder: { capacity: 20_000, batch: 4000 },
  download: { countedAfterMs: MINUTES(1), rawKept: DAYS(90) },
  player: { jumpSeconds: 5, volumeSteps: 10, popUpJumpAfterSeconds: 2, titleScrollPixels: 160 },
  toast: { closesAfterMs: 5000 },
  page: { size: 20, maxSize: 100, latest: 5 },
  cache: { pageCeiling: MINUTES(1), bytes: 64 * MEGABYTES },
  /** Apple takes 4,000 bytes of a show's description and 10,000 of an episode's; the rest of the notes is content:encoded. */
  feed: {
    episodes: 10_000,
    showBytes: 4000,
    episodeBytes: 10_000,
    notesBytes: 100_000,
    /** Characters: of any value by PSP-1, of names, labels and podcast:txt by Podcasting 2.0. */
    length: { value: 255, name: 128, label: 32, txt: 4000 },
    soundbiteSeconds: { min: 15, max: 120 },
    /** Episodes that are read and written at once. */
    page: 500,
    /** A feed of more is kept in gzip only, and never stands in memory as a whole: about 1,500 episodes with long notes. */
    plainBytes: 4 * MEGABYTES,
  },
  /** What the reader of strangers' feeds takes in; what is beyond is named as lost. */
  feedImport: {
    bytes: 32 * MEGABYTES,
    tags: 1_500_000,
    depth: 64,
    attributes: 64,
    text: 5 * MEGABYTES,
    items: 20_000,
    list: 500,
    pages: 50,
  },
  trial: { days: 14, lifetime: DAYS(14) },
  payout: { thresholdMinor: 50_00 },
  donation: { minMinor: 1_00, maxMinor: 500_00 },
  promo: { maxSeconds: 30 },
  price: {
    monthly: { minMinor: 1_00, maxMinor: 500_00 },
    yearly: { minMinor: 10_00, maxMinor: 5_000_00 },
    oneTime: { minMinor: 1_00, maxMinor: 1_000_00 },
  },
  mail: { attempts: 6 },
  outbox: { kept: DAYS(30) },
  rate: {
    signIn: { points: 10, duration: MINUTES(10) },
    /** Log-ins of one account, from wherever they come. */
    signInAccount: { points: 20, duration: MINUTES(10) },
    register: { points: 20, duration: HOURS(1) },
    publicWrite: { points: 120, duration: MINUTES(1) },
  },
} as const;

/** Commission as parts of ten thousand of the gross, and a fixed part in minor units. */
type Commission = { basisPoints: number; fixedMinor: number };
export type PlanCode = 'FREE' | 'BASIC' | 'PRO' | 'PLUS' | 'ULTRA' | 'OLD_PRO_PLAN';
export type Feature = 'coupons' | 'insertions' | 'recommendations' | 'pausing' | 'transcription' | 'selling';
/** `null` in a limit means: without a limit here, agreed by contract or unlimited. */
export type Plan = {
  code: PlanCode;
  name: string;
  priceMinor: number | null;
  commission: Commission;
  limits: Record<
    | 'freeProducts'
    | 'paidProducts'
    | 'freeEpisodes'
    | 'subscribers'
    | 'plays'
    | 'paidSubscribers'
    | 'contacts'
    | 'mails',
    number | null
  > & { transcriptionMinutes: number };
  features: Feature[];
};

const FREE_COMMISSION = { basisPoints: 1000, fixedMinor: 30 };
const PAID_COMMISSION = { basisPoints: 300, fixedMinor: 30 };
const PAID_FEATURES: Feature[] = ['selling', 'coupons', 'insertions', 'recommendations', 'pausing'];
const UNLIMITED = { freeProducts: null, paidProducts: null, freeEpisodes: null };

const PRO: Plan = {
  code: 'PRO',
  name: 'Pro',
  priceMinor: 19_00,
  commission: PAID_COMMISSION,
  limits: {
    ...UNLIMITED,
    subscribers: 5000,
    plays: 50_000,
    paidSubscribers: 1000,
    contacts: 10_000,
    mails: 50_000,
    transcriptionMinutes: 120,
  },
  features: [...PAID_FEATURES, 'transcription'],
};

/** The plans of the product decisions; an operator changes them here. Prices are per month, the same figure in EUR and USD. */
export const PLANS: Record<PlanCode, Plan> = {
  FREE: {
    code: 'FREE',
    name: 'Free',
    priceMinor: 0,
    commission: FREE_COMMISSION,
    limits: {
      freeProducts: 1,
      paidProducts: 0,
      freeEpisodes: 10,
      subscribers: 1000,
      plays: 1000,
      paidSubscribers: 0,
      contacts: 500,
      mails: 500,
      transcriptionMinutes: 0,
    },
    features: [],
  },
  BASIC: {
    code: 'BASIC',
    name: 'Basic',
    priceMinor: 9_00,
    commission: PAID_COMMISSION,
    limits: {
      freeProducts: 1,
      paidProducts: 3,
      freeEpisodes: null,
      subscribers: 1000,
      plays: 10_000,
      paidSubscribers: 100,
      contacts: 1000,
      mails: 5000,
      transcriptionMinutes: 0,
    },
    features: PAID_FEATURES,
  },
  PRO,
  PLUS: {
    code: 'PLUS',
    name: 'Plus',
    priceMinor: 49_00,
    commission: PAID_COMMISSION,
    limits: {
      ...UNLIMITED,
      subscribers: 20_000,
      plays: 250_000,
      paidSubscribers: 5000,
      contacts: 50_000,
      mails: 250_000,
      transcriptionMinutes: 600,
    },
    features: [...PAID_FEATURES, 'transcription'],
  },
  ULTRA: {
    code: 'ULTRA',
    name: 'Ultra',
    priceMinor: null,
    commission: PAID_COMMISSION,
    limits: {
      ...UNLIMITED,
      subscribers: null,
      plays: null,
      paidSubscribers: null,
      contacts: null,
      mails: null,
      transcriptionMinutes: 600,
    },
    features: [...PAID_FEATURES, 'transcription'],
  },
  /** Kept for those who hold it; it can't be bought. */
  OLD_PRO_PLAN: { ...PRO, code: 'OLD_PRO_PLAN', name: 'Pro (old)', priceMinor: 9_00 },
};

export const PLANS_FOR_SALE: PlanCode[] = ['FREE', 'BASIC', 'PRO', 'PLUS', 'ULTRA'];
