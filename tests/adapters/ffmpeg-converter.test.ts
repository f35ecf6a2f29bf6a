import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { audioConverter } from '~/server/adapters/converter/ffmpeg-converter';
import { checkMp3 } from '~/server/audio/check-mp3';
import type { ConvertibleFormat } from '~/server/audio/container';
import { readTags } from '~/server/audio/tags';
import { ConverterUnavailable, isDiskFull } from '~/server/base/errors';
import { createSlots } from '~/server/flow/slots';
import { isDeep } from '../support/deep';
import { noise } from '../support/mp3';
import { otherFormats, patched, referringTo } from '../support/other-formats';
import { toolPath } from '../support/tools';

const folder = await mkdtemp(join(tmpdir(), 'altavoz-converter-'));
afterAll(() => rm(folder, { recursive: true }));

const ffmpeg = toolPath('ffmpeg');
const work = join(folder, 'work');
const made = ffmpeg ? await otherFormats(ffmpeg) : {};
const file = (name: string) => made[name] ?? Buffer.alloc(0);

type Limits = { maxBytes?: number; maxDurationMs?: number; timeoutMs?: number };

async function convert(program: string, bytes: Buffer, format: ConvertibleFormat, limits: Limits = {}) {
  const converter = audioConverter({ program, folder: work, withSlot: createSlots(1), limits });
  const toConvert = { format, bytes: bytes.length, read: async () => Readable.from([bytes]) };
  const done = await converter(toConvert, async ({ source, picture, statedMs }) => {
    const { title, chapters } = await readTags(source);
    return { found: await checkMp3(source, { minDurationMs: 1000 }), title, chapters, picture, statedMs };
  });
  // no file remains, whatever happened
  expect(await readdir(work)).toEqual([]);
  return done;
}

const PNG = Buffer.from('\x89PNG', 'latin1');
const chapters = [
  { startMs: 0, endMs: 1000, title: 'Från 0' },
  { startMs: 1000, endMs: 1400, title: 'Från 1000' },
];

/** Each conversion takes a quarter of a second. */
const sampled = <Row>(rows: readonly Row[]) => rows.filter((_, i) => isDeep || i % 2 === 0);

test.skipIf(!ffmpeg).each(
  sampled([
    ['stereo.wav', 'wav', { channels: 2, title: null, isPictured: false, chapters: [] }],
    ['mono24.wav', 'wav', { channels: 1, title: null, isPictured: false, chapters: [] }],
    ['aac.m4a', 'm4a', { channels: 1, title: 'Día', isPictured: true, chapters }],
    ['alac.m4a', 'm4a', { channels: 1, title: null, isPictured: false, chapters }],
    ['cover.flac', 'flac', { channels: 1, title: 'Día', isPictured: true, chapters: [] }],
    ['video.m4a', 'm4a', { channels: 1, title: null, isPictured: false, chapters }],
    ['opus.ogg', 'ogg', { channels: 2, title: 'Día', isPictured: false, chapters }],
    ['vorbis.ogg', 'ogg', { channels: 2, title: 'Día', isPictured: false, chapters: [] }],
  ] as const),
)('FFmpeg converts %s to an MP3 at 128 kbit/s, with title, chapters and cover', async (name, format, want) => {
  const done = await convert(ffmpeg ?? '', file(name), format);

  if (!done.ok) throw new Error(done.messages);
  const { found, title, picture } = done.value;
  expect(found).toMatchObject({ ok: true, sampleRate: 44_100, channels: want.channels, warnings: [] });
  expect(found.ok && Math.abs(found.bitrate - 128_000)).toBeLessThan(500);
  expect(found.ok && Math.abs(found.durationMs - 1400)).toBeLessThan(120);
  expect(title).toBe(want.title);
  expect(picture !== null && PNG.equals(picture.subarray(0, 4))).toBe(want.isPictured);
  const near = (ms: number) => expect.toSatisfy((found: number) => Math.abs(found - ms) < 20);
  expect(done.value.chapters).toMatchObject(want.chapters.map((c) => ({ ...c, endMs: near(c.endMs) })));
});

const uint = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const hundredHours = () =>
  patched(patched(file('fast.m4a'), 'mvhd', uint(360_000_000), 20), 'mdhd', uint(4_000_000_000), 20);
const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n';
const CONCAT = "ffconcat version 1.0\nfile 'file:///etc/passwd'\nfile 'http://127.0.0.1:9/x.mp3'\n";
const unlimited = () => {
  const bytes = Buffer.from(file('cover.flac'));
  bytes[21] = bytes[21]! | 0xf;
  bytes.fill(0xff, 22, 26);
  return bytes;
};

