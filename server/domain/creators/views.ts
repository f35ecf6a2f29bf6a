import type { Ctx } from '../../ctx';
import { type CoverUrls, coverUrls } from '../media/rules';
import type { CreatorRow } from './queries';
import { readableOn } from './rules';

/** A creator as visitors see them. `brand.text` is readable on `brand.button`. */
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
