import type { Ctx } from '../../ctx';
import { pick } from '../../fields';
import { type CoverUrls, coverUrls } from '../media/rules';
import type { CreatorRow } from './queries';
import { readableOn } from './rules';

/** A creator as everybody sees them. `brand.text` is readable on `brand.button`. */
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

export function toCreatorView(ctx: Pick<Ctx, 'urls'>, creator: CreatorRow): CreatorView {
  const { avatarKey, buttonColor, textColor, aboutTitle, aboutText } = creator;
  return {
    ...pick(creator, ['id', 'name', 'domain', 'version']),
    avatar: avatarKey ? coverUrls(avatarKey) : null,
    brand: buttonColor ? { button: buttonColor, text: readableOn(buttonColor, textColor) } : null,
    about: aboutText ? { title: aboutTitle ?? '', text: aboutText } : null,
    url: ctx.urls.creator(creator.domain),
  };
}

const OWN_FIELDS = [
  'id',
  'name',
  'domain',
  'timeZone',
  'buttonColor',
  'textColor',
  'aboutTitle',
  'aboutText',
  'avatarKey',
  'version',
  'claimedAt',
] as const satisfies (keyof CreatorRow)[];

/** A creator page as its owner edits it. */
export type OwnCreatorView = Pick<CreatorRow, (typeof OWN_FIELDS)[number]>;

export function toOwnCreatorView(creator: CreatorRow): OwnCreatorView {
  return pick(creator, OWN_FIELDS);
}
