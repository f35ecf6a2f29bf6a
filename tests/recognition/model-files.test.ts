import { expect, test } from 'vitest';
import { findModel, mainFile, statedType } from '~/server/recognition/model-files';

const TINY = ['tiny-encoder.onnx', 'tiny-encoder.int8.onnx', 'tiny-decoder.onnx', 'tiny-decoder.int8.onnx'];
const TRANSDUCER = ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt', 'test_wavs'];
const MOONSHINE = ['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx'];
const ONE = ['model.int8.onnx', 'model.onnx', 'tokens.txt', 'README.md'];

test.each([
  [
    'Whisper, in eight bits',
    [...TINY, 'tiny-tokens.txt'],
    'whisper-tiny',
    { kind: 'whisper', parts: { encoder: TINY[1], decoder: TINY[3] }, tokens: 'tiny-tokens.txt' },
  ],
  [
    'a transducer of Zipformer',
    ['encoder-epoch-99-avg-1.onnx', 'decoder-epoch-99-avg-1.onnx', 'joiner-epoch-99-avg-1.onnx', 'tokens.txt'],
    'zipformer2',
    {
      kind: 'transducer',
      parts: {
        encoder: 'encoder-epoch-99-avg-1.onnx',
        decoder: 'decoder-epoch-99-avg-1.onnx',
        joiner: 'joiner-epoch-99-avg-1.onnx',
      },
    },
  ],
  ['a transducer of NeMo', TRANSDUCER, 'EncDecRNNTBPEModel', { kind: 'transducer' }],
  [
    'Moonshine',
    [...MOONSHINE, 'tokens.txt'],
    '',
    {
      kind: 'moonshine',
      parts: {
        preprocessor: MOONSHINE[0],
        encoder: MOONSHINE[1],
        uncachedDecoder: MOONSHINE[2],
        cachedDecoder: MOONSHINE[3],
      },
    },
  ],
  [
    'the second Moonshine',
    ['encoder_model.ort', 'decoder_model_merged.ort', 'tokens.txt'],
    '',
    { kind: 'moonshine', parts: { encoder: 'encoder_model.ort', mergedDecoder: 'decoder_model_merged.ort' } },
  ],
  ['SenseVoice', ONE, 'sense_voice_ctc', { kind: 'senseVoice', parts: { model: 'model.int8.onnx' } }],
  ['Paraformer', ONE, ' sherpa-onnx-paraformer-zh model.onnx', { kind: 'paraformer' }],
  ['NeMo', ONE, 'EncDecCTCModelBPE', { kind: 'nemoCtc' }],
  ['a hybrid of NeMo', ONE, 'EncDecHybridRNNTCTCBPEModel', { kind: 'nemoCtc' }],
  ['Zipformer', ONE, 'zipformer2_ctc', { kind: 'zipformerCtc' }],
  ['WeNet', ONE, 'wenet_ctc', { kind: 'wenetCtc' }],
])('%s is recognised', (_, names, description, expected) => {
  expect(findModel(names, description)).toMatchObject(expected);
});

test.each([
  ['no file', [], ''],
  ['no tokens', TINY, 'whisper-tiny'],
  ['an encoder only', ['tiny-encoder.onnx', 'tiny-tokens.txt'], 'whisper-tiny'],
  ['one file that does not say what it is', ONE, 'model'],
  ['Canary', ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt'], 'EncDecMultiTaskModel'],
  ['no model', ['tokens.txt', 'notes.md'], ''],
])('%s is no model that we can use', (_, names, description) => {
  expect(findModel(names, description)).toBeNull();
});

test('the encoder describes a model, otherwise its only file', () => {
  expect([mainFile(TRANSDUCER), mainFile(ONE), mainFile(['tokens.txt'])]).toEqual([
    'encoder.int8.onnx',
    'model.int8.onnx',
    null,
  ]);
});

test('an ONNX file states its type in its properties', () => {
  const property = (key: string, value: string) =>
    Buffer.concat([
      Buffer.from([0x72, key.length + value.length + 4, 0x0a, key.length]),
      Buffer.from(key),
      Buffer.from([0x12, value.length]),
      Buffer.from(value),
    ]);
  const file = Buffer.concat([
    Buffer.alloc(100, 7),
    property('vocab_size', '3'),
    property('model_type', 'EncDecCTCModelBPE'),
    property('version', '1'),
  ]);

  expect(statedType(file)).toMatch(/^EncDecCTCModelBPE/);
  expect(statedType(Buffer.alloc(100, 7))).toBe('');
});
