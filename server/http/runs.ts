import { randomUUID } from 'node:crypto';
import type { ByteRange } from '../adapters/storage/port';
import { type Segment, slicesOf, startsOf } from '../audio/virtual-file';

/** What is sent is a row of stretches: parts of stored objects and bytes from memory. A plain file is one stretch. */
export type Stretch = Pick<Segment, 'bytes' | 'from'>;

/** A range of a file as the parts of stretches that it consists of; null for the lines between several ranges. */
export type Run = { range: ByteRange | null; parts: RunPart[] };
export type RunPart = Stretch & { stretch: number; offset: number };

export function runsOf(stretches: readonly Stretch[], ranges: ByteRange[]): Run[] {
  const starts = startsOf(stretches);
  return ranges.map((range) => ({
    range,
    parts: slicesOf(starts, range.start, range.end).map(({ segment, offset, bytes }) => {
      const { from } = stretches[segment]!;
      const part = { stretch: segment, offset, bytes };
      if ('memory' in from) return { ...part, from: { memory: from.memory.subarray(offset, offset + bytes) } };
      return { ...part, from: { key: from.key, start: from.start + offset } };
    }),
  }));
}

/** The runs of several ranges with the lines that tell them apart, as multipart/byteranges (RFC 9110, 14.6). */
export function inMultipart(runs: Run[], type: string, fileBytes: number) {
  const boundary = randomUUID();
  const headed = runs.flatMap((run, i) => {
    const { start, end } = run.range!;
    const head = `--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: bytes ${start}-${end}/${fileBytes}\r\n\r\n`;
    return [between(i === 0 ? head : `\r\n${head}`), run];
  });
  const all = [...headed, between(`\r\n--${boundary}--\r\n`)];
  const bytes = all.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0);
  return { runs: all, bytes, type: `multipart/byteranges; boundary=${boundary}` };
}

function between(text: string): Run {
  const memory = Buffer.from(text);
  return { range: null, parts: [{ stretch: -1, offset: 0, bytes: memory.length, from: { memory } }] };
}
