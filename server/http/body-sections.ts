import { randomUUID } from 'node:crypto';
import type { ByteRange } from '../adapters/storage/port';
import { type Segment, slicesOf, startsOf } from '../audio/virtual-file';

/** A file to send is a sequence of parts: ranges of stored objects, and bytes in memory. A plain file has one part. */
export type FilePart = Pick<Segment, 'bytes' | 'from'>;

/** One range of the file and the slices that it consists of. `range` is null for the text between multipart ranges. */
export type BodySection = { range: ByteRange | null; parts: PartSlice[] };
export type PartSlice = FilePart & { part: number; offset: number };

export function sectionsOf(fileParts: readonly FilePart[], ranges: ByteRange[]): BodySection[] {
  const starts = startsOf(fileParts);
  return ranges.map((range) => ({
    range,
    parts: slicesOf(starts, range.start, range.end).map(({ segment, offset, bytes }) => {
      const { from } = fileParts[segment]!;
      const sliceOf =
        'memory' in from
          ? { memory: from.memory.subarray(offset, offset + bytes) }
          : { key: from.key, start: from.start + offset };
      return { part: segment, offset, bytes, from: sliceOf };
    }),
  }));
}

/** The sections of several ranges with their part headers, as multipart/byteranges (RFC 9110 §14.6). */
export function toMultipart(sections: BodySection[], type: string, fileBytes: number) {
  const boundary = randomUUID();
  const headed = sections.flatMap((section, i) => {
    const { start, end } = section.range!;
    const head = `--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: bytes ${start}-${end}/${fileBytes}\r\n\r\n`;
    return [textSection(i === 0 ? head : `\r\n${head}`), section];
  });
  const all = [...headed, textSection(`\r\n--${boundary}--\r\n`)];
  const bytes = all.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0);
  return { sections: all, bytes, type: `multipart/byteranges; boundary=${boundary}` };
}

function textSection(text: string): BodySection {
  const memory = Buffer.from(text);
  return { range: null, parts: [{ part: -1, offset: 0, bytes: memory.length, from: { memory } }] };
}
