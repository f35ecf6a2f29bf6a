import { z } from 'zod';
import { EDITION_STATES } from '~/db/values/editions';
import type { EditionItem, EditionView } from '../../../domain/newsletter/list-editions';
import { plainView } from './plain-view';
import { instant, url } from './values';

const listed = {
  id: z.int(),
  title: z.string(),
  status: z.enum(EDITION_STATES),
  scheduledAt: instant.nullable(),
  startedAt: instant.nullable(),
  updatedAt: instant,
  recipients: z.int().nullable(),
};

export const editionItemView = plainView<EditionItem>('EditionItem', listed);

/** `revision`: what a change names, so that it overwrites nobody else's. */
export const editionView = plainView<EditionView>('Edition', {
  ...listed,
  slug: z.string().nullable(),
  preheader: z.string(),
  description: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  seoTitle: z.string(),
  seoDescription: z.string(),
  audience: z.strictObject({ group: z.string(), of: z.string().optional() }),
  isInArchive: z.boolean(),
  revision: z.int(),
  reach: z.int().nullable(),
  url: url.nullable(),
});

export const revisionView = plainView<{ revision: number }>('Revision', { revision: z.int() });
