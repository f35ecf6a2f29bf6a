import type { DriverSettings } from '../adapters/transcriber/openai';
import { pieceMsOf, type Transcriber } from '../adapters/transcriber/port';
import type { TranscriptionSettings } from '../env/transcription';
import { type Lazy, openOnce } from '../flow/open-once';
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
  if (settings.engine === 'openai') {
    const transcriber = lazyTranscriber('openai', settings.isTimed, async () => settings);
    return { transcriber, sandbox: null };
  }
  const sandbox = openOnce(async () => {
    const { openTranscriberSandbox } = await import('../sandbox/transcriber/sandbox');
    return openTranscriberSandbox();
  });
  const driver = lazyTranscriber('sandbox', true, async () => ({ ...(await sandbox.get()), isTimed: true }));
  async function close() {
    await driver.close();
    await sandbox.ifOpened((opened) => opened.close());
  }
  return { transcriber: { ...driver, close }, sandbox };
}

function lazyTranscriber(name: string, isTimed: boolean, settings: () => Promise<DriverSettings>): Transcriber {
  const driver = openOnce(async () => {
    const { openAiTranscriber } = await import('../adapters/transcriber/openai');
    return openAiTranscriber(await settings());
  });
  return {
    name,
    pieceMs: pieceMsOf(isTimed),
    hear: async (piece, how) => (await driver.get()).hear(piece, how),
    close: () => driver.ifOpened((opened) => opened.close()),
  };
}
