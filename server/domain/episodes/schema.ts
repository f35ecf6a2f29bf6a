import { z } from 'zod';
import { BATCH_ACTIONS, type BatchAction, EPISODE_STATUSES, EPISODE_TYPES, PERSON_ROLES } from '~/db/values/episodes';
import { fields, listFields, pick } from '../../base/fields';
import { DAYS, isTimeZone, parseClock } from '../../base/time';
import { AUDIO_FETCH_LIMITS, CHAPTER_LIMITS, EPISODE_LIMITS, SEARCH_LIMITS } from '../../limits/episodes';
import { PROMO_LIMITS } from '../../limits/media';
import {
  GLOSSARY_LIMITS,
  TRANSCRIPT_EDITING_LIMITS,
  TRANSCRIPT_LIMITS,
  TRANSCRIPT_SEARCH_LIMITS,
} from '../../limits/transcripts';
import { withoutEmptyLines } from '../../transcript/words';
import { KIND_NAMES } from '../products/kinds';
import { findProduct } from '../products/schema';
import { EPISODE_FLAGS, type EpisodeFlag, readRelease } from './rules';

const kind = fields.oneOf(KIND_NAMES);

const flag = fields.flag();
const flags = Object.fromEntries(EPISODE_FLAGS.map((name) => [name, flag])) as Record<EpisodeFlag, typeof flag>;

/** A host or guest (`podcast:person`). */
const person = z.strictObject({
  name: fields.line(EPISODE_LIMITS.personNameLength, 'episode.person_name_required'),
  role: fields.oneOf(PERSON_ROLES).default('guest'),
  url: fields.webAddress(EPISODE_LIMITS.personUrlLength, () => true, 'episode.person_url_invalid').default(null),
});

/** Every field that an owner can set, without defaults: the update schema makes all fields optional. */
const editable = z.strictObject({
  name: fields.line(EPISODE_LIMITS.nameLength, 'episode.name_required'),
  description: fields
    .text(EPISODE_LIMITS.descriptionLength, 'episode.description_required')
    .refine((text) => text !== '', { error: 'episode.description_required' }),
  privateNote: fields.text(EPISODE_LIMITS.noteLength),
  coverKey: fields.uploadKey().nullable(),
  /** Null: publish as soon as the audio has been checked. */
  releaseDate: fields.instant('episode.date_invalid').nullable(),
  /**
   * True keeps the episode on hold after its check, as a draft; false publishes or schedules an episode that is on
   * hold.
   */
  hold: fields.flag(),
  type: fields.oneOf(EPISODE_TYPES, 'episode.type_required'),
  sendEmail: fields.flag(),
  slug: fields.slug(EPISODE_LIMITS.slugLength),
  season: fields.whole(1, EPISODE_LIMITS.maxSeason).nullable(),
  number: fields.whole(1, EPISODE_LIMITS.maxNumber).nullable(),
  /** In the order of display. */
  people: z.array(person).max(EPISODE_LIMITS.people, { error: 'episode.too_many_people' }),
  ...flags,
  fileKey: fields.uploadKey('episode.file_required'),
});
const { shape } = editable;
const flagDefaults = Object.fromEntries(EPISODE_FLAGS.map((name) => [name, flag.default(false)]));

/** Where the audio is at another host, instead of an upload. The fetcher decides which addresses it may open. */
const audioUrl = fields.line(AUDIO_FETCH_LIMITS.urlLength, 'episode.audio_url_required').optional();
type Audio = { fileKey?: unknown; audioUrl?: unknown };
const hasBoth = ({ fileKey, audioUrl: url }: Audio) => fileKey !== undefined && url !== undefined;
/** Errors about the audio come together with those of other fields. */
const when = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;
const ONE_AUDIO = { error: 'episode.one_audio', path: ['audioUrl'], when };

/** For clients that know uploads alone. */
export const updateFromUpload = editable
  .partial()
  .extend({ id: fields.id(), kind: kind.optional(), promoKey: fields.uploadKey().optional() });

export const updateEpisode = updateFromUpload.extend({ audioUrl }).refine((input) => !hasBoth(input), ONE_AUDIO);

export const createFromUpload = z.object({
  kind: kind.optional(),
  productId: fields.id(),
  ...editable.partial().shape,
  ...pick(shape, ['name', 'description', 'fileKey']),
  privateNote: shape.privateNote.default(''),
  type: shape.type.default('public'),
  people: shape.people.default([]),
  hold: shape.hold.default(false),
  sendEmail: shape.sendEmail.default(true),
  ...(flagDefaults as Record<EpisodeFlag, z.ZodDefault<typeof flag>>),
});

