/** The kinds of models, as sherpa-onnx names them in its settings. */
export type ModelKind =
  | 'moonshine'
  | 'nemoCtc'
  | 'paraformer'
  | 'senseVoice'
  | 'transducer'
  | 'wenetCtc'
  | 'whisper'
  | 'zipformerCtc';

/** `parts`: the files of the model by the names that sherpa-onnx has for them. */
export type Model = { kind: ModelKind; parts: Record<string, string>; tokens: string };

type Parts = Partial<Record<Part, string>>;
type Part = keyof typeof PARTS | 'model';

const PARTS = {
  joiner: /joiner/,
  preprocessor: /preprocess/,
  mergedDecoder: /decoder?_model_merged|merged.?decoder/,
  uncachedDecoder: /uncached_?decode/,
  cachedDecoder: /(?<!un)cached_?decode/,
  encoder: /encode/,
  decoder: /decode/,
};

/** The file whose description tells the kind of the model; null if the folder has no model. */
export function mainFile(names: readonly string[]): string | null {
  const { encoder, model } = partsIn(names);
  return encoder ?? model ?? null;
}

/**
 * The model in a folder, by the names of its files. Models of one file are named alike, so their description decides.
 * @param description what the main file says about its model, and the name of the folder
 */
export function findModel(names: readonly string[], description: string): Model | null {
  const tokens = names.filter((name) => /(?:^|[-._])tokens\.txt$/.test(name)).toSorted()[0];
  const parts = partsIn(names);
  const kind = kindOf(parts, description);
  if (!tokens || !kind) return null;
  const files = FILES_OF[kind].flatMap((part) => (parts[part] ? [[part, parts[part]]] : []));
  return { kind, parts: Object.fromEntries(files), tokens };
}

const FILES_OF: Record<ModelKind, Part[]> = {
  transducer: ['encoder', 'decoder', 'joiner'],
  whisper: ['encoder', 'decoder'],
  moonshine: ['preprocessor', 'encoder', 'uncachedDecoder', 'cachedDecoder', 'mergedDecoder'],
  senseVoice: ['model'],
  paraformer: ['model'],
  zipformerCtc: ['model'],
  wenetCtc: ['model'],
  nemoCtc: ['model'],
};

/** Each file is the first part that it matches; of two files for a part, the one in eight bits. */
function partsIn(names: readonly string[]): Parts {
  const parts: Parts = {};
  const weights = names.filter((name) => /\.(?:onnx|ort)$/.test(name));
  for (const name of weights.toSorted((a, b) => Number(isSmall(b)) - Number(isSmall(a)) || (a < b ? -1 : 1)))
    parts[partOf(name)] ??= name;
  return parts;
}

const isSmall = (name: string): boolean => name.includes('int8');

function partOf(name: string): Part {
  const found = Object.entries(PARTS).find(([, pattern]) => pattern.test(name));
  return (found?.[0] as Part | undefined) ?? 'model';
}

function kindOf({ encoder, decoder, joiner, model, ...parts }: Parts, description: string): ModelKind | null {
  if (encoder && decoder && joiner) return 'transducer';
  if (encoder && parts.mergedDecoder) return 'moonshine';
  if (encoder && parts.preprocessor && parts.uncachedDecoder && parts.cachedDecoder) return 'moonshine';
  if (encoder && decoder) return OTHERS_OF_TWO.test(description) ? null : 'whisper';
  return (model && KINDS.find(([, pattern]) => pattern.test(description))?.[0]) || null;
}

/** Models that have an encoder and a decoder, too, but need other settings. */
const OTHERS_OF_TWO = /canary|multitask|fire.?red|cohere/i;

const KINDS: [ModelKind, RegExp][] = [
  ['senseVoice', /sense.?voice/i],
  ['paraformer', /paraformer/i],
  ['zipformerCtc', /zipformer/i],
  ['wenetCtc', /wenet/i],
  ['nemoCtc', /EncDec|nemo|parakeet/i],
];

/** The kind that an ONNX file states in its properties, which stand at its end. Empty if it states none. */
export function statedType(end: Uint8Array): string {
  // a key and its value, as protocol buffers write them: a length of one byte stands before the value
  return /model_type[^ -~][\s\S]([\w .-]+)/.exec(Buffer.from(end).toString('latin1'))?.[1] ?? '';
}
