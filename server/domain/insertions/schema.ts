import { z } from 'zod';
import { EPISODE_SELECTIONS, PLACES, SLOT_RULES } from '~/db/values/insertions';
import { fields, listFields } from '../../base/fields';
import { DAYS, parseClock } from '../../base/time';
import { CAMPAIGN_LIMITS, CLIP_LIMITS, PASSAGE_LIMITS, POINT_LIMITS } from '../../limits/insertions';
import { CLIP_FILE_LIMITS } from '../../limits/media';
import { isCountry } from '../reference/rules';
import { type CampaignTerms, campaignProblems, effectiveTerms } from './rules';

// clips
/** A name that tells rows apart: a dash alone does not, an emoji does. */
const nameLine = (max: number, required: string) =>
  fields
    .line(max, required)
    .refine((name) => name === '' || /[\p{L}\p{N}\p{S}\p{Extended_Pictographic}]/u.test(name), { error: required });
const clipName = nameLine(CLIP_LIMITS.nameLength, 'clip.name_required');

/** Milliseconds, or a clock time: `75`, `1:15`, `1:01:15.5`. */
export const audioTime = z
  .union([z.number(), z.string()], { error: 'chapter.time_invalid' })
  .transform((value) => (typeof value === 'number' ? value : parseClock(value)))
  .pipe(z.number({ error: 'chapter.time_invalid' }).int().min(0).max(DAYS(7)));

export const listClips = z.object(listFields);
export const findClip = z.object({ id: fields.id() });
/** `isRecorded`: with the browser's microphone. */
export const createClip = z.object({
  name: clipName,
  clipKey: fields.uploadKey(),
  isRecorded: fields.flag().default(false),
});
/** A passage of an episode's audio. */
export const cutClip = z
  .object({ name: clipName, episodeId: fields.id(), startMs: audioTime, endMs: audioTime })
  .refine(({ startMs, endMs }) => endMs > startMs, { error: 'clip.outside', path: ['endMs'] })
  .refine(({ startMs, endMs }) => endMs - startMs <= CLIP_FILE_LIMITS.longestMs, {
    error: 'clip.too_long',
    path: ['endMs'],
  });
export const renameClip = findClip.extend({ name: clipName });

export type ListClips = z.infer<typeof listClips>;
export type FindClip = z.infer<typeof findClip>;
export type CreateClip = z.infer<typeof createClip>;
export type CutClip = z.infer<typeof cutClip>;
export type RenameClip = z.infer<typeof renameClip>;

// campaigns

/** Forms send empty strings for fields that users leave blank. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

/** A list, or its values with commas between them, as a form sends it. */
const list = <Schema extends z.ZodType>(schema: Schema, max: number) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    z.array(schema, { error: 'field.invalid' }).max(max, { error: 'campaign.too_many_values' }).default([]),
  );
const ids = (max: number) => list(fields.id(), max).transform((all) => [...new Set(all)]);

const country = z
  .string({ error: 'campaign.country_unknown' })
  .toUpperCase()
  .refine(isCountry, { error: 'campaign.country_unknown' });

/** The values of a campaign. Rules.ts says which of them apply together, as does `withRules` of a refused form. */
const campaignValues = {
  name: nameLine(CAMPAIGN_LIMITS.nameLength, 'campaign.name_required'),
  /** A draft needs a name only, and never plays. */
  isDraft: fields.flag().default(false),
  isActive: fields.flag().default(true),
  /** In the order in which they take turns. */
  clipIds: ids(CAMPAIGN_LIMITS.clips),
  place: optional(fields.oneOf(PLACES, 'campaign.position_required')),
  /** Of a mid-roll, from 1. */
  number: optional(fields.whole(1, CAMPAIGN_LIMITS.midRolls)),
  selection: fields.oneOf(EPISODE_SELECTIONS).default('all'),
  selectionDay: optional(fields.day()),
  episodeIds: ids(CAMPAIGN_LIMITS.episodes),
  /** In the creator's time zone, both included. */
  firstDay: optional(fields.day()),
  lastDay: optional(fields.day()),
  cap: optional(fields.whole(1, CAMPAIGN_LIMITS.cap, 'campaign.cap_invalid')),
  isPaced: fields.flag().default(false),
  inPublicFeed: fields.flag().default(true),
  inPrivateFeeds: fields.flag().default(true),
  inWebPlayer: fields.flag().default(true),
  /** ISO 3166 codes; empty for everywhere. */
  countries: list(country, CAMPAIGN_LIMITS.countries).transform((all) => [...new Set(all)].sort()),
  silenceBeforeMs: optional(fields.whole(0, CAMPAIGN_LIMITS.silenceMs)),
  silenceAfterMs: optional(fields.whole(0, CAMPAIGN_LIMITS.silenceMs)),
};

/** So that a form shows all its errors at once, a refused input is refused for what its other values lack, too. */
const withRules = <Schema extends z.ZodType<object>>(schema: Schema): Schema =>
  schema.superRefine(
    (values, { issues, addIssue }) => {
      const refused = new Set(issues.map(({ path }) => String(path?.[0])));
      const facts = { today: '', used: 0, formerLastDay: null };
      for (const { code, field } of campaignProblems(termsOf(values, refused), facts))
        if (field && !refused.has(field)) addIssue({ code: 'custom', message: code, path: [field] });
    },
    { when: ({ issues }) => issues.length > 0 },
  );

