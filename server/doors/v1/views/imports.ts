import { z } from 'zod';
import { IMPORT_STATUSES } from '~/db/values/rss-import';
import type { ImportView, ItemView } from '../../../domain/rss-import/views';
import { plainView } from './plain-view';
import { instant } from './values';

export const importView = plainView<ImportView>('Import', {
  id: z.int(),
  status: z.enum(IMPORT_STATUSES),
  feedUrl: z.string(),
  sentTo: z.string().nullable(),
  proofCode: z.string(),
  productId: z.int().nullable(),
  failure: z.looseObject({ code: z.string() }).nullable(),
  progress: z.looseObject({ total: z.int(), done: z.int(), imported: z.int(), failed: z.int() }),
  expiresAt: instant,
  createdAt: instant,
  endedAt: instant.nullable(),
});

export const importItemView = plainView<ItemView>('ImportItem', {
  id: z.int(),
  name: z.string(),
  state: z.string(),
  reason: z.looseObject({ code: z.string() }).nullable(),
  retryAt: instant.nullable(),
  episodeId: z.int().nullable(),
  bytes: z.int(),
});
