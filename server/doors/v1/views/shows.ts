import { z } from 'zod';
import { CURRENCIES } from '../../../base/money';
import { KIND_NAMES } from '../../../domain/products/kinds';
import { PLAN_TYPES } from '../../../domain/products/rules';
import type { ProductView } from '../../../domain/products/views';
import { serializer } from '../../../rest/call';
import { copier } from '../../../rest/serializers/copied';
import { instant, pictureUrl, url } from './values';

const copied = copier([
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
  'planType',
  'trialDays',
  'paysWhatTheyWant',
  'benefits',
  'explicit',
  'complete',
  'author',
  'copyright',
  'fundingUrl',
  'fundingText',
  'isListed',
  'showsPlays',
  'earlyAccessDays',
  'dripDays',
  'welcomeMessage',
  'subscriberEmailMessage',
  'episodesCount',
] as const satisfies (keyof ProductView)[]);

const price = z.int().nullable();

export const showView = serializer(
  'Show',
  z.strictObject({
    id: z.int(),
    kind: z.enum(KIND_NAMES),
    name: z.string(),
    slug: z.string(),
    description: z.string(),
    category: z.int(),
    language: z.string(),
    cover_url: url,
    page_url: url,
    feed_url: url,
    price_minor: price,
    annual_price_minor: price,
    currency: z.enum(CURRENCIES),
    plan_type: z.enum(PLAN_TYPES),
    trial_days: z.int(),
    pays_what_they_want: z.boolean(),
    benefits: z.array(z.string()),
    explicit: z.boolean(),
    complete: z.boolean(),
    author: z.string(),
    copyright: z.string(),
    funding_url: url.nullable(),
    funding_text: z.string(),
    is_listed: z.boolean(),
    shows_plays: z.boolean(),
    early_access_days: z.int(),
    drip_days: z.int(),
    welcome_message: z.string().nullable(),
    subscriber_email_message: z.string().nullable(),
    episodes_count: z.int(),
    archived_at: instant.nullable(),
    created_at: instant,
  }),
  (show: ProductView, ctx) => ({
    cover_url: pictureUrl(show.cover, ctx),
    page_url: ctx.urls.product(show.creator.domain, show.slug),
    feed_url: ctx.urls.feed(show.creator.domain, show.slug),
    archived_at: show.archivedAt?.toISOString() ?? null,
    created_at: show.createdAt.toISOString(),
    ...copied(show),
  }),
);
