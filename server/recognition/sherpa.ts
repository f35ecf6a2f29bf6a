import { createRequire } from 'node:module';
import type { Model, ModelKind } from './model-files';
import type { Tokens } from './words-of-tokens';

/** What is used of the package `sherpa-onnx-node`, as its files describe it. */
type Stream = { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
type Recognizer = {
  createStream(): Stream;
  setConfig(config: SherpaConfig): void;
  decode(stream: Stream): void;
  getResult(stream: Stream): SherpaResult;
};
export type Sherpa = { OfflineRecognizer: new (config: SherpaConfig) => Recognizer };
/** `lang`: such as `en` or `<|en|>`; empty for models of one language. */
type SherpaResult = Tokens & { lang?: string };

export type SherpaConfig = {
  featConfig: { sampleRate: number; featureDim: number };
  modelConfig: Record<string, unknown>;
};

export const PACKAGE = 'sherpa-onnx-node';

/** The package is not among ours: an operator installs it. @throws Error that says how */
export function loadSherpa(name: string): Sherpa {
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' && message.includes(`'${name}'`))
      throw new Error(`the package ${PACKAGE} is missing: run npm install ${PACKAGE}`);
    const build = `${process.platform}-${process.arch}`;
    throw new Error(`${PACKAGE} has no build for ${build}: install it again on this machine (${firstLine(message)})`);
  }
}

const firstLine = (text: string): string => text.trim().split('\n')[0]!.slice(0, 200);

type Loaded = { model: Model; folder: string; threads: number };

/** @param language as a code of two letters; null if the model finds it */
export function configOf({ model, folder, threads }: Loaded, language: string | null): SherpaConfig {
  const at = (name: string) => `${folder}/${name}`;
  const parts = Object.fromEntries(Object.entries(model.parts).map(([part, name]) => [part, at(name)]));
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      [model.kind]: { ...parts, ...optionsOf(model.kind, language) },
      ...{ tokens: at(model.tokens), numThreads: threads, provider: 'cpu', debug: 0 },
    },
  };
}

function optionsOf(kind: ModelKind, language: string | null) {
  // an empty language: the model finds it; times come only from weights that were exported with them
  if (kind === 'whisper') return { language: language ?? '', task: 'transcribe', enableTokenTimestamps: 1 };
  if (kind === 'senseVoice') return { language: language ?? '', useInverseTextNormalization: 1 };
  return {};
}

const LANGUAGES: Partial<Record<ModelKind, Set<string>>> = {
  whisper: new Set(
    (
      'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ' +
      'ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl ' +
      'sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'
    ).split(' '),
  ),
  senseVoice: new Set(['en', 'ja', 'ko', 'zh']),
};

/** The language if it is a setting of such models; others end the process. Null: the model finds it, or has only one. */
export const knownLanguage = (kind: ModelKind, language: string | null): string | null =>
  language !== null && LANGUAGES[kind]?.has(language) ? language : null;
