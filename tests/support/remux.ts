import { bodyOffset, frameLength, reservoirNeed, sideInfoOffset, streamFormat } from '~/server/audio/frame-header';

/** Changes the layout of frames but not the sound, to get files that the available encoder cannot write. */
export type Layout = {
  /** Adds a checksum after each header. */
  crc?: boolean;
  /** Bit rate index for every frame; 0 = free format, with frames of `freeBytes`. */
  rateIndex: number;
  freeBytes?: number;
};

/** Writes the sound of each frame into one frame, so that no frame borrows bytes. Input and output are bare frames. */
export function remux(mp3: Buffer, { crc = false, rateIndex, freeBytes = 0 }: Layout): Buffer {
  const out: Buffer[] = [];
  let reservoir = Buffer.alloc(0);
  for (let at = 0; at + 4 <= mp3.length; ) {
    const length = frameLength(mp3, at);
    const { version, channels } = streamFormat(mp3, at);
    const bodyAt = at + bodyOffset(mp3, at);
    const side = Buffer.from(mp3.subarray(at + sideInfoOffset(mp3, at), bodyAt));
    const body = mp3.subarray(bodyAt, at + length);
    const stream = Buffer.concat([reservoir.subarray(reservoir.length - reservoirNeed(mp3, at)), body]);
    const bytes = Math.ceil(soundBits(side, version, channels) / 8);
    reservoir = Buffer.concat([reservoir, body]).subarray(-511);

    side[0] = 0;
    if (version === 1) side[1]! &= 0x7f;
    const header = Buffer.from(mp3.subarray(at, at + 4));
    header[1] = (header[1]! & 0xfe) | (crc ? 0 : 1);
    header[2] = (rateIndex << 4) | (header[2]! & 0x0c);
    const head = crc ? Buffer.concat([header, checksum(header, side), side]) : Buffer.concat([header, side]);
    const frame = Buffer.alloc(rateIndex === 0 ? freeBytes : frameLength(header, 0));
    if (head.length + bytes > frame.length) throw new Error(`${bytes} bytes of sound in a frame of ${frame.length}`);
    head.copy(frame);
    stream.copy(frame, head.length, 0, bytes);
    out.push(frame);
    at += length;
  }
  return Buffer.concat(out);
}

function soundBits(side: Buffer, version: 1 | 2 | 2.5, channels: 1 | 2): number {
  const [granules, bits, before] = version === 1 ? [2, 59, channels === 1 ? 18 : 20] : [1, 63, channels === 1 ? 9 : 10];
  let total = 0;
  for (let i = 0; i < granules * channels; i++) {
    const bit = before + i * bits;
    const word = (side[bit >> 3]! << 16) | (side[(bit >> 3) + 1]! << 8) | side[(bit >> 3) + 2]!;
    total += (word >> (12 - (bit & 7))) & 0xfff;
  }
  return total;
}

/** CRC-16 over the header's last two bytes and the side information. */
function checksum(header: Buffer, side: Buffer): Buffer {
  let crc = 0xffff;
  for (const byte of [header[2]!, header[3]!, ...side]) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) ^ (carry ? 0x8005 : 0)) & 0xffff;
    }
  }
  return Buffer.from([crc >> 8, crc & 255]);
}
