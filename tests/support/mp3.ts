import { createCipheriv } from 'node:crypto';

/** Builds MP3 files from silent frames, so that a test knows every byte of its input. */
export type FrameSpec = {
  version?: 1 | 2 | 2.5;
  kbps?: number;
  sampleRate?: number;
  mono?: boolean;
  crc?: boolean;
  padding?: boolean;
};

const KBPS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const RATES = { 1: [44_100, 48_000, 32_000], 2: [22_050, 24_000, 16_000], 2.5: [11_025, 12_000, 8_000] };
const VERSION_BITS = { 1: 3, 2: 2, 2.5: 0 };

export function frame(spec: FrameSpec = {}): Buffer {
  const { version = 1, kbps = version === 1 ? 128 : 64, mono = false, crc = false, padding = false } = spec;
  const sampleRate = spec.sampleRate ?? RATES[version][0]!;
  const bitrateIndex = KBPS[version === 1 ? 1 : 2].indexOf(kbps);
  const rateIndex = RATES[version].indexOf(sampleRate);
  const slots = version === 1 ? 144 : 72;
  const bytes = Buffer.alloc(Math.floor((slots * kbps * 1000) / sampleRate) + (padding ? 1 : 0));
  bytes[0] = 0xff;
  bytes[1] = 0xe0 | (VERSION_BITS[version] << 3) | (1 << 1) | (crc ? 0 : 1);
  bytes[2] = (bitrateIndex << 4) | (rateIndex << 2) | (padding ? 2 : 0);
  bytes[3] = mono ? 0xc0 : 0x40;
  return bytes;
}

export function frames(count: number, spec: FrameSpec = {}): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => frame(spec)));
}

function sideInfo({ version = 1, mono = false }: FrameSpec): number {
  return version === 1 ? (mono ? 17 : 32) : mono ? 9 : 17;
}

export function xingFrame(
  kind: 'Xing' | 'Info',
  figures: { frames?: number; bytes?: number },
  spec: FrameSpec & { afterCrc?: boolean } = {},
): Buffer {
  const bytes = frame(spec);
  let at = 4 + sideInfo(spec) + (spec.afterCrc ? 2 : 0);
  bytes.write(kind, at);
  bytes.writeUInt32BE((figures.frames === undefined ? 0 : 1) | (figures.bytes === undefined ? 0 : 2), at + 4);
  at += 8;
  for (const figure of [figures.frames, figures.bytes]) if (figure !== undefined) at = bytes.writeUInt32BE(figure, at);
  return bytes;
}

export function vbriFrame(figures: { frames: number; bytes: number }, spec: FrameSpec = {}): Buffer {
  const bytes = frame(spec);
  bytes.write('VBRI', 36);
  bytes.writeUInt32BE(figures.bytes, 46);
  bytes.writeUInt32BE(figures.frames, 50);
  return bytes;
}

/** An ID3v2.4 tag of exactly `size` bytes, padding included. */
export function id3v2(size: number): Buffer {
  const tag = Buffer.alloc(size);
  tag.write('ID3');
  tag[3] = 4;
  for (let i = 0; i < 4; i++) tag[6 + i] = ((size - 10) >> (7 * (3 - i))) & 0x7f;
  return tag;
}

/** An ID3v2.4 tag with a footer after `bodyBytes`. */
export function withFooter(bodyBytes: number): Buffer {
  const tag = id3v2(bodyBytes + 10);
  tag[5] = 0x10;
  const footer = Buffer.from(tag.subarray(0, 10));
  footer.write('3DI');
  return Buffer.concat([tag, footer]);
}

export function id3v1(): Buffer {
  const tag = Buffer.alloc(128);
  tag.write('TAG');
  return tag;
}

export function apeTag(bodyBytes: number): Buffer {
  const footer = Buffer.alloc(32);
  footer.write('APETAGEX');
  footer.writeUInt32LE(2000, 8);
  footer.writeUInt32LE(bodyBytes + 32, 12);
  const header = Buffer.from(footer);
  footer.writeUInt32LE(0x8000_0000, 20);
  header.writeUInt32LE(0xa000_0000, 20);
  return Buffer.concat([header, Buffer.alloc(bodyBytes), footer]);
}

/** Pseudo-random bytes, the same in every run. A cipher produces megabytes in milliseconds. */
export function noise(count: number, seed = 1): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32LE(seed);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(count));
}

/** A plain valid file of about `seconds`: ID3 tag, Info frame, 64 kbit/s mono frames. */
export function mp3(seconds: number): Buffer {
  const spec = { kbps: 64, mono: true };
  const count = Math.ceil((seconds * 44_100) / 1152);
  return Buffer.concat([id3v2(256), xingFrame('Info', { frames: count }, spec), frames(count, spec)]);
}

/** An ID3v2.4 tag with one attached picture. */
export function pictureTag(image: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from([0]), Buffer.from('image/png\0'), Buffer.from([3, 0]), image]);
  const head = Buffer.alloc(10);
  head.write('APIC');
  for (let i = 0; i < 4; i++) head[4 + i] = (content.length >> (7 * (3 - i))) & 0x7f;
  const tag = id3v2(10 + head.length + content.length);
  Buffer.concat([head, content]).copy(tag, 10);
  return tag;
}