test.skipIf(!ffmpeg).each(
  sampled([
    ['an HLS playlist named .m4a', 'm4a', () => Buffer.from(PLAYLIST), 'unreadable'],
    ['a playlist named .wav', 'wav', () => Buffer.from(PLAYLIST), 'unreadable'],
    ['a concat script', 'ogg', () => Buffer.from(CONCAT), 'unreadable'],
    [
      'a playlist in an m4a box',
      'm4a',
      () => Buffer.concat([Buffer.from('\0\0\0\x20ftypM4A '), Buffer.from(PLAYLIST)]),
      'unreadable',
    ],
    ['noise after a FLAC mark', 'flac', () => Buffer.concat([Buffer.from('fLaC'), noise(20_000)]), 'unreadable'],
    [
      'an AVI named .wav',
      'wav',
      () => Buffer.concat([Buffer.from('RIFF\xff\0\0\0AVI LIST'), noise(9000)]),
      'unreadable',
    ],
    ['half an m4a without its index', 'm4a', () => file('aac.m4a').subarray(0, 9000), 'unreadable'],
    ['a video without sound', 'm4a', () => file('silent.m4a'), 'no_sound'],
    ['an encrypted m4a', 'm4a', () => patched(file('fast.m4a'), 'mp4a', 'enca'), 'protected'],
    ['an m4a of the iTunes store', 'm4a', () => patched(file('fast.m4a'), 'mp4a', 'drms'), 'protected'],
    ['an m4a that claims 100 hours', 'm4a', hundredHours, 'too_long'],
    ['a FLAC that claims 397 hours', 'flac', unlimited, 'too_long'],
  ] as const),
)('%s (%s) is rejected', async (_, format, bytes, fault) => {
  expect(await convert(ffmpeg ?? '', bytes(), format)).toMatchObject({ ok: false, fault });
});

test.skipIf(!ffmpeg)('an m4a that says its sound lies in another file makes FFmpeg open none', async () => {
  // opening a pipe would wait until another process writes to it
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);

  const done = await convert(ffmpeg ?? '', referringTo(file('aac.m4a'), pipe), 'm4a', { timeoutMs: 10_000 });

  expect(done).toMatchObject({ ok: true });
});

test.skipIf(!ffmpeg)(
  'a cut FLAC states a longer time than its sound has, and a WAV of unknown size does not',
  async () => {
    const cut = await convert(ffmpeg ?? '', file('cover.flac').subarray(0, file('cover.flac').length - 4000), 'flac');
    const endless = await convert(ffmpeg ?? '', patched(file('stereo.wav'), 'data', Buffer.alloc(4, 0xff), 4), 'wav');

    expect(cut).toMatchObject({
      ok: true,
      value: { statedMs: 1400, found: { durationMs: expect.toSatisfy((ms) => ms < 1300) } },
    });
    expect(endless).toMatchObject({ ok: true, value: { statedMs: null, found: { ok: true } } });
  },
);

test.skipIf(!ffmpeg)('the result is not larger than allowed', async () => {
  const done = await convert(ffmpeg ?? '', file('stereo.wav'), 'wav', { maxBytes: 8000 });

  expect(done).toMatchObject({ ok: false, fault: 'too_long' });
});

/** A program that replaces FFmpeg. A program that hangs outlasts the test, so a converter that waits for it fails. */
async function fake(name: string, script: string): Promise<string> {
  const program = join(folder, name);
  await writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return program;
}

test.each([
  ['is missing', null],
  ['fails', 'exit 1'],
  ['lacks a library', 'echo "error while loading shared libraries" >&2; exit 127'],
  ['is killed', 'kill -9 $$'],
  ['writes nothing', 'exit 0'],
  ['crashes after some output', 'head -c 90000 /dev/zero; kill -11 $$'],
  ['hangs', 'sleep 600'],
  ['leaves a child that hangs', 'sleep 600 & wait'],
  ['floods its messages and hangs', 'head -c 3000000 /dev/zero >&2; sleep 600'],
])('an FFmpeg that %s is to blame, not the file', async (name, script) => {
  const program = script === null ? join(folder, 'none') : await fake(`ffmpeg ${name}`, script);

  await expect(convert(program, noise(2000), 'wav', { timeoutMs: 150 })).rejects.toThrow(ConverterUnavailable);

  expect(await readdir(work)).toEqual([]);
});

test('an FFmpeg that writes without end is stopped', async () => {
  const program = await fake('endless', 'cat /dev/zero');

  expect(await convert(program, noise(2000), 'wav', { maxBytes: 50_000 })).toMatchObject({ fault: 'too_long' });
});

test('a conversion that would fill the disk is put off', async () => {
  const program = await fake('unused', 'exit 0');
  const attempt = convert(program, noise(2000), 'wav', { maxBytes: Number.MAX_SAFE_INTEGER / 4 });

  expect(isDiskFull(await attempt.catch((error: unknown) => error))).toBe(true);
});

test('FFmpeg gets no environment but a path, and what a crashed process left is deleted after a day', async () => {
  const old = join(work, 'file-old');
  await mkdir(old, { recursive: true });
  await utimes(old, 1, 1);
  const program = await fake('environment', 'env | cut -d= -f1 | sort | tr "\\n" " "; cat /dev/zero');

  let seen = '';
  const done = audioConverter({ program, folder: work, withSlot: createSlots(1), limits: { maxBytes: 70_000 } });
  await done({ format: 'wav', bytes: 1, read: async () => Readable.from([noise(1)]) }, async () => {});
  expect(await readdir(work)).toEqual([]);
  const whole = await fake('environment2', 'env | cut -d= -f1 | sort | tr "\\n" " "');
  const all = audioConverter({ program: whole, folder: work, withSlot: createSlots(1) });
  await all({ format: 'wav', bytes: 1, read: async () => Readable.from([noise(1)]) }, async ({ source }) => {
    const bytes = Buffer.alloc(source.size);
    await source.read(bytes, 0);
    seen = bytes.toString();
  });

  expect(
    seen
      .trim()
      .split(' ')
      .filter((name) => !['_', 'PWD', 'SHLVL', 'OLDPWD'].includes(name)),
  ).toEqual(['LC_ALL', 'NODE_ENV', 'PATH']);
});
