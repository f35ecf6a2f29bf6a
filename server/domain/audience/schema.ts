import { z } from 'zod';
import { fields } from '../../base/fields';
import { ADDRESS_LIMITS } from '../../limits/addresses';

export const joinNewsletter = z.object({
  domain: z.string().max(ADDRESS_LIMITS.domainLength),
  email: fields.email(),
});

export const emailLink = z.object({ token: z.string().max(1000) });

export type JoinNewsletter = z.infer<typeof joinNewsletter>;
export type EmailLink = z.infer<typeof emailLink>;
