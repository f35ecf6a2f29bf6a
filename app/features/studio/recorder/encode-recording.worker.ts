import { createEncoder } from 'wasm-media-encoders';
import lameUrl from 'wasm-media-encoders/wasm/mp3?url';
import type { FromEncoder, ToEncoder } from './encoder-messages';

/** The format of converted episodes: enough for a voice, and five minutes are 5 MB. */
const FORMAT = { bitrate: 128, outputSampleRate: 44_100 } as const;

const encoder = createEncoder('audio/mpeg', lameUrl);
const parts: Uint8Array<ArrayBuffer>[] = [];
const answer = (message: FromEncoder) => postMessage(message);

/** Encodes while the user speaks, so that the recording is ready when they stop. */
async function handle(message: ToEncoder): Promise<void> {
  const lame = await encoder;
  if (message.kind === 'start') lame.configure({ channels: 1, sampleRate: message.sampleRate, ...FORMAT });
  // copied because the encoder reuses the returned array
  if (message.kind === 'samples') parts.push(new Uint8Array(lame.encode([message.samples])));
  if (message.kind !== 'finish') return;
  parts.push(new Uint8Array(lame.finalize()));
  answer({ kind: 'done', mp3: new Blob(parts, { type: 'audio/mpeg' }) });
}

let last: Promise<void> = encoder.then(() => answer({ kind: 'ready' }));
addEventListener('message', ({ data }: MessageEvent<ToEncoder>) => {
  last = last.then(() => handle(data)).catch(() => answer({ kind: 'failed' }));
});
last.catch(() => answer({ kind: 'failed' }));
