import { z } from 'zod';
import type { ImportStatus } from '~/db/values/rss-import';
import type { CurrentImport } from '../../domain/accounts/base/queries';
import type { ConfirmationView, ImportView } from '../../domain/rss-import/views';
import { serializer } from '../call';

/** The names of legacy clients, which compare some of them with a capital letter. */
const FEED_STATUS = {
  awaiting_proof: 'validation_email_sent',
  confirmed: 'confirmed',
  in_progress: 'in_progress',
  imported: 'Imported',
  failed: 'Failed',
  cancelled: 'cancelled',
  expired: 'expired',
} as const satisfies Record<ImportStatus, string>;

/** `id`: the show's id, once the show exists. */
const feedData = z.strictObject({
  id: z.int().nullable(),
  title: z.string(),
  author: z.string(),
  cover: z.string().nullable(),
  episodes_count: z.int(),
});
export const importData = z.strictObject({
  id: z.int(),
  feed_status: z.enum(FEED_STATUS),
  rss_feed_data: feedData,
});

/** An entry of `rss_feed_import_data`. */
export function writeImport({ id, status, productId, title, author, cover, episodes }: CurrentImport) {
  const data = { id: productId, title, author, cover, episodes_count: episodes };
  return { id, feed_status: FEED_STATUS[status], rss_feed_data: data };
}

const flat = ({ id, status, productId, preview }: Pick<ImportView, 'id' | 'status' | 'productId' | 'preview'>) =>
  writeImport({ ...preview, id, status, productId });

export const requestedImportOut = serializer(
  'RequestedImport',
  importData.extend({ sent_to: z.string().nullable() }),
  (found: ImportView) => ({ ...flat(found), sent_to: found.sentTo }),
);

export const importOut = serializer('Import', importData, (found: ConfirmationView) => flat(found));

export const updatedOut = serializer(
  'Updated',
  z.strictObject({ updated: z.int() }),
  (result: { updated: number }) => result,
);
