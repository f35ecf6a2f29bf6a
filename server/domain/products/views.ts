import type { TakeDown } from '~/db/values/take-downs';
import { pick } from '../../base/fields';
import { annualSavingPercent } from '../../base/money';
import { may } from '../../policy/authorize';
import type { Ctx } from '../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../media/rules';
import { KINDS } from './kinds';
import type { Audience, ProductRecord, ProductRow } from './queries';
import { type PlanType, planTypeOf } from './rules';

/** All users see these fields as stored. */
const PUBLIC_FIELDS = [
  'id',
  'kind',
  'name',
  'slug',
  'description',
  'category',
  'language',
  'priceMinor',
  'annualPriceMinor',
  'currency',
  'hideSubscribeButton',
  'paysWhatTheyWant',
  'trialDays',
  'benefits',
  'explicit',
  'complete',
  'feedLength',
  'namesListener',
  'earlyAccessDays',
  'dripDays',
  'insertionFreeSince',
  'author',
  'copyright',
  'fundingUrl',
  'fundingText',
  'spotifyShowUrl',
  'listings',
  'isListed',
  'showsPlays',
  'archivedAt',
  'version',
  'createdAt',
] as const satisfies (keyof ProductRow)[];

/** A product in the view of one actor, at every door. URLs of pictures are relative to the root. */
export type ProductView = Pick<ProductRow, (typeof PUBLIC_FIELDS)[number]> & {
  cover: CoverUrls;
  annualSavingPercent: number | null;
  isFree: boolean;
  planType: PlanType;
  contentType: 'recurring' | 'single';
  episodesCount: number;
  /** Without trailers, as public pages count them. */
  fullEpisodesCount: number;
  creator: { id: number; name: string; domain: string; avatar: CoverUrls | null };
} & OwnerFields;

/** Null for all users but the owner. */
type OwnerFields = {
  welcomeMessage: string | null;
  subscriberEmailMessage: string | null;
  /** The feed's owner (`itunes:owner`). The address is public in the feed once it is verified. */
  ownerName: string | null;
  ownerEmail: string | null;
  measurementPrefixes: string[] | null;
  isOwnerEmailVerified: boolean | null;
  /** Why an operator has taken the show down; null if it is not taken down. */
  takeDown: TakeDown | null;
  /** When the show began to wait for its last subscription to end, to become free. */
  freeConversionAt: Date | null;
};

/** Adds the caller's grants and, for the owner, the number of subscribers. */
export type ProductWithAudience = ProductView & {
  isSubscribed: boolean;
  /** `unsubscribed` users may still have access, until the paid time ends. */
  subscriptionStatus: 'subscribed' | 'unsubscribed';
  /** The end of access after an unsubscription. */
  accessUntil: Date | null;
  /** Null for all users but the owner. */
  subscribersCount: number | null;
};

/** @param audience undefined for visitors */
export function withAudience(
  ctx: Pick<Ctx, 'actor'>,
  { product }: ProductRecord,
  audience?: Audience,
): Omit<ProductWithAudience, keyof ProductView> {
  const isOwner = may(ctx, 'product.read', product);
  return {
    isSubscribed: audience?.isSubscribed ?? false,
    subscriptionStatus: audience?.renews ? 'subscribed' : 'unsubscribed',
    accessUntil: audience?.accessUntil && !audience.renews ? new Date(audience.accessUntil) : null,
    subscribersCount: isOwner ? (audience?.subscribersCount ?? 0) : null,
  };
}

export function toProductView(ctx: Pick<Ctx, 'actor'>, record: ProductRecord): ProductView {
  const { product, creator, episodesCount, fullEpisodesCount } = record;
  const { contentType } = KINDS[product.kind];
  return {
    cover: coverUrls(product.coverKey),
    annualSavingPercent: annualSavingPercent(product.priceMinor, product.annualPriceMinor),
    isFree: product.priceMinor === null,
    planType: planTypeOf(product.kind, product),
    contentType,
    episodesCount,
    fullEpisodesCount,
    creator: {
      ...pick(creator, ['id', 'name', 'domain']),
      avatar: creator.avatarKey ? coverUrls(creator.avatarKey) : null,
    },
    // last, because spreads before other fields take twenty times as long (decision 0119)
    ...ownerFields(product, may(ctx, 'product.read', product)),
    ...pick(product, PUBLIC_FIELDS),
  };
}

function ownerFields(product: ProductRow, isOwner: boolean): OwnerFields {
  if (!isOwner) return NOT_THE_OWNER;
  return {
    ...pick(product, [
      'welcomeMessage',
      'subscriberEmailMessage',
      'ownerName',
      'ownerEmail',
      'measurementPrefixes',
      'freeConversionAt',
      'takeDown',
    ]),
    isOwnerEmailVerified: product.ownerEmailVerifiedAt !== null,
  };
}

const NOT_THE_OWNER: OwnerFields = {
  welcomeMessage: null,
  subscriberEmailMessage: null,
  ownerName: null,
  ownerEmail: null,
  measurementPrefixes: null,
  isOwnerEmailVerified: null,
  freeConversionAt: null,
  takeDown: null,
};
