import { bufferSource } from '~/server/audio/bytes';
import { MP3_REASONS, type Mp3Reason } from '~/server/audio/check-mp3';
import { draftEnvelope } from '~/server/audio/envelope';
import { decodeIndex, encodeIndex, type FrameIndex, indexMp3 } from '~/server/audio/indexing';
import { splice } from '~/server/audio/splice';
import { readTags, writeId3 } from '~/server/audio/tags';
import { startsOf } from '~/server/audio/virtual-file';
import { lameFrames, OWN_ENCODINGS } from './encodings';
import { apeTag, id3v1, noise, vbriFrame } from './mp3';
import { numbers } from './numbers';

export type Outcome = { verdict: 'index' | Mp3Reason; ms: number; index: FrameIndex | null; file: Buffer };

/** Files to break: every kind of head and frame. */
export async function seeds(): Promise<Buffer[]> {
  const tag = writeId3({
    title: 'Título',
    artist: 'x',
    cover: { bytes: noise(900), contentType: 'image/png' },
    chapters: [{ startMs: 0, endMs: 500, title: 'a' }],
  });
  const bare = await lameFrames({ sampleRate: 44_100, channels: 2, seconds: 1 }, { bitrate: 128 });
  const names = /CBR 64$|VBR V4|with CRC|with Info|with Xing|CBR 8$|footer|junk between/;
  const made = await Promise.all(OWN_ENCODINGS.filter(({ name }) => names.test(name)).map(({ make }) => make()));
  return [
    ...made,
    Buffer.concat([tag, bare, apeTag(300), id3v1()]),
    Buffer.concat([vbriFrame({ frames: 40, bytes: bare.length }), bare]),
    Buffer.concat([tag, bare, tag, bare]),
  ];
}

/** Breaks a copy of one of the files in one to six ways; the same for the same number. */
export function broken(files: readonly Buffer[], number: number): Buffer {
  const roll = numbers(number);
  let file: Buffer = Buffer.from(files[roll(files.length)]!);
  for (let wounds = 1 + roll(6); wounds > 0 && file.length > 0; wounds--)
    file = WOUNDS[roll(WOUNDS.length)]!(file, roll, files);
  return file;
}

type Roll = (bound: number) => number;
type Wound = (file: Buffer, roll: Roll, files: readonly Buffer[]) => Buffer;

/** Early bytes are where the lengths stand. */
const somewhere = (file: Buffer, roll: Roll) => roll(roll(2) ? file.length : Math.min(file.length, 600));

const WOUNDS: Wound[] = [
  (file, roll) => {
    file[somewhere(file, roll)]! ^= 1 << roll(8);
    return file;
  },
  (file, roll) => {
    for (let i = 0; i < 30; i++) file[somewhere(file, roll)] = roll(256);
    return file;
  },
  (file, roll) => file.subarray(0, somewhere(file, roll)),
  (file, roll) => file.subarray(somewhere(file, roll)),
  (file, roll) => {
    const at = somewhere(file, roll);
    return Buffer.concat([file.subarray(0, at), noise(roll(5000), roll(99)), file.subarray(at)]);
  },
  (file, roll) => {
    const at = somewhere(file, roll);
    return Buffer.concat([file.subarray(0, at), file.subarray(at + roll(3000))]);
  },
  (file, roll, files) => Buffer.concat([file, files[roll(files.length)]!.subarray(0, 20_000)]),
  (file, roll) => {
    const from = somewhere(file, roll);
    return file.fill(roll(2) ? 0xff : 0, from, Math.min(file.length, from + roll(2000)));
  },
  (file, roll) => {
    // frame headers in the middle of nothing
    for (let i = 0; i < 40; i++) file.write('\xff\xfb\x90\x00', somewhere(file, roll), 'latin1');
    return file;
  },
];

/** Everything that takes a file without decoding it. @throws when something is not as promised */
export async function digest(file: Buffer): Promise<Outcome> {
  const begun = performance.now();
  const source = bufferSource(file);
  const found = await indexMp3(source);
  await readTags(source);
  if (!found.ok) {
    if (!MP3_REASONS.includes(found.reason)) throw new Error(`no such reason: ${found.reason}`);
    return { verdict: found.reason, ms: performance.now() - begun, index: null, file };
  }
  const { index, mp3 } = found;
  if (index.frames !== mp3.frames || mp3.audioEnd > file.length) throw new Error('an index that contradicts its file');
  if (decodeIndex(encodeIndex(index)).frames !== index.frames) throw new Error('an index that is lost when stored');
  await draftEnvelope(source, index, 50);
  const recording = { key: 'x', sha256: 'x', index, source };
  const spliced = await splice(recording, [{ at: mp3.durationMs / 2, clip: recording }]);
  if (spliced.ok) {
    const { segments, bytes } = spliced.rendition;
    if (startsOf(segments).at(-1) !== bytes) throw new Error('a rendition of another length');
    const outside = segments.some(({ from, bytes }) => 'key' in from && from.start + bytes > file.length);
    if (outside) throw new Error('a rendition that reads behind its source');
  }
  return { verdict: 'index', ms: performance.now() - begun, index, file };
}
