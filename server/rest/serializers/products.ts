import { z } from 'zod';
import { CURRENCIES, toDecimal } from '../../base/money';
import { KIND_NAMES } from '../../domain/products/kinds';
import type { ProductView, ProductWithAudience } from '../../domain/products/views';
import { type SerializerContext, serializer } from '../call';
import { pictureUrls } from './pictures';

const amount = z
  .string()
  .regex(/^\d+\.\d\d$/)
  .nullable();
const url = z.url();

/** Only a single product has the caller's private feed; lists of own products have no feeds. */
type Shown = ProductWithAudience & { privateFeedUrl?: string | null };

/**
 * The messages to subscribers, the number of subscribers and the feed's owner are null for everyone except the
 * product's owner.
 */
export const productOut = serializer(
  'Product',
  z.strictObject({
    id: z.int(),
    audio_type: z.enum(KIND_NAMES),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    cover: url,
    cover_webp: url,
    category: z.int(),
    language: z.string(),
    price: amount,
    annual_price: amount,
    currency: z.enum(CURRENCIES),
    plan_type: z.enum(['monthly', 'yearly', 'one_time', 'free']),
    content_type: z.enum(['recurring', 'single']),
    annual_saving_percent: z.int().nullable(),
    welcome_message: z.string().nullable(),
    subscriber_email_message: z.string().nullable(),
    public_rss_feed: url,
    private_rss_feed: url.nullable(),
    spotify_show_url: url.nullable(),
    author: z.string(),
    copyright: z.string(),
    funding_url: url.nullable(),
    funding_text: z.string(),
    owner_name: z.string().nullable(),
    owner_email: z.string().nullable(),
    explicit: z.boolean(),
    complete: z.boolean(),
    feed_length: z.int().nullable(),
    names_listener: z.boolean(),
    early_access_days: z.int(),
    drip_days: z.int(),
    insertion_free_for_subscribers: z.boolean(),
    benefits: z.array(z.string()),
    hide_subscribe_button: z.boolean(),
    episodes_count: z.int(),
    subscribers_count: z.int().nullable(),
    creator: z.strictObject({ id: z.int(), name: z.string(), domain: z.string(), avatar: url.nullable() }),
    public_url: url,
    is_subscribed: z.boolean(),
    subscription_status: z.enum(['subscribed', 'unsubscribed']),
    access_until: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  }),
  (product: Shown, ctx) => {
    const cover = pictureUrls(product.cover, ctx);
    return {
      id: product.id,
      audio_type: product.kind,
      name: product.name,
      slug: product.slug,
      description: product.description,
      cover: cover.jpg,
      cover_webp: cover.webp,
      category: product.category,
      language: product.language,
      price: decimal(product.priceMinor),
      annual_price: decimal(product.annualPriceMinor),
      currency: product.currency,
      plan_type: product.planType,
      content_type: product.contentType,
      annual_saving_percent: product.annualSavingPercent,
      hide_subscribe_button: product.hideSubscribeButton,
      episodes_count: product.episodesCount,
      ...urlFields(product, ctx),
      ...feedFields(product),
      private_rss_feed: product.privateFeedUrl ?? null,
      subscribers_count: product.subscribersCount,
      welcome_message: product.welcomeMessage,
      subscriber_email_message: product.subscriberEmailMessage,
      is_subscribed: product.isSubscribed,
      subscription_status: product.subscriptionStatus,
      access_until: product.accessUntil?.toISOString() ?? null,
      created_at: product.createdAt.toISOString(),
    };
  },
);

const decimal = (minor: number | null) => (minor === null ? null : toDecimal(minor));

function feedFields(product: ProductView) {
  return {
    spotify_show_url: product.spotifyShowUrl,
    author: product.author,
    copyright: product.copyright,
    funding_url: product.fundingUrl,
    funding_text: product.fundingText,
    owner_name: product.ownerName,
    owner_email: product.ownerEmail,
    explicit: product.explicit,
    complete: product.complete,
    feed_length: product.feedLength,
    names_listener: product.namesListener,
    early_access_days: product.earlyAccessDays,
    drip_days: product.dripDays,
    insertion_free_for_subscribers: product.insertionFreeSince !== null,
    benefits: product.benefits,
  };
}

function urlFields({ creator, slug }: ProductView, ctx: SerializerContext) {
  const { id, name, domain, avatar } = creator;
  return {
    creator: { id, name, domain, avatar: avatar && pictureUrls(avatar, ctx).jpg },
    public_url: ctx.urls.product(domain, slug),
    public_rss_feed: ctx.urls.feed(domain, slug),
  };
}
