/** In the order of the header's two bits. Frames of one stream may alternate between `stereo` and `joint`. */
export const CHANNEL_MODES = ['stereo', 'joint', 'dual', 'mono'] as const;
export type ChannelMode = (typeof CHANNEL_MODES)[number];

/**
 * The contents of the four-byte header of every MPEG audio frame (ISO/IEC 11172-3, 13818-3, and the unofficial MPEG
 * 2.5), Layer III only.
 */
export type StreamFormat = {
  version: 1 | 2 | 2.5;
  sampleRate: number;
  channels: 1 | 2;
  channelMode: ChannelMode;
  samplesPerFrame: number;
};

/** The longest Layer III frame: 320 kbit/s at 32 kHz, padded. */
export const LONGEST_FRAME = 1441;
export const HEADER_BYTES = 4;
export const CRC_BYTES = 2;

const KBPS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000, 0];
const VERSIONS = [2.5, null, 2, 1] as const;

const versionOf = (second: number) => VERSIONS[(second >> 3) & 3] ?? null;

function sampleRateOf(version: 1 | 2 | 2.5, third: number): number {
  return SAMPLE_RATES[(third >> 2) & 3]! / (version === 1 ? 1 : version === 2 ? 2 : 4);
}

function kbpsOf(version: 1 | 2 | 2.5, third: number): number {
  return KBPS[version === 1 ? 1 : 2][third >> 4]!;
}

/** Frame lengths by the version bits of byte 2 and the upper seven bits of byte 3; 0 = invalid. */
const LENGTHS = Uint16Array.from({ length: 512 }, (_, index) => {
  const version = versionOf((index >> 7) << 3);
  const third = (index & 127) << 1;
  if (version === null) return 0;
  const sampleRate = sampleRateOf(version, third);
  const kbps = kbpsOf(version, third);
  if (sampleRate === 0 || kbps === 0) return 0;
  return Math.floor(((version === 1 ? 144 : 72) * kbps * 1000) / sampleRate) + ((third >> 1) & 1);
});

/** Length of the frame whose header is at `at`, including the header; 0 if there is no Layer III header. */
export function frameLength(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 1]!;
  // sync (11 bits) and layer III (01); the CRC bit may be either
  if (bytes[at] !== 0xff || (second & 0xe6) !== 0xe2) return 0;
  return LENGTHS[(((second >> 3) & 3) << 7) | (bytes[at + 2]! >> 1)]!;
}

/**
 * The fields that are constant within a stream: version, layer, sample rate, and whether it is mono. Bit rate, padding,
 * CRC and stereo mode may change.
 */
export function signature(bytes: Uint8Array, at: number): number {
  return ((bytes[at + 1]! & 0x1e) << 8) | (bytes[at + 2]! & 0x0c) | (bytes[at + 3]! >> 6 === 3 ? 1 : 0);
}

export function frameKbps(bytes: Uint8Array, at: number): number {
  return kbpsOf(versionOf(bytes[at + 1]!) ?? 1, bytes[at + 2]!);
}

/** Call only where `frameLength` is above 0. */
export function streamFormat(bytes: Uint8Array, at: number): StreamFormat {
  const version = versionOf(bytes[at + 1]!) ?? 1;
  const channelMode = CHANNEL_MODES[bytes[at + 3]! >> 6]!;
  return {
    version,
    sampleRate: sampleRateOf(version, bytes[at + 2]!),
    channels: channelMode === 'mono' ? 1 : 2,
    channelMode,
    samplesPerFrame: version === 1 ? 1152 : 576,
  };
}

type FrameTiming = Pick<StreamFormat, 'sampleRate' | 'samplesPerFrame'>;

/** Duration of `frames` in fractional milliseconds, which is also the start time of the next frame. */
export function timeOf({ sampleRate, samplesPerFrame }: FrameTiming, frames: number): number {
  return (frames * samplesPerFrame * 1000) / sampleRate;
}

/** The fractional number of frames before a time in ms. */
export function framesUntil({ sampleRate, samplesPerFrame }: FrameTiming, ms: number): number {
  return (Math.max(0, ms) * sampleRate) / 1000 / samplesPerFrame;
}

/** Size of the side information between a frame's header (and CRC) and its audio data. */
export function sideInfoBytes(bytes: Uint8Array, at: number): number {
  const { version, channels } = streamFormat(bytes, at);
  return version === 1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
}

/** Start of the frame's body: after the header, CRC and side information. */
export function bodyOffset(bytes: Uint8Array, at: number): number {
  return sideInfoOffset(bytes, at) + sideInfoBytes(bytes, at);
}

/** Start of the side information: after the header and CRC. */
export function sideInfoOffset(bytes: Uint8Array, at: number): number {
  return HEADER_BYTES + (bytes[at + 1]! & 1 ? 0 : CRC_BYTES);
}

/** How many bytes this frame needs from the bodies of previous frames (`main_data_begin`). */
export function reservoirNeed(bytes: Uint8Array, at: number): number {
  const info = at + sideInfoOffset(bytes, at);
  const isVersion1 = ((bytes[at + 1]! >> 3) & 3) === 3;
  return isVersion1 ? (bytes[info]! << 1) | (bytes[info + 1]! >> 7) : bytes[info]!;
}

/** The bit rates of a version in kbit/s, lowest first. */
export function bitratesOf(version: 1 | 2 | 2.5): readonly number[] {
  return KBPS[version === 1 ? 1 : 2].slice(1, 15);
}

/**
 * A silent frame in the format of the header `like` (four bytes): no CRC, all side information zero, and at least
 * `bodyBytes` of body. Its bit rate is the lowest from that of `like` upward with enough room.
 * @returns null if no bit rate has enough room
 */
export function silentFrame(like: Uint8Array, bodyBytes: number): Uint8Array | null {
  const header = Uint8Array.from([like[0]!, like[1]! | 1, like[2]! & 0xfc, like[3]! & 0xcf]);
  const body = bodyOffset(header, 0);
  for (let rate = like[2]! >> 4; rate < 15; rate++) {
    header[2] = (rate << 4) | (header[2]! & 0x0c);
    const length = frameLength(header, 0);
    if (length < body + bodyBytes) continue;
    const frame = new Uint8Array(length);
    frame.set(header);
    return frame;
  }
  return null;
}
