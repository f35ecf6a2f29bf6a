export type Pcm = { sampleRate: number; channels: Float32Array[]; samples: number };

/** Frames handed to the decoder at once: enough that calls cost nothing, little enough for steady memory. */
export const BATCH_BYTES = 256 * 1024;

export type Decoder = {
  /** Whole frames only. Junk would send the decoder searching, and its search has no end that we could set. */
  decode(frames: Uint8Array): Pcm & { errors: string[] };
  free(): void;
};

/** mpg123, compiled to WebAssembly. Every frame comes out whole: delay and padding are left in. */
export async function openDecoder(channels: 1 | 2): Promise<Decoder> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  return {
    decode(frames) {
      const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(frames);
      const pcm = { sampleRate, channels: channelData.slice(0, channels), samples: samplesDecoded };
      return { ...pcm, errors: errors.map(({ message }) => message) };
    },
    free: () => decoder.free(),
  };
}
