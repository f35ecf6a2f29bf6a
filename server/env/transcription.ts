import fs from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { baseAddress, flag, list, oneOf, text, wholeNumber } from './setting-types';

export const transcriptionShape = {
  TRANSCRIBER: oneOf('openai', 'deepgram', 'assemblyai', 'local', 'sandbox', 'none').optional(),
  TRANSCRIBER_URL: baseAddress.optional(),
  TRANSCRIBER_KEY: text.optional(),
  TRANSCRIBER_MODEL: list.default([]),
  TRANSCRIBER_TIMES: flag.default(true),
  TRANSCRIBER_MODEL_DIR: text.optional(),
  TRANSCRIBER_MEMORY_MB: wholeNumber(200, 1_000_000).default(4000),
};
type TranscriptionValues = z.infer<z.ZodObject<typeof transcriptionShape & typeof processShape>>;

/** The engine that transcribes episodes. Null: creators can upload transcripts only. */
export type TranscriptionSettings =
  | { engine: 'openai'; url: string; key: string | null; model: string; isTimed: boolean }
  | { engine: 'deepgram'; url: string; key: string | null; model: string }
  | { engine: 'assemblyai'; url: string; key: string; models: string[] }
  | { engine: 'local'; modelDir: string; memoryBytes: number }
  | { engine: 'sandbox' }
  | null;

const OPENAI_URL = 'https://api.openai.com/v1';
const DEEPGRAM_URL = 'https://api.deepgram.com/v1';
const ASSEMBLYAI_URL = 'https://api.assemblyai.com/v2';

export function transcriptionSettings(values: TranscriptionValues): TranscriptionSettings {
  const engine = values.TRANSCRIBER ?? (isProduction(values) ? 'none' : 'sandbox');
  if (engine === 'none') return null;
  if (engine === 'sandbox') {
    if (isProduction(values) && !values.ALLOW_DEV_FALLBACKS)
      throw new SettingError('TRANSCRIBER must not be sandbox in production: it knows the demo episodes only');
    return { engine };
  }
  return SERVICES[engine](values);
}

type Services = Record<
  'openai' | 'deepgram' | 'assemblyai' | 'local',
  (values: TranscriptionValues) => TranscriptionSettings
>;

const SERVICES: Services = {
  openai({ TRANSCRIBER_URL: url = OPENAI_URL, TRANSCRIBER_KEY: key, TRANSCRIBER_MODEL: [model], TRANSCRIBER_TIMES }) {
    if (url === OPENAI_URL && !key) throw new SettingError('TRANSCRIBER_KEY must be set for OpenAI');
    if (!model) throw new SettingError('TRANSCRIBER_MODEL must be set, such as whisper-1');
    return { engine: 'openai', url, key: key ?? null, model, isTimed: TRANSCRIBER_TIMES };
  },
  deepgram({ TRANSCRIBER_URL: url = DEEPGRAM_URL, TRANSCRIBER_KEY: key, TRANSCRIBER_MODEL: [model = 'nova-3'] }) {
    if (url === DEEPGRAM_URL && !key) throw new SettingError('TRANSCRIBER_KEY must be set for Deepgram');
    return { engine: 'deepgram', url, key: key ?? null, model };
  },
  assemblyai({ TRANSCRIBER_URL: url = ASSEMBLYAI_URL, TRANSCRIBER_KEY: key, TRANSCRIBER_MODEL: models }) {
    if (!key) throw new SettingError('TRANSCRIBER_KEY must be set for AssemblyAI');
    return { engine: 'assemblyai', url, key, models };
  },
  local({ TRANSCRIBER_MODEL_DIR: dir, TRANSCRIBER_MEMORY_MB: megabytes }) {
    if (!dir) throw new SettingError('TRANSCRIBER_MODEL_DIR must be set: the folder of a model');
    if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory())
      throw new SettingError(`TRANSCRIBER_MODEL_DIR is no folder: ${dir}`);
    return { engine: 'local', modelDir: path.resolve(dir), memoryBytes: megabytes * 1_000_000 };
  },
};
