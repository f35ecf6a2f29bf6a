export type Decoded = { sampleRate: number; channels: Float32Array[]; samples: number; errors: string[] };

export type Decoder = {
  /** Accepts whole frames only: junk would make the decoder search without a limit. */
  decode(frames: Uint8Array): Decoded;
  free(): void;
};

export type DecodingLosses = {
  /** Frames that the decoder could not decode or dropped. */
  undecodedFrames: number;
  /** The decoder's first error. */
  decoderError: string | null;
};

/** Bytes decoded at once: more would leave the processor's cache before they are used. */
const PIECE_BYTES = 16 * 1024;

/** mpg123 in WebAssembly. It returns every frame in full, including the encoder's delay and padding. */
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

/** Decodes a stream piece by piece and counts what could not be decoded. */
export async function openStreamDecoder({ channels, samplesPerFrame }: { channels: 1 | 2; samplesPerFrame: number }) {
  const decoder = await openDecoder(channels);
  let due = 0;
  let decoded = 0;
  let complaints = 0;
  let decoderError: string | null = null;
  return {
    /** Decodes whole frames, plus the part of a frame left over from the last call. */
    *decode(bytes: Uint8Array, frames: number): Generator<Float32Array[], void> {
      due += frames * samplesPerFrame;
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const pcm = decoder.decode(bytes.subarray(at, at + PIECE_BYTES));
        decoded += pcm.samples;
        complaints += pcm.errors.length;
        decoderError ??= pcm.errors[0] ?? null;
        if (pcm.samples > 0) yield pcm.channels;
      }
    },
    losses(): DecodingLosses {
      // the decoder usually also reports an error for a frame that it drops
      const undecodedFrames = Math.max(complaints, Math.round((due - decoded) / samplesPerFrame));
      return { undecodedFrames, decoderError: decoderError ?? (undecodedFrames > 0 ? 'frames left out' : null) };
    },
    free: decoder.free,
  };
}

/** The mean of both channels. */
export function toMono([left, right]: Float32Array[]): Float32Array {
  if (!right) return left!;
  return Float32Array.from(left!, (sample, i) => (sample + right[i]!) / 2);
}
