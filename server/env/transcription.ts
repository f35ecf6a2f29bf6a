import type { z } from 'zod';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { baseAddress, flag, oneOf, text } from './setting-types';

export const transcriptionShape = {
  TRANSCRIBER: oneOf('openai', 'sandbox', 'none').optional(),
  TRANSCRIBER_URL: baseAddress.optional(),
  TRANSCRIBER_KEY: text.optional(),
  TRANSCRIBER_MODEL: text.optional(),
  TRANSCRIBER_TIMES: flag.default(true),
};
type TranscriptionValues = z.infer<z.ZodObject<typeof transcriptionShape & typeof processShape>>;

/** The engine that transcribes episodes. Null: creators can upload transcripts only. */
export type TranscriptionSettings =
  | { engine: 'openai'; url: string; key: string | null; model: string; isTimed: boolean }
  | { engine: 'sandbox' }
  | null;

const OPENAI_URL = 'https://api.openai.com/v1';

export function transcriptionSettings(values: TranscriptionValues): TranscriptionSettings {
  const engine = values.TRANSCRIBER ?? (isProduction(values) ? 'none' : 'sandbox');
  if (engine === 'none') return null;
  if (engine === 'sandbox') {
    if (isProduction(values) && !values.ALLOW_DEV_FALLBACKS)
      throw new SettingError('TRANSCRIBER must not be sandbox in production: it knows the demo episodes only');
    return { engine };
  }
  const { TRANSCRIBER_URL: url = OPENAI_URL, TRANSCRIBER_KEY: key = null, TRANSCRIBER_MODEL: model } = values;
  if (url === OPENAI_URL && key === null) throw new SettingError('TRANSCRIBER_KEY must be set for OpenAI');
  if (!model) throw new SettingError('TRANSCRIBER_MODEL must be set, such as whisper-1');
  return { engine, url, key, model, isTimed: values.TRANSCRIBER_TIMES };
}
