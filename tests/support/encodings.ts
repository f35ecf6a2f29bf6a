import { createMp3Encoder } from 'wasm-media-encoders';
import type { ChannelMode } from '~/server/audio/frame-header';
import { writeInfoFrame } from '~/server/audio/info-frame';
import { apeTag, id3v1, id3v2, noise, vbriFrame, withFooter } from './mp3';
import { remux } from './remux';
import { sound, stereo } from './sound';

export type Encoding = {
  name: string;
  version: 1 | 2 | 2.5;
  sampleRate: number;
  channels: 1 | 2;
  channelMode: ChannelMode;
  rate: 'CBR' | 'ABR' | 'VBR';
  crc: boolean;
  make(): Promise<Buffer>;
};

/** Without `mode`, two channels are joint stereo, LAME's default. */
export type Wave = { sampleRate: number; channels: 1 | 2; mode?: ChannelMode; seconds?: number; seed?: number };
type Rate = { bitrate: number } | { vbrQuality: number };

const versionOf = (sampleRate: number) => (sampleRate >= 32_000 ? 1 : sampleRate >= 16_000 ? 2 : 2.5);

const waves = new Map<string, Float32Array[]>();

/** Returns the same arrays for equal waves, because generating them takes longer than encoding them. */
export function wave({ sampleRate, channels, seconds = 1.6, seed = 1 }: Wave): Float32Array[] {
  const key = [sampleRate, channels, seconds, seed].join();
  const known = waves.get(key);
  const made = known ?? (channels === 2 ? stereo(seconds, sampleRate, seed) : [sound(seconds, sampleRate, seed)]);
  waves.set(key, made);
  return made;
}

/** Frames without tags, encoded by LAME in WebAssembly. */
export async function lameFrames(form: Wave, rate: Rate): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  const { sampleRate, channels } = form;
  encoder.configure({ sampleRate, channels, outputSampleRate: sampleRate, ...rate } as Parameters<
    typeof encoder.configure
  >[0]);
  const first = Buffer.from(encoder.encode(wave(form)));
  return Buffer.concat([first, Buffer.from(encoder.finalize())]);
}

const joint = (sampleRate: number): Wave => ({ sampleRate, channels: 2 });
const mono = (sampleRate: number): Wave => ({ sampleRate, channels: 1 });

/** @param name contains the kind of bit rate, and `CRC` if the frames have one; the tests check both */
export function encoding(name: string, form: Wave, make: () => Promise<Buffer>): Encoding {
  const { sampleRate, channels, mode: channelMode = channels === 1 ? 'mono' : 'joint' } = form;
  const version = versionOf(sampleRate);
  const rate = /CBR|ABR|VBR/.exec(name)![0] as Encoding['rate'];
  const crc = name.includes('CRC');
  const title = `MPEG-${version} ${sampleRate} ${channelMode}, ${name}`;
  return { name: title, version, sampleRate, channels, channelMode, rate, crc, make };
}

const cbr = (form: Wave, ...rates: number[]) =>
  rates.map((bitrate) => encoding(`CBR ${bitrate}`, form, () => lameFrames(form, { bitrate })));
const vbr = (form: Wave, ...qualities: number[]) =>
  qualities.map((vbrQuality) => encoding(`VBR V${vbrQuality}`, form, () => lameFrames(form, { vbrQuality })));
const wrapped = (name: string, before: () => Buffer, after: () => Buffer = () => Buffer.alloc(0)) =>
  encoding(`CBR 128, ${name}`, joint(44_100), async () =>
    Buffer.concat([before(), await lameFrames(joint(44_100), { bitrate: 128 }), after()]),
  );
const remuxed = (name: string, form: Wave, bitrate: number, layout: { crc?: boolean; rateIndex: number }) =>
  encoding(name, form, async () => remux(await lameFrames(form, { bitrate }), layout));

