import type { Ctx } from '../../ctx';
import type { CreatorRow } from '../creators/queries';
import { readableOn } from '../creators/rules';
import { type CoverUrls, coverUrls } from '../media/rules';

/** A creator as visitors see one; the button's text colour is readable on its opened. */
export type CreatorView = {
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

export function toCreatorView(ctx: Ctx, creator: CreatorRow): CreatorView {
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
