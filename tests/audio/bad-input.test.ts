import { expect, test, vi } from 'vitest';
import { bufferSource } from '~/server/audio/bytes';
import { MP3_REASONS, MP3_WARNINGS } from '~/server/audio/check-mp3';
import { CONFORM_REASONS, conform } from '~/server/audio/conform';
import { indexMp3 } from '~/server/audio/indexing';
import { SPLICE_REASONS } from '~/server/audio/splice';
import { AUDIO_ERRORS } from '~/server/domain/media/errors';
import en from '../../locales/en/errors.json';
import es from '../../locales/es/errors.json';
import { lameFrames } from '../support/encodings';
import { FREE_FORMAT } from '../support/foreign-encodings';
import { apeTag, id3v1, id3v2, noise, xingFrame } from '../support/mp3';
import { remux } from '../support/remux';
import { sound } from '../support/sound';
import { wavBytes } from '../support/tools';

// encoders, decoders and threads are slow on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const joint = await lameFrames({ sampleRate: 44_100, channels: 2, seconds: 2 }, { bitrate: 128 });
const other = await lameFrames({ sampleRate: 48_000, channels: 2, seconds: 2 }, { bitrate: 128 });
const mono = await lameFrames({ sampleRate: 44_100, channels: 1, seconds: 2 }, { bitrate: 64 });
const short = await lameFrames({ sampleRate: 48_000, channels: 2, seconds: 0.2 }, { bitrate: 128 });
const pcm = wavBytes([sound(1, 44_100)]);

function wav(): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(pcm.length + 36, 4);
  head.write('WAVEfmt ', 8);
  head.write('data', 36);
  return Buffer.concat([head, pcm]);
}

const REJECTED: [name: string, reason: string, file: Buffer][] = [
  ['a WAV', 'not_mp3', wav()],
  ['a FLAC', 'not_mp3', Buffer.concat([Buffer.from('fLaC\0\0\0\x22'), noise(40_000)])],
  ['an MP4', 'not_mp3', Buffer.concat([Buffer.from('\0\0\0\x20ftypisom'), noise(40_000)])],
  ['an HTML page', 'not_mp3', Buffer.from('<!doctype html><title>404</title>')],
  ['bare samples', 'not_mp3', pcm],
  ['an empty file', 'empty', Buffer.alloc(0)],
  ['one byte', 'not_mp3', Buffer.from([0xff])],
  ['only ID3', 'too_short', id3v2(4000)],
  ['only junk', 'not_mp3', noise(80_000, 3)],
  ['a file cut in its tag', 'truncated', Buffer.concat([id3v2(4000), joint]).subarray(0, 2000)],
  ['half a file', 'truncated', Buffer.concat([xingFrame('Info', { frames: 78 }), joint.subarray(0, 16_000)])],
  ['free format', 'free_format', remux(joint, { rateIndex: 0, freeBytes: 1500 })],
  ['free format by LAME, with a tag', 'free_format', Buffer.concat([id3v2(90), await FREE_FORMAT.encoding.make()])],
  ['more noise than sound', 'damaged', Buffer.concat([joint, noise(40_000), joint])],
  ['two joined files with different rates', 'mixed_formats', Buffer.concat([joint, other])],
  [
    'a long file followed by a short one with another rate',
    'mixed_formats',
    Buffer.concat([joint, joint, joint, short]),
  ],
  ['joined stereo and mono files, with tags', 'mixed_formats', Buffer.concat([joint, id3v2(300), mono])],
  ['two rates, with the old tags between them', 'mixed_formats', Buffer.concat([joint, apeTag(90), id3v1(), other])],
  ['two rates, with junk between them', 'mixed_formats', Buffer.concat([joint, joint, noise(700), short])],
];

test.each(REJECTED)('%s is rejected as %s', async (_, reason, file) => {
  const found = await indexMp3(bufferSource(file));

  expect(found).toMatchObject({ ok: false, reason });
});

test('a file cut in its last frame is accepted without that frame, with a warning', async () => {
  const found = await indexMp3(bufferSource(joint.subarray(0, joint.length - 100)));

  expect(found).toMatchObject({ ok: true, mp3: { frames: 77, warnings: ['last_frame_cut'] } });
});

test('two joined files of one format, with tags, are one stream', async () => {
  const found = await indexMp3(bufferSource(Buffer.concat([id3v2(90), joint, apeTag(50), id3v1(), id3v2(300), joint])));

  expect(found).toMatchObject({ ok: true, mp3: { frames: 156, junkBytes: 0, warnings: [] } });
});

test('every reason of the engine is in the error table', () => {
  expect(Object.keys(AUDIO_ERRORS).sort()).toEqual([...MP3_REASONS, ...SPLICE_REASONS, ...CONFORM_REASONS].sort());
});

const CODES = [
  ...Object.values(AUDIO_ERRORS).map((fault) => fault().code),
  ...MP3_WARNINGS.map((code) => `audio.${code}`),
];

test.each([
  ['English', en as Record<string, string>],
  ['Spanish', es as Record<string, string>],
])('every error and warning has a different message in %s', (_, texts) => {
  const messages = CODES.map((code) => texts[code]);

  for (const message of messages) expect(message).toMatch(/\w{2,} \w{2,}/);
  expect(new Set(messages).size).toBe(CODES.length);
});

test('every message is translated', () => {
  const [english, spanish] = [en, es] as Record<string, string>[];

  expect(CODES.filter((code) => english![code] === spanish![code])).toEqual([]);
});

test('a damaged clip is conformed or rejected with a known reason', async () => {
  const file = Buffer.from(joint);
  for (let at = 2000; at < file.length; at += 97) file[at]! ^= 0x55;

  const target = { version: 1, sampleRate: 44_100, channels: 2, bitrate: 128_000, lufs: null } as const;
  const made = await conform(bufferSource(file), target);

  expect(made.ok || ['damaged', 'clip_undecodable', 'mixed_formats'].includes(made.reason)).toBe(true);
});
