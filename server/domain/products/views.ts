import { annualSavingPercent } from '../../money';
import { type CoverUrls, coverUrls } from '../media/rules';
import { KINDS, type KindName } from './kinds';
import type { ProductRecord } from './queries';

/** A product as every door gives it away; addresses of pictures start at the root. */
export type ProductView = {
  id: number;
  kind: KindName;
  name: string;
  slug: string;
  description: string;
  cover: CoverUrls;
  category: number;
  language: string;
  priceMinor: number | null;
  annualPriceMinor: number | null;
  annualSavingPercent: number | null;
  currency: 'eur' | 'usd';
  planType: 'free' | 'monthly' | 'yearly' | 'one_time';
  contentType: 'recurring' | 'single';
  welcomeMessage: string;
  subscriberEmailMessage: string;
  hideSubscribeButton: boolean;
  explicit: boolean;
  episodesCount: number;
  version: number;
  creator: { id: number; name: string; domain: string; avatar: CoverUrls | null };
  createdAt: Date;
};

export function toProductView({ product, creator, episodesCount }: ProductRecord): ProductView {
  const { id, kind, name, slug, description, category, language, currency, version, createdAt } = product;
  const { priceMinor, annualPriceMinor, welcomeMessage, subscriberEmailMessage, hideSubscribeButton, explicit } =
    product;
  const paid = KINDS[kind].sale === 'subscription' ? 'monthly' : 'one_time';
  return {
    id,
    kind,
    name,
    slug,
    description,
    cover: coverUrls(product.coverKey),
    category,
    language,
    priceMinor,
    annualPriceMinor,
    annualSavingPercent: annualSavingPercent(priceMinor, annualPriceMinor),
    currency,
    planType: priceMinor === null ? 'free' : paid,
    contentType: KINDS[kind].contentType,
    welcomeMessage,
    subscriberEmailMessage,
    hideSubscribeButton,
    explicit,
    episodesCount,
    version,
    creator: {
      id: creator.id,
      name: creator.name,
      domain: creator.domain,
      avatar: creator.avatarKey ? coverUrls(creator.avatarKey) : null,
    },
    createdAt,
  };
}
