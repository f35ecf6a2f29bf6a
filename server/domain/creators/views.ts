import { pick } from '../../base/fields';
import type { Ctx } from '../../runtime/ctx';
import { type CoverUrls, coverUrls } from '../media/rules';
import type { CreatorRow } from './queries';
import { type Brand, brandOf } from './rules';
import { CREATOR_COLUMNS } from './schema';

/** The public view of a creator. */
export type CreatorView = {
  id: number;
  name: string;
  domain: string;
  avatar: CoverUrls | null;
  brand: Brand | null;
  about: { title: string; text: string } | null;
  callToAction: { title: string; text: string; button: { text: string; url: string } | null } | null;
  testimonials: CreatorRow['testimonials'];
  links: CreatorRow['links'];
  username: string | null;
  /** Whether the page has the newsletter form. */
  hasNewsletter: boolean;
  /** Whether people who sign up are asked if the creator may see when they last read. */
  tracksReaders: boolean;
  url: string;
  version: number;
};

export function toCreatorView(ctx: Pick<Ctx, 'urls'>, creator: CreatorRow): CreatorView {
  const { avatarKey, aboutTitle, aboutText } = creator;
  return {
    ...pick(creator, ['id', 'name', 'domain', 'version', 'testimonials', 'links']),
    avatar: avatarKey ? coverUrls(avatarKey) : null,
    brand: brandOf(creator),
    about: aboutText ? { title: aboutTitle ?? '', text: aboutText } : null,
    callToAction: callToActionOf(creator),
    username: creator.username || null,
    hasNewsletter: creator.showNewsletter,
    tracksReaders: creator.tracksReadersSince !== null,
    url: ctx.urls.creator(creator.domain),
  };
}

/** A button needs both a text and a link. */
function callToActionOf({ ctaTitle, ctaText, ctaButton, ctaUrl }: CreatorRow): CreatorView['callToAction'] {
  const button = ctaButton && ctaUrl ? { text: ctaButton, url: ctaUrl } : null;
  if (!ctaTitle && !ctaText && !button) return null;
  return { title: ctaTitle ?? '', text: ctaText ?? '', button };
}

const OWN_FIELDS = [
  ...CREATOR_COLUMNS,
  'id',
  'domain',
  'avatarKey',
  'version',
  'claimedAt',
] as const satisfies (keyof CreatorRow)[];

/** A creator page in the form that its owner edits. */
export type OwnCreatorView = Pick<CreatorRow, (typeof OWN_FIELDS)[number]>;

export function toOwnCreatorView(creator: CreatorRow): OwnCreatorView {
  return pick(creator, OWN_FIELDS);
}