/** What a refused field lacks is not known: it is taken for complete. */
const COMPLETE = { firstDay: '0001-01-01', lastDay: '9999-12-31', cap: 1, selectionDay: '0001-01-01' };

function termsOf(input: Partial<CampaignTerms>, refused: ReadonlySet<string>): CampaignTerms {
  const valid = (values: object) =>
    Object.entries(values).filter(([name, value]) => value !== undefined && !refused.has(name));
  const complete = Object.entries(COMPLETE).filter(([name]) => refused.has(name));
  const terms: CampaignTerms = {
    ...{
      kind: 'campaign',
      place: null,
      number: 1,
      selection: 'all',
      selectionDay: null,
      firstDay: null,
      lastDay: null,
    },
    ...{ cap: null, isPaced: false, isDraft: false, clipIds: [], episodeIds: [] },
    ...{ inPublicFeed: true, inPrivateFeeds: true, inWebPlayer: true },
    ...Object.fromEntries([...valid(input), ...complete]),
  };
  // an edited fallback does not say that it is one
  const kind = input.kind === undefined && terms.firstDay === null ? 'fallback' : terms.kind;
  return effectiveTerms({ ...terms, kind });
}

export const createCampaign = withRules(
  z.object({
    ...campaignValues,
    productId: fields.id(),
    /** A fallback plays where neither a campaign nor a promo does, without days and a cap. */
    kind: fields.oneOf(['campaign', 'fallback']).default('campaign'),
  }),
);
export const editCampaign = withRules(z.object({ ...campaignValues, id: fields.id() }));
export const findCampaign = z.object({ id: fields.id() });
export const switchCampaign = z.object({ id: fields.id(), isActive: fields.flag() });
export const moveCampaign = z.object({ id: fields.id(), direction: fields.oneOf(['up', 'down']) });
export const campaignReach = z.object({ productId: fields.id(), countries: campaignValues.countries });
/** Whether subscribers of a show are promised that they hear no insertions. */
export const promiseNoInsertions = z.object({ productId: fields.id(), isPromised: fields.flag() });
/** Without a show, the campaigns of all shows. */
export const listCampaigns = z.object({ ...listFields, productId: optional(fields.id()) });

export type CreateCampaign = z.infer<typeof createCampaign>;
export type EditCampaign = z.infer<typeof editCampaign>;
export type FindCampaign = z.infer<typeof findCampaign>;
export type SwitchCampaign = z.infer<typeof switchCampaign>;
export type MoveCampaign = z.infer<typeof moveCampaign>;
export type CampaignReach = z.infer<typeof campaignReach>;
export type PromiseNoInsertions = z.infer<typeof promiseNoInsertions>;
export type ListCampaigns = z.infer<typeof listCampaigns>;

// points
export const findPlaces = z.object({ id: fields.id() });
/** All mid-rolls of an episode, in any order. An empty list removes them. */
export const savePoints = findPlaces.extend({
  points: z.array(audioTime).max(POINT_LIMITS.perEpisode, { error: 'point.over_limit' }),
});
export const findSlots = z.object({ productId: fields.id() });
export const saveSlots = findSlots.extend({ rules: z.array(fields.oneOf(SLOT_RULES)).max(SLOT_RULES.length) });
/** The episodes without a mid-roll of this number. */
export const listToReview = z.object({
  productId: fields.id(),
  number: fields.whole(1, POINT_LIMITS.perEpisode).default(1),
  /** The last episode of the page before. */
  after: optional(fields.id()),
  pageSize: listFields.pageSize,
});
/** A clip in an episode, before the creator hears how it sounds there. */
export const prepareSound = findPlaces.extend({ clipId: fields.id() });

// passages
const passage = { fromMs: audioTime, toMs: audioTime, clipId: fields.id().nullable().default(null) };
const isForward = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => toMs - fromMs >= PASSAGE_LIMITS.shortestMs;
export const replacePassage = findPlaces
  .extend(passage)
  .refine(isForward, { error: 'passage.too_short', path: ['toMs'] });
/** The same passage of several episodes of a show, such as the first half minute of all of them. */
export const replacePassages = z
  .object({
    productId: fields.id(),
    episodeIds: z
      .array(fields.id())
      .min(1, { error: 'passage.episodes_required' })
      .max(PASSAGE_LIMITS.atOnce, { error: 'passage.episodes_over_limit' }),
    ...passage,
  })
  .refine(isForward, { error: 'passage.too_short', path: ['toMs'] });
/** Undoes replacements. */
export const restorePassage = z.object({ id: fields.id() });

export type FindPlaces = z.infer<typeof findPlaces>;
export type SavePoints = z.infer<typeof savePoints>;
export type FindSlots = z.infer<typeof findSlots>;
export type SaveSlots = z.infer<typeof saveSlots>;
export type ListToReview = z.infer<typeof listToReview>;
export type PrepareSound = z.infer<typeof prepareSound>;
export type ReplacePassage = z.infer<typeof replacePassage>;
export type ReplacePassages = z.infer<typeof replacePassages>;
export type RestorePassage = z.infer<typeof restorePassage>;