export const createEpisode = createFromUpload
  .extend({ fileKey: shape.fileKey.optional(), audioUrl })
  .refine((input) => !hasBoth(input), ONE_AUDIO)
  .refine(({ fileKey, audioUrl: url }) => fileKey !== undefined || url !== undefined, {
    ...{ error: 'episode.file_required', path: ['fileKey'], when },
  });

/** The fields that are stored unchanged. */
export const EPISODE_COLUMNS = [
  'name',
  'slug',
  'privateNote',
  'type',
  'sendEmail',
  'season',
  'number',
  'people',
  ...EPISODE_FLAGS,
] as const satisfies (keyof typeof shape)[];

/**
 * A transcript's file, in base64. `editOf`: the file is the edited text of the transcript that was uploaded then, and
 * passages that did not change keep their times.
 */
export const uploadTranscript = z.object({
  id: fields.id(),
  kind: kind.optional(),
  fileName: fields.line(EPISODE_LIMITS.fileNameLength, 'transcript.required'),
  editOf: fields.instant().optional(),
  content: z
    .base64({ error: 'transcript.required' })
    .min(1, { error: 'transcript.required' })
    .max(Math.ceil(TRANSCRIPT_LIMITS.maxBytes / 3) * 4, { error: 'transcript.too_large' }),
});

export const findEpisode = z.object({ id: fields.id(), kind: kind.optional() });

const cueTime = z.number({ error: 'field.invalid' }).int().min(0).max(TRANSCRIPT_EDITING_LIMITS.latestMs);
const line = fields.line(TRANSCRIPT_LIMITS.speakerLength, 'field.invalid');
/** A passage of a transcript (`Cue`). */
const cue = z.strictObject({
  startMs: cueTime.nullable(),
  endMs: cueTime.nullable(),
  speaker: line.nullable(),
  text: fields
    .text(TRANSCRIPT_LIMITS.cueLength)
    .transform(withoutEmptyLines)
    .refine((text) => text !== '', { error: 'transcript.empty_passage' }),
  words: z
    .array(z.tuple([cueTime, cueTime]))
    .max(TRANSCRIPT_LIMITS.cueLength)
    .optional(),
  confidence: z.number().min(0).max(1).optional(),
});
const place = z.number({ error: 'field.invalid' }).int().min(0).max(TRANSCRIPT_LIMITS.cues);

/** Changed passages of the transcript that was stored at `editOf`, as `CueChange`. */
export const saveTranscript = findEpisode.extend({
  editOf: fields.instant(),
  changes: z
    .array(z.strictObject({ at: place, remove: place, cues: z.array(cue).max(TRANSCRIPT_EDITING_LIMITS.perChange) }))
    .min(1, { error: 'field.invalid' })
    .max(TRANSCRIPT_EDITING_LIMITS.changes, { error: 'field.invalid' }),
});
export const restoreTranscript = findEpisode.extend({ editOf: fields.instant() });
export type SaveTranscript = z.infer<typeof saveTranscript>;
export type RestoreTranscript = z.infer<typeof restoreTranscript>;

/** The glossary of a show. `editOf`: the version that the caller has read; null or empty if there was none. */
export const saveGlossary = findProduct.extend({
  lines: fields.lines(
    { items: GLOSSARY_LIMITS.entries, length: GLOSSARY_LIMITS.lineLength },
    { tooMany: 'glossary.over_limit', tooLong: 'glossary.line_too_long' },
  ),
  editOf: z.preprocess((value) => (value === '' ? null : value), fields.instant().nullable()),
});
export type SaveGlossary = z.infer<typeof saveGlossary>;

export const releaseEpisode = findEpisode.extend({ releaseDate: shape.releaseDate.optional() });

/** Milliseconds, or a clock time: `75`, `1:15`, `1:01:15.5`. */
const audioTime = z
  .union([z.number(), z.string()], { error: 'chapter.time_invalid' })
  .transform((value) => (typeof value === 'number' ? value : parseClock(value)))
  .pipe(z.number({ error: 'chapter.time_invalid' }).int().min(0).max(DAYS(7)));

const chapter = z.strictObject({
  startMs: audioTime,
  title: fields.line(CHAPTER_LIMITS.titleLength, 'chapter.title_required'),
  url: fields.webAddress(CHAPTER_LIMITS.urlLength, () => true, 'chapter.url_invalid').default(null),
  /** The key of an upload, or of an existing chapter picture of the episode. */
  imageKey: z
    .string({ error: 'field.upload_required' })
    .regex(/^[\w/-]{1,200}$/, { error: 'field.upload_required' })
    .nullable()
    .default(null),
});

