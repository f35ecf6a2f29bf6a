import type { z } from 'zod';
import { SettingError } from './setting-error';
import { baseAddress, text } from './setting-types';

export const languageModelShape = {
  LLM_URL: baseAddress.optional(),
  LLM_MODEL: text.optional(),
  LLM_API_KEY: text.optional(),
};

/** The language model that makes suggestions. Null: none are offered. */
export type LanguageModelSettings = { url: string; key: string | null; model: string } | null;

type Values = z.infer<z.ZodObject<typeof languageModelShape>>;

export function languageModelSettings(values: Values): LanguageModelSettings {
  const { LLM_URL: url, LLM_MODEL: model, LLM_API_KEY: key } = values;
  if (!url) {
    // sent to nobody, the others are a mistake
    if (model || key) throw new SettingError('LLM_URL must be set, such as https://api.openai.com/v1');
    return null;
  }
  if (!model) throw new SettingError('LLM_MODEL must be set: the name of the model at LLM_URL');
  return { url, key: key ?? null, model };
}
