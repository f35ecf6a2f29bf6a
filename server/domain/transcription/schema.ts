import { z } from 'zod';
import { fields } from '../../base/fields';
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

export const decideTranscription = findTranscription.extend({ takes: fields.flag() });
export type DecideTranscription = z.infer<typeof decideTranscription>;
