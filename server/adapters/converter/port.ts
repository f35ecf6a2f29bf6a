import type { Readable } from 'node:stream';
import type { ByteSource } from '../../audio/bytes';
import type { ConvertibleFormat } from '../../audio/container';

/** A file in another format than MP3. `bytes`: its size. */
export type ToConvert = { format: ConvertibleFormat; bytes: number; read(): Promise<Readable> };

/** A temporary file. `picture`: the cover inside the original, or bytes that are not an image. */
export type ConvertedMp3 = {
  path: string;
  source: ByteSource;
  picture: Uint8Array | null;
  /** As the original states it. */
  statedMs: number | null;
};

/**
 * `too_long` longer than an MP3 may be · `no_sound` no recording in the file · `protected` encrypted ·
 * `unreadable` FFmpeg can't read it, although it works.
 */
export type ConversionFault = 'too_long' | 'no_sound' | 'protected' | 'unreadable';

export type Conversion<T> = { ok: true; value: T } | { ok: false; fault: ConversionFault; messages: string };

/** Converts a file and lets `use` read the result, which is deleted then. @throws ConverterUnavailable, ENOSPC */
export type ConvertAudio = <T>(file: ToConvert, use: (mp3: ConvertedMp3) => Promise<T>) => Promise<Conversion<T>>;
