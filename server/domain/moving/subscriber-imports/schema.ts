import { z } from 'zod';
import { fields } from '../../../base/fields';
import { SUBSCRIBER_IMPORT_LIMITS } from '../../../limits/moving';
import { findProduct } from '../../products/schema';

export const requestSubscriberImport = findProduct.extend({
  subscribersKey: fields.line(SUBSCRIBER_IMPORT_LIMITS.keyLength, 'subscriber_import.file_required'),
});
export const findSubscriberImport = z.object({ id: fields.id() });
export const confirmSubscriberImport = findSubscriberImport.extend({
  /** The creator's statement that the former host no longer charges subscribers. */
  stopped: fields.flag().default(false),
  welcome: fields.flag().default(false),
});
/** The skipped lines, in parts of a file. */
export const exportLines = findSubscriberImport.extend({ after: fields.whole(0, Number.MAX_SAFE_INTEGER).default(0) });

/** `after`: the last hash of the previous part. */
export const exportOldFeeds = findProduct.extend({
  after: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'field.invalid' })
    .optional(),
});

export type ExportOldFeeds = z.infer<typeof exportOldFeeds>;
export type RequestSubscriberImport = z.infer<typeof requestSubscriberImport>;
export type FindSubscriberImport = z.infer<typeof findSubscriberImport>;
export type ConfirmSubscriberImport = z.infer<typeof confirmSubscriberImport>;
export type ExportLines = z.infer<typeof exportLines>;
