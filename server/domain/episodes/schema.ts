import { z } from 'zod';
import { fields, listFields } from '../../fields';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { fromWallClock, isTimeZone } from '../../time';
import { KIND_NAMES } from '../products/kinds';

const kind = fields.oneOf(KIND_NAMES);
export const EPISODE_TYPES = ['public', 'trailer', 'private'] as const;
export const EPISODE_STATUSES = ['in_progress', 'failed', 'scheduled', 'published', 'on_hold'] as const;

const describing = {
  name: fields.line(EPISODE_LIMITS.nameLength, 'episode.name_required'),
  description: fields
    .text(EPISODE_LIMITS.descriptionLength, 'episode.description_required')
    .refine((text) => text !== '', { error: 'episode.description_required' }),
  privateNote: fields.text(EPISODE_LIMITS.noteLength),
  coverKey: fields.uploadKey(),
  releaseDate: fields.instant('episode.date_invalid'),
  type: fields.oneOf(EPISODE_TYPES, 'episode.type_required'),
  sendEmail: fields.flag(),
  slug: fields.slug(EPISODE_LIMITS.slugLength),
  season: fields.whole(1, 10_000),
  number: fields.whole(1, 100_000),
  explicit: fields.flag(),
};

export const createEpisode = z.object({
  kind,
  productId: fields.id(),
  ...describing,
  fileKey: fields.uploadKey('episode.file_required'),
  privateNote: describing.privateNote.default(''),
  coverKey: describing.coverKey.nullish(),
  /** Missing: as soon as the audio was checked. */
  releaseDate: describing.releaseDate.nullish(),
  type: describing.type.default('public'),
  sendEmail: describing.sendEmail.default(true),
  slug: describing.slug.optional(),
  season: describing.season.nullish(),
  number: describing.number.nullish(),
  explicit: describing.explicit.default(false),
});

export const updateEpisode = z.strictObject({
  id: fields.id(),
  kind,
  name: describing.name.optional(),
  description: describing.description.optional(),
  privateNote: describing.privateNote.optional(),
  coverKey: describing.coverKey.nullish(),
  fileKey: fields.uploadKey('episode.file_required').optional(),
  releaseDate: describing.releaseDate.nullish(),
  type: describing.type.optional(),
  sendEmail: describing.sendEmail.optional(),
  slug: describing.slug.optional(),
  season: describing.season.nullish(),
  number: describing.number.nullish(),
  explicit: describing.explicit.optional(),
});

export const findEpisode = z.object({ id: fields.id(), kind: kind.optional() });

export const releaseEpisode = findEpisode.extend({ releaseDate: describing.releaseDate.nullish() });

export const listEpisodes = z.object({
  kind: kind.optional(),
  productId: fields.id(),
  type: fields.oneOf(EPISODE_TYPES).optional(),
  status: fields.oneOf(EPISODE_STATUSES).optional(),
  ...listFields,
  ordering: fields
    .oneOf(['release_date', '-release_date', 'name', '-name', 'number', '-number'], 'field.ordering_unknown')
    .default('-release_date'),
});

/** What a form sends: 'now', or a wall-clock time with the zone it is meant in; becomes `releaseDate`. */
export const releaseChoice = z
  .object({
    publish: fields.oneOf(['now', 'later']).default('now'),
    releaseLocal: z.string().optional(),
    timeZone: z.string().refine(isTimeZone, { error: 'field.invalid' }).default('UTC'),
  })
  .transform(({ publish, releaseLocal, timeZone }, ctx) => {
    if (publish === 'now') return null;
    const local = releaseLocal ?? '';
    const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local) ? fromWallClock(local, timeZone) : null;
    if (!at || Number.isNaN(at.getTime())) {
      ctx.addIssue({ code: 'custom', message: 'episode.date_invalid', path: ['releaseDate'] });
      return z.NEVER;
    }
    return at;
  });

export type CreateEpisode = z.infer<typeof createEpisode>;
export type UpdateEpisode = z.infer<typeof updateEpisode>;
export type FindEpisode = z.infer<typeof findEpisode>;
export type ListEpisodes = z.infer<typeof listEpisodes>;