/** Frames after an info frame from our own `writeInfoFrame`. Other encodings have info frames of real encoders. */
async function tagged(form: Wave, rate: Rate): Promise<Buffer> {
  const audio = await lameFrames(form, rate);
  const stream = { constantBitrate: 'bitrate' in rate, frames: 0, bytes: audio.length };
  return Buffer.concat([writeInfoFrame(audio, stream, (share) => share * audio.length), audio]);
}

async function withJunk(): Promise<Buffer> {
  const audio = await lameFrames({ ...joint(44_100), seconds: 6 }, { bitrate: 128 });
  // after the 100th frame: each has 144 × 128000 / 44100 bytes, some with padding
  let at = 0;
  for (let i = 0; i < 100; i++) at += 417 + ((audio[at + 2]! >> 1) & 1);
  return Buffer.concat([audio.subarray(0, at), noise(900, 4), audio.subarray(at)]);
}

/** Files from the project's own encoder, some with added tags or junk or a changed layout. */
export const OWN_ENCODINGS: Encoding[] = [
  ...cbr(joint(44_100), 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
  ...cbr(mono(44_100), 32, 64, 128, 320),
  ...cbr(joint(48_000), 128, 320),
  ...cbr(mono(48_000), 32, 64),
  ...cbr(joint(32_000), 96, 320),
  ...cbr(mono(32_000), 48),
  ...cbr(joint(22_050), 32, 64),
  ...cbr(mono(22_050), 8, 32),
  ...cbr(joint(24_000), 80, 160),
  ...cbr(mono(24_000), 48),
  ...cbr(joint(16_000), 48),
  ...cbr(mono(16_000), 24),
  ...cbr(mono(11_025), 16),
  ...cbr(joint(12_000), 32),
  ...cbr(mono(8_000), 8),
  ...cbr(joint(8_000), 24),
  ...vbr(joint(44_100), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
  ...vbr(mono(48_000), 2),
  ...vbr(joint(24_000), 5),
  ...vbr(mono(22_050), 9),
  ...vbr(mono(11_025), 4),
  ...vbr(joint(12_000), 6),
  remuxed('CBR 256 with CRC', joint(44_100), 96, { crc: true, rateIndex: 13 }),
  remuxed('CBR 160 with CRC', mono(44_100), 64, { crc: true, rateIndex: 10 }),
  remuxed('CBR 160 with CRC', joint(24_000), 64, { crc: true, rateIndex: 14 }),
  remuxed('CBR 128 with CRC', mono(22_050), 32, { crc: true, rateIndex: 12 }),
  remuxed('CBR 64 with CRC', mono(11_025), 16, { crc: true, rateIndex: 8 }),
  remuxed('CBR 256 without reservoir', joint(48_000), 96, { rateIndex: 13 }),
  remuxed('CBR 160 without reservoir', joint(22_050), 64, { rateIndex: 14 }),
  encoding('CBR 128 with Info', joint(44_100), () => tagged(joint(44_100), { bitrate: 128 })),
  encoding('VBR V4 with Xing', joint(44_100), () => tagged(joint(44_100), { vbrQuality: 4 })),
  encoding('CBR 32 with Info', mono(22_050), () => tagged(mono(22_050), { bitrate: 32 })),
  encoding('VBR V5 with Xing', mono(24_000), () => tagged(mono(24_000), { vbrQuality: 5 })),
  wrapped('VBRI', () => vbriFrame({ frames: 63, bytes: 64 * 417 })),
  wrapped('5 MB of ID3', () => id3v2(5_000_000)),
  wrapped('two ID3 tags', () => Buffer.concat([id3v2(700), id3v2(60)])),
  wrapped(
    'APE and ID3v1 after the audio',
    () => Buffer.alloc(0),
    () => Buffer.concat([apeTag(900), id3v1()]),
  ),
  wrapped('APE before the audio', () => apeTag(900)),
  wrapped('ID3v2.4 with footer before the audio', () => withFooter(500)),
  wrapped(
    'ID3v2.4 with footer after the audio',
    () => Buffer.alloc(0),
    () => withFooter(500),
  ),
  wrapped('20 KB of junk before the audio', () => noise(20_000, 8)),
  encoding('CBR 128, junk between frames', joint(44_100), withJunk),
];
