import { z } from 'zod';
import { chosenSize, fields } from '../../base/fields';
import { IMPORT_LIMITS } from '../../limits/rss-import';

/** The fetcher decides which addresses it may open. */
const url = fields.line(IMPORT_LIMITS.urlLength, 'import.url_required');

export const previewFeed = z.strictObject({ url });

/**
 * `proof`: by a link to the feed's owner, or by a code that the creator puts into the feed. `follow`: also import new
 * and changed episodes later. `isPrivate`: only subscribers get the episodes, also the later ones.
 */
export const requestImport = z.strictObject({
  url,
  proof: z.enum(['email', 'feed']).default('email'),
  follow: fields.flag().default(false),
  isPrivate: fields.flag().default(false),
});

export const findImport = z.strictObject({ id: fields.id() });

export const listItems = z.strictObject({
  id: fields.id(),
  page: z.coerce.number().int().min(1).max(10_000).catch(1).default(1),
  pageSize: chosenSize,
});

export const findOldFeed = z.strictObject({ productId: fields.id() });
export const followOldFeed = findOldFeed.extend({ follows: fields.flag() });

/** Longer tokens are as unknown as others. */
export const openShowPreview = z.strictObject({ token: z.string().max(200, { error: 'import.preview_expired' }) });

const token = z.string().max(200, { error: 'import.link_expired' });
export const importLink = z.strictObject({ token });
export const answerImport = z.strictObject({
  token,
  action: z.enum(['confirm', 'cancel'], { error: 'field.invalid' }),
});

export type FindOldFeed = z.infer<typeof findOldFeed>;
export type FollowOldFeed = z.infer<typeof followOldFeed>;
export type OpenShowPreview = z.infer<typeof openShowPreview>;
export type PreviewFeed = z.infer<typeof previewFeed>;
export type RequestImport = z.infer<typeof requestImport>;
export type FindImport = z.infer<typeof findImport>;
export type ListItems = z.infer<typeof listItems>;
export type ImportLink = z.infer<typeof importLink>;
export type AnswerImport = z.infer<typeof answerImport>;
