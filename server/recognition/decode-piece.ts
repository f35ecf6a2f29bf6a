import { bufferSource } from '../audio/bytes';
import { openStreamDecoder, toMono } from '../audio/decode';
import { readFrames } from '../audio/frame-reader';
import { indexMp3 } from '../audio/indexing';
import { integratedLoudness } from '../audio/loudness';
import { powersOf, silencesIn } from '../audio/peaks';
import { STEPS_PER_SECOND, stepMeter } from '../audio/sound-steps';
import { type SpeechSpan, speechSpans } from './speech-spans';

/** Mono samples, and where somebody may speak in them. */
export type DecodedPiece = { samples: Float32Array; sampleRate: number; spans: SpeechSpan[] };

/** Null unless the bytes are an MP3. A piece of two minutes has 21 MB of samples. */
export async function decodePiece(mp3: Uint8Array): Promise<DecodedPiece | null> {
  const source = bufferSource(mp3);
  const indexed = await indexMp3(source);
  if (!indexed.ok) return null;
  const { index } = indexed;
  const { sampleRate } = index;
  const decoder = await openStreamDecoder(index);
  const meter = stepMeter(sampleRate, 1);
  const samples = new Float32Array(index.frames * index.samplesPerFrame);
  let filled = 0;
  for await (const { bytes, frames } of readFrames(source, index)) {
    for (const channels of decoder.decode(bytes, frames)) {
      const mono = toMono(channels).subarray(0, samples.length - filled);
      meter.add([mono]);
      samples.set(mono, filled);
      filled += mono.length;
    }
  }
  decoder.free();
  const silences = silencesIn(meter.all(), 1, integratedLoudness(meter.whole, sampleRate));
  const spans = speechSpans(silences, { stepMs: 1000 / STEPS_PER_SECOND, powers: powersOf(meter.all(), 1) });
  return { samples: samples.subarray(0, filled), sampleRate, spans };
}
