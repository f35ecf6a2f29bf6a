export type Decoded = { sampleRate: number; channels: Float32Array[]; samples: number; errors: string[] };

export type Decoder = {
  /** Takes whole frames only: junk would send the decoder searching without an end that we could set. */
  decode(frames: Uint8Array): Decoded;
  free(): void;
};

/** mpg123 as WebAssembly. Every frame comes out whole: an encoder's delay and padding are left in. */
export async function openDecoder(channels: 1 | 2): Promise<Decoder> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: false });
  await decoder.ready;
  return {
    decode(frames) {
      const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(frames);
      const messages = errors.map(({ message }) => message);
      return { sampleRate, channels: channelData.slice(0, channels), samples: samplesDecoded, errors: messages };
    },
    free: () => decoder.free(),
  };
}
