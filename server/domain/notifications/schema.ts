import { z } from 'zod';
import { fields } from '../../base/fields';

const shortText = z.string({ error: 'notification.link_invalid' }).max(1000, { error: 'notification.link_invalid' });

/** The token of the link, or its parts, which some legacy clients send. */
export const unsubscribe = z.object({
  token: shortText.optional(),
  email: shortText.optional(),
  productId: fields.id().optional(),
  signature: shortText.optional(),
});

export type Unsubscribe = z.infer<typeof unsubscribe>;
