import { encodeMp3 } from '~/server/audio/encode-mp3';

const RATE = 24_000;

/** An MP3 with a beep of half a second at each of these times, in milliseconds, and silence between them. */
export async function beepsMp3(starts: number[], durationMs: number): Promise<Uint8Array<ArrayBuffer>> {
  const samples = new Float32Array((durationMs / 1000) * RATE);
  for (const ms of starts) {
    const from = (ms / 1000) * RATE;
    for (let i = 0; i < RATE / 2; i++) samples[from + i] = 0.4 * Math.sin((2 * Math.PI * 440 * i) / RATE);
  }
  const mp3 = await encodeMp3(
    { sampleRate: RATE, channels: [samples] },
    { version: 2, sampleRate: RATE, channels: 1, kbps: 64 },
  );
  return new Uint8Array(mp3);
}
