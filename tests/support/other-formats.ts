import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from './tools';

const CHAPTERS = [';FFMETADATA1', 'title=Día', 'artist=El Niño']
  .concat(
    [
      [0, 1000],
      [1000, 1400],
    ].map(([from, to]) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${from}\nEND=${to}\ntitle=Från ${from}`),
  )
  .join('\n');
const SECONDS = 1.4;

/** Short recordings in formats other than MP3, made by FFmpeg, and hostile ones made from them. */
export async function otherFormats(ffmpeg: string) {
  const folder = await mkdtemp(join(tmpdir(), 'altavoz-formats-'));
  try {
    await writeFile(join(folder, 'tags.txt'), CHAPTERS);
    const inputs = [
      ['-f', 'lavfi', '-i', `sine=frequency=300:duration=${SECONDS}:sample_rate=48000`],
      ['-i', join(folder, 'tags.txt')],
      ['-f', 'lavfi', '-i', 'color=c=orange:s=320x320:d=1:r=1'],
    ].flat();
    const picture = ['-map', '2:v', '-frames:v', '1', '-c:v', 'png', '-disposition:v', 'attached_pic'];
    const sound = ['-map', '0:a', '-map_metadata', '1', '-map_chapters', '1'];
    const outputs: [name: string, args: string[]][] = [
      ['stereo.wav', ['-map', '0:a', '-ac', '2']],
      ['mono24.wav', ['-map', '0:a', '-c:a', 'pcm_s24le']],
      ['aac.m4a', [...sound, ...picture, '-c:a', 'aac']],
      ['alac.m4a', ['-map', '0:a', '-c:a', 'alac']],
      ['fast.m4a', [...sound, '-c:a', 'aac', '-movflags', '+faststart']],
      ['cover.flac', ['-map', '0:a', '-map_metadata', '1', ...picture]],
      ['vorbis.ogg', ['-map', '0:a', '-map_metadata', '1', '-ac', '2', '-c:a', 'vorbis', '-strict', '-2']],
      ['opus.ogg', [...sound, '-ac', '2', '-c:a', 'opus', '-strict', '-2']],
      ['video.m4a', ['-map', '2:v', '-map', '0:a', '-c:v', 'mpeg4', '-c:a', 'aac', '-f', 'mp4']],
      ['silent.m4a', ['-map', '2:v', '-c:v', 'mpeg4', '-f', 'mp4']],
    ];
    const made = outputs.flatMap(([name, args]) => [...args, join(folder, name)]);
    await runTool(ffmpeg, ['-v', 'error', '-nostdin', ...inputs, ...made], Buffer.alloc(0));
    const read = async ([name]: (typeof outputs)[number]) => [name, await readFile(join(folder, name))] as const;
    return Object.fromEntries(await Promise.all(outputs.map(read))) as Record<string, Buffer>;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Replaces every occurrence of `from` with as many other bytes. */
export function patched(bytes: Buffer, from: string, to: Buffer | string, offset = 0): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + from.length)) {
    Buffer.from(to).copy(copy, at + offset);
  }
  return copy;
}

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'];
/** The bytes before the boxes inside a box, by type. */
const HEADS: Record<string, number> = { dref: 16 };

/** An M4A with its index at the end, which refers to its sound at `path` by an alias, like files of old Macs. */
export function referringTo(m4a: Buffer, path: string): Buffer {
  const text = Buffer.from(path.length % 2 === 0 ? path : `${path}\0`);
  const entry = Buffer.alloc(158);
  entry.write('alis', 0);
  // after ten bytes, the names of the volume and of the file
  entry[18] = 1;
  const tail = Buffer.alloc(4 + text.length + 4);
  tail.writeUInt16BE(2, 0);
  tail.writeUInt16BE(text.length, 2);
  text.copy(tail, 4);
  tail.writeInt16BE(-1, 4 + text.length);
  return replaceBox(m4a, 'url ', sized(Buffer.concat([entry, tail])));
}

function sized(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + 4);
  return Buffer.concat([size, content]);
}

/** Replaces the boxes of a name, and corrects the sizes of the boxes around them. */
function replaceBox(bytes: Buffer, name: string, by: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const box = bytes.subarray(at, at + Math.max(8, bytes.readUInt32BE(at)));
    const type = box.toString('latin1', 4, 8);
    const head = HEADS[type] ?? 8;
    const inner = () => replaceBox(box.subarray(head), name, by);
    if (type === name) parts.push(by);
    else parts.push(CONTAINERS.includes(type) ? sized(Buffer.concat([box.subarray(4, head), inner()])) : box);
    at += box.length;
  }
  return Buffer.concat(parts);
}
