import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { VIDEO_LIMITS } from '../../limits/soundbites';
import { runTool } from './ffmpeg-converter';
import type { EncodeVideo, VideoParts } from './port';
import { inTemporaryFolder } from './temporary-folder';

type Settings = {
  program: string;
  /** For temporary files. Processes may share it. */
  folder: string;
  /** Waits for its turn: each video keeps a core busy. */
  withSlot<T>(work: () => Promise<T>): Promise<T>;
};

/** A wave that moves ten times a second looks smooth. */
const FRAME_RATE = 10;

/** Encodes videos with the FFmpeg of the operator. */
export function videoEncoder({ program, folder, withSlot }: Settings): EncodeVideo {
  const limits = { ...VIDEO_LIMITS, maxBytes: VIDEO_LIMITS.bytes, maxDurationMs: VIDEO_LIMITS.durationMs };
  return (video) =>
    withSlot(() => {
      const { signal, stills } = video;
      signal.throwIfAborted();
      // three bytes for each pixel at most, before they are compressed
      const space = limits.maxBytes + (stills.length + 1) * 3 * limits.pixels;
      return inTemporaryFolder(folder, space, async (own) => {
        await writeFiles(own, video);
        const work = { args: videoArguments(own, video), output: join(own, 'unused'), signal };
        const { status, messages } = await runTool({ program, limits }, work);
        signal.throwIfAborted();
        if (status !== 0) throw new Error(`FFmpeg has not encoded a video (${status}): ${messages}`);
        return readFile(join(own, 'video.mp4'));
      });
    });
}

async function writeFiles(own: string, { stills, played, read, signal }: VideoParts): Promise<void> {
  const list = ['ffconcat version 1.0'];
  for (const [i, { png, forMs }] of stills.entries()) {
    signal.throwIfAborted();
    await writeFile(join(own, `${i}.png`), await png());
    list.push(`file ${i}.png`, `duration ${forMs / 1000}`);
  }
  // a list ends with the file that is shown last
  list.push(`file ${stills.length - 1}.png`);
  await writeFile(join(own, 'stills'), `${list.join('\n')}\n`);
  await writeFile(join(own, 'played.png'), await played());
  await pipeline(await read(), createWriteStream(join(own, 'sound.mp3')));
}

/**
 * FFmpeg wipes from one picture to another within a minute at most, so that the wave runs in half of its time first. All
 * pictures have been decoded and written again by us, and names of files are ours.
 */
function videoArguments(own: string, { wave, durationMs }: VideoParts): string[] {
  const seconds = durationMs / 1000;
  const place = `${wave.x}:${wave.y}`;
  const crop = `crop=${wave.width}:${wave.height}:${place}`;
  const fast = `settb=1/${2 * FRAME_RATE},setpts=N,fps=${2 * FRAME_RATE}`;
  const filters = [
    `[0:v]fps=${FRAME_RATE},trim=duration=${seconds},split[picture][below]`,
    `[below]${crop},${fast}[unplayed]`,
    `[1:v]${crop},loop=loop=-1:size=1,settb=1/${2 * FRAME_RATE},setpts=N,trim=duration=${seconds / 2},fps=${2 * FRAME_RATE}[full]`,
    `[unplayed][full]xfade=transition=wiperight:duration=${seconds / 2}:offset=0,settb=1/${FRAME_RATE},setpts=N,fps=${FRAME_RATE}[wave]`,
    `[picture][wave]overlay=${place}:eof_action=repeat,format=yuv420p[video]`,
  ];
  const input = (name: string, ...how: string[]) => [...how, '-i', `file:${join(own, name)}`];
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'info', '-protocol_whitelist', 'file,pipe', '-y'],
    ...input('stills', '-f', 'concat', '-safe', '1'),
    ...input('played.png'),
    ...input('sound.mp3', '-f', 'mp3'),
    ...['-filter_complex', filters.join(';'), '-map', '[video]', '-map', '2:a', '-t', String(seconds)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'stillimage', '-crf', '20', '-threads', '1'],
    ...['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-map_metadata', '-1'],
    ...['-fs', String(VIDEO_LIMITS.bytes), '-f', 'mp4', `file:${join(own, 'video.mp4')}`],
  ];
}
