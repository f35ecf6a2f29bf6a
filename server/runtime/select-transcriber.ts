import { pieceMsOf, type Transcriber } from '../adapters/transcriber/port';
import type { TranscriptionSettings } from '../env/transcription';
import { type Lazy, openOnce } from '../flow/open-once';
import { createSlots } from '../flow/slots';
import { TRANSCRIPTION_LIMITS } from '../limits/transcription';
import type { TranscriberSandbox } from '../sandbox/transcriber/sandbox';

export type SelectedTranscriber = {
  transcriber: Transcriber | null;
  /** Started at its first use. Null unless the local engine transcribes. */
  sandbox: Lazy<TranscriberSandbox> | null;
};

/**
 * The engine that the settings name; a local one with the demo's words, over the wire; or none. Its HTTP client is loaded
 * at the first use, because loading it takes time.
 */
export function selectTranscriber(settings: TranscriptionSettings): SelectedTranscriber {
  if (settings === null) return { transcriber: null, sandbox: null };
  if (settings.engine !== 'sandbox') return { transcriber: serviceOf(settings), sandbox: null };
  const sandbox = openOnce(async () => {
    const { openTranscriberSandbox } = await import('../sandbox/transcriber/sandbox');
    return openTranscriberSandbox();
  });
  const driver = lazyTranscriber('sandbox', pieceMsOf(true), async () => {
    const { openAiTranscriber } = await import('../adapters/transcriber/openai');
    return openAiTranscriber({ ...(await sandbox.get()), isTimed: true });
  });
  async function close() {
    await driver.close();
    await sandbox.ifOpened((opened) => opened.close());
  }
  return { transcriber: { ...driver, close }, sandbox };
}

type ServiceSettings = Exclude<TranscriptionSettings, { engine: 'sandbox' } | null>;

function serviceOf(settings: ServiceSettings): Transcriber {
  switch (settings.engine) {
    case 'openai':
      return lazyTranscriber('openai', pieceMsOf(settings.isTimed), async () => {
        const { openAiTranscriber } = await import('../adapters/transcriber/openai');
        return openAiTranscriber(settings);
      });
    case 'deepgram':
      return lazyTranscriber('deepgram', TRANSCRIPTION_LIMITS.voicesPieceMs, async () => {
        const { deepgramTranscriber } = await import('../adapters/transcriber/deepgram');
        return deepgramTranscriber(settings);
      });
    case 'assemblyai':
      return lazyTranscriber('assemblyai', TRANSCRIPTION_LIMITS.voicesPieceMs, async () => {
        const { assemblyAiTranscriber } = await import('../adapters/transcriber/assemblyai');
        return assemblyAiTranscriber(settings);
      });
    case 'local':
      return lazyTranscriber('local', TRANSCRIPTION_LIMITS.localPieceMs, async () => {
        const [{ localTranscriber }, { openRecogniser }] = await Promise.all([
          import('../adapters/transcriber/local'),
          import('../recognition/open-recogniser'),
        ]);
        return localTranscriber(openRecogniser(settings), createSlots(1));
      });
  }
}

function lazyTranscriber(name: string, pieceMs: number, open: () => Promise<Transcriber>): Transcriber {
  const driver = openOnce(open);
  return {
    ...{ name, pieceMs },
    hear: async (piece, how) => (await driver.get()).hear(piece, how),
    usedMemory: async () => (await (await driver.get()).usedMemory?.()) ?? null,
    close: () => driver.ifOpened((opened) => opened.close()),
  };
}
