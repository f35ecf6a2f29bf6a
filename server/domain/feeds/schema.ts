import { z } from 'zod';
import { fields, listFields } from '../../base/fields';
import { PRIVATE_FEED_LIMITS } from '../../limits/feeds';
import { FEED_APP_NAMES } from './kinds';

export const findShow = z.object({ productId: fields.id() });
/** Null means the one feed of all shows. */
export const findFeed = z.object({ productId: fields.id().nullable() });
export const requestFollow = findShow.extend({ email: fields.email() });
export const followLink = z.object({ token: z.string().max(1000) });
export const replaceLink = findFeed.extend({ app: fields.oneOf(FEED_APP_NAMES) });

/** Of the listener's own shows. Deeper pages would only make the database sort more. */
export const listHeardEpisodes = z.object({
  page: listFields.page.pipe(z.number().max(PRIVATE_FEED_LIMITS.pages, { error: 'field.invalid' })),
  search: listFields.search,
});

export type ListHeardEpisodes = z.infer<typeof listHeardEpisodes>;
export type FindShow = z.infer<typeof findShow>;
export type FindFeed = z.infer<typeof findFeed>;
export type RequestFollow = z.infer<typeof requestFollow>;
export type FollowLink = z.infer<typeof followLink>;
export type ReplaceLink = z.infer<typeof replaceLink>;
