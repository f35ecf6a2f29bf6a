import type { Ctx } from '../../ctx';
import { LIMITS } from '../../limits';
import { creatorNotFound } from '../creators/errors';
import { type CreatorRow, lookupCreatorByDomain } from '../creators/queries';
import { readableOn } from '../creators/rules';
import { type CoverUrls, coverUrls } from '../media/rules';
import { listProductRows } from './queries';
import { type Product, shownProduct } from './showing';

/** A creator as visitors see one; the button's text colour is readable on its ground (UI.md, tokens). */
export type PublicCreator = {
  id: number;
  name: string;
  domain: string;
  avatar: CoverUrls | null;
  brand: { button: string; text: string } | null;
  about: { title: string; text: string } | null;
  url: string;
  version: number;
};

/** What was asked for stands at another address now, for good. */
export type Moved = { moved: { domain: string; slug?: string; episodeSlug?: string } };

export function shownCreator(ctx: Ctx, creator: CreatorRow): PublicCreator {
  const { id, name, domain, avatarKey, buttonColor, textColor, aboutTitle, aboutText, version } = creator;
  return {
    id,
    name,
    domain,
    avatar: avatarKey ? coverUrls(avatarKey) : null,
    brand: buttonColor ? { button: buttonColor, text: readableOn(buttonColor, textColor) } : null,
    about: aboutText ? { title: aboutTitle ?? '', text: aboutText } : null,
    url: ctx.urls.creator(domain),
    version,
  };
}

/** A creator's public page. @throws creator.not_found */
export async function creatorPage(
  ctx: Ctx,
  { domain }: { domain: string },
): Promise<Moved | { moved: null; creator: PublicCreator; products: Product[] }> {
  const creator = await lookupCreatorByDomain(ctx, domain);
  if (!creator) throw creatorNotFound();
  if (creator.domain !== domain) return { moved: { domain: creator.domain } };
  const { items } = await listProductRows(ctx, creator.id, {
    page: 1,
    pageSize: LIMITS.page.maxSize,
    ordering: '-created_at',
  });
  return { moved: null, creator: shownCreator(ctx, creator), products: items.map(shownProduct) };
}
