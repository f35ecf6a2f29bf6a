export type Decoded = { sampleRate: number; channels: Float32Array[]; samples: number; errors: string[] };

export type Decoder = {
  /** Takes whole frames only: junk would send the decoder searching without an end that we could set. */
  decode(frames: Uint8Array): Decoded;
  free(): void;
};

export type DecodingLosses = {
  /** Frames that the decoder could not make sense of, or left out. */
  undecodedFrames: number;
  /** The decoder's first complaint. */
  complaint: string | null;
};

/** What is decoded at once: with more, sound leaves the processor's cache before anybody has heard it. */
const PIECE_BYTES = 16 * 1024;

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

/** Decodes a stream for someone who listens piece by piece, and keeps account of what did not decode. */
export async function openPlayer({ channels, samplesPerFrame }: { channels: 1 | 2; samplesPerFrame: number }) {
  const decoder = await openDecoder(channels);
  let due = 0;
  let decoded = 0;
  let complaints = 0;
  let complaint: string | null = null;
  return {
    /** The sound of whole frames, and of a part of a frame that was left from before. */
    *play(bytes: Uint8Array, frames: number): Generator<Float32Array[], void> {
      due += frames * samplesPerFrame;
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const pcm = decoder.decode(bytes.subarray(at, at + PIECE_BYTES));
        decoded += pcm.samples;
        complaints += pcm.errors.length;
        complaint ??= pcm.errors[0] ?? null;
        if (pcm.samples > 0) yield pcm.channels;
      }
    },
    losses(): DecodingLosses {
      // what the decoder leaves out it mostly complains of too
      const undecodedFrames = Math.max(complaints, Math.round((due - decoded) / samplesPerFrame));
      return { undecodedFrames, complaint: complaint ?? (undecodedFrames > 0 ? 'frames left out' : null) };
    },
    free: decoder.free,
  };
}