/** All chapters of an episode, in any order. An empty list removes them. */
export const saveChapters = findEpisode.extend({
  chapters: z.array(chapter).max(CHAPTER_LIMITS.count, { error: 'chapter.over_limit' }),
});

/** What an assistant may change of an episode that is a draft or on hold. */
export const updateDraft = updateFromUpload
  .pick({ id: true, name: true, description: true })
  .extend({ chapters: saveChapters.shape.chapters.optional() });
export type UpdateDraft = z.infer<typeof updateDraft>;

/** A passage of the episode's audio, of at most the length of a promo. */
export const cutPromo = findEpisode
  .extend({ startMs: audioTime, endMs: audioTime })
  .refine(({ startMs, endMs }) => endMs > startMs, { error: 'promo.outside', path: ['endMs'] })
  .refine(({ startMs, endMs }) => endMs - startMs <= PROMO_LIMITS.longestMs, {
    error: 'promo.too_long',
    path: ['endMs'],
  });

/** Words in the transcripts of all shows of a creator. `part`: counts from 1. */
export const searchTranscripts = z.strictObject({
  words: fields.line(SEARCH_LIMITS.wordsLength, 'field.required'),
  part: fields.whole(1, TRANSCRIPT_SEARCH_LIMITS.parts).default(1),
});
export type SearchOwnTranscripts = z.infer<typeof searchTranscripts>;

export const searchNames = z.strictObject({ search: fields.line(SEARCH_LIMITS.wordsLength, 'field.required') });
export type SearchNames = z.infer<typeof searchNames>;

/**
 * The filters of lists. `draft` and `unpublished` are two parts of `on_hold`, named as in the studio: `draft` never had
 * a release time, `unpublished` had one.
 */
export const LIST_STATUSES = [...EPISODE_STATUSES, 'draft', 'unpublished'] as const;

export const listEpisodes = z.object({
  kind: kind.optional(),
  productId: fields.id(),
  type: fields.oneOf(EPISODE_TYPES).optional(),
  status: fields.oneOf(LIST_STATUSES).optional(),
  ...listFields,
  ordering: fields
    .oneOf(['release_date', '-release_date', 'name', '-name', 'number', '-number'], 'field.ordering_unknown')
    .default('-release_date'),
});

export const listDeleted = z.object({ kind: kind.optional(), productId: fields.id(), ...listFields });

/** Only these actions take all episodes of a product: they need one statement, and no job for each episode. */
const FOR_ALL: readonly BatchAction[] = ['private', 'public'];

export const changeEpisodes = z
  .object({
    kind: kind.optional(),
    productId: fields.id(),
    action: fields.oneOf(BATCH_ACTIONS),
    /** Undefined means all episodes of the product. */
    ids: z
      .array(fields.id())
      .min(1, { error: 'episode.none_selected' })
      .max(EPISODE_LIMITS.batch, { error: 'episode.too_many_selected' })
      .optional(),
  })
  .refine(({ ids, action }) => ids !== undefined || FOR_ALL.includes(action), {
    error: 'episode.none_selected',
    path: ['ids'],
  });

export const undoBatch = z.object({ batchId: z.uuid() });

/** The release time that a form chooses (`readRelease`), as `releaseDate`. */
export const releaseChoice = z
  .object({
    publish: fields.oneOf(['now', 'later', 'draft']).default('now'),
    releaseLocal: z.string().optional(),
    releaseMoment: z.string().optional(),
    timeZone: z.string().refine(isTimeZone, { error: 'field.invalid' }).default('UTC'),
  })
  .transform((choice, ctx) => {
    const release = readRelease(choice);
    if (!('problem' in release)) return release.at;
    ctx.addIssue({ code: 'custom', message: release.problem, path: ['releaseDate'] });
    return z.NEVER;
  });

export type CreateEpisode = z.infer<typeof createEpisode>;
export type UpdateEpisode = z.infer<typeof updateEpisode>;
export type CutPromo = z.infer<typeof cutPromo>;
export type SaveChapters = z.infer<typeof saveChapters>;
export type UploadTranscript = z.infer<typeof uploadTranscript>;
/** A month as `2026-11`; other texts mean the current month. */
export const findMonth = z.object({
  month: z
    .string()
    .regex(/^(?:19[7-9]|20\d|21\d)\d-(?:0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
});
export type FindMonth = z.infer<typeof findMonth>;
export type FindEpisode = z.infer<typeof findEpisode>;
export type ReleaseEpisode = z.infer<typeof releaseEpisode>;
export type ListEpisodes = z.infer<typeof listEpisodes>;
export type ListDeleted = z.infer<typeof listDeleted>;
export type ChangeEpisodes = z.infer<typeof changeEpisodes>;
export type UndoBatch = z.infer<typeof undoBatch>;
