import { z } from 'zod';
import { fields } from '../../base/fields';
import { EPISODE_LIMITS } from '../../limits/episodes';
import { TRANSCRIPT_LIMITS } from '../../limits/transcripts';
import { KIND_NAMES } from '../products/kinds';
import { isLanguageCode } from '../reference/rules';

export const findTranscription = z.object({ id: fields.id(), kind: fields.oneOf(KIND_NAMES).optional() });
export type FindTranscription = z.infer<typeof findTranscription>;

export const startTranscription = findTranscription.extend({
  /** Null: the engine finds it. */
  language: z.preprocess(
    (value) => (value === '' || value === undefined ? null : value),
    z.string({ error: 'field.invalid' }).refine(isLanguageCode, { error: 'field.invalid' }).nullable(),
  ),
  /** Whether the result replaces the transcript that the episode has now. */
  replaces: fields.flag().default(false),
});
export type StartTranscription = z.infer<typeof startTranscription>;

export const startTiming = findTranscription.extend({
  /** A file or a text in base64; empty for the text of the stored transcript. */
  content: z
    .base64({ error: 'timing.text_missing' })
    .max(Math.ceil(TRANSCRIPT_LIMITS.maxBytes / 3) * 4, { error: 'transcript.too_large' })
    .default(''),
  fileName: fields.line(EPISODE_LIMITS.fileNameLength).default(''),
  language: z.string({ error: 'field.invalid' }).refine(isLanguageCode, { error: 'field.invalid' }),
});
export type StartTiming = z.infer<typeof startTiming>;

export const decideTranscription = findTranscription.extend({ takes: fields.flag() });
export type DecideTranscription = z.infer<typeof decideTranscription>;
