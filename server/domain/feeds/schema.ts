import { z } from 'zod';
import { fields } from '../../fields';
import { FEED_APP_NAMES } from './kinds';

export const findShow = z.object({ productId: fields.id() });
export const requestFollow = findShow.extend({ email: fields.email() });
export const followLink = z.object({ token: z.string().max(1000) });
export const replaceLink = findShow.extend({ app: fields.oneOf(FEED_APP_NAMES) });

export type FindShow = z.infer<typeof findShow>;
export type RequestFollow = z.infer<typeof requestFollow>;
export type FollowLink = z.infer<typeof followLink>;
export type ReplaceLink = z.infer<typeof replaceLink>;
