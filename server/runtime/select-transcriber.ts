import { openAiTranscriber } from '../adapters/transcriber/openai';
import type { Transcriber } from '../adapters/transcriber/port';
import type { TranscriptionSettings } from '../env/transcription';
import { type Lazy, openOnce } from '../flow/open-once';
import { TRANSCRIPTION_LIMITS } from '../limits/transcription';
import type { TranscriberSandbox } from '../sandbox/transcriber/sandbox';

export type SelectedTranscriber = {
  transcriber: Transcriber | null;
  /** Started at its first use. Null unless the local engine transcribes. */
  sandbox: Lazy<TranscriberSandbox> | null;
};

/** The engine that the settings name; a local one with the demo's words, over the wire; or none. */
export function selectTranscriber(settings: TranscriptionSettings): SelectedTranscriber {
  if (settings === null) return { transcriber: null, sandbox: null };
  if (settings.engine === 'openai') return { transcriber: openAiTranscriber(settings), sandbox: null };
  const sandbox = openOnce(async () => {
    const { openTranscriberSandbox } = await import('../sandbox/transcriber/sandbox');
    return openTranscriberSandbox();
  });
  const driver = openOnce(async () => openAiTranscriber({ ...(await sandbox.get()), isTimed: true }));
  const transcriber: Transcriber = {
    name: 'sandbox',
    pieceMs: TRANSCRIPTION_LIMITS.pieceMs,
    hear: async (piece, how) => (await driver.get()).hear(piece, how),
    async close() {
      await driver.ifOpened((opened) => opened.close());
      await sandbox.ifOpened((opened) => opened.close());
    },
  };
  return { transcriber, sandbox };
}
