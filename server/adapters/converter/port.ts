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

/** A part of a picture, in pixels. */
export type PictureBox = { x: number; y: number; width: number; height: number };

/**
 * What a video shows: PNGs of one size, each for a time, and in `wave` more and more of `played`, from left to right. The
 * sound is an MP3. Times in milliseconds.
 */
export type VideoParts = {
  stills: { forMs: number; png(): Promise<Uint8Array> }[];
  played(): Promise<Uint8Array>;
  wave: PictureBox;
  durationMs: number;
  read(): Promise<Readable>;
  /** Aborted when nobody waits for the video any more. */
  signal: AbortSignal;
};

/**
 * Encodes an MP4 with H.264 and AAC. @throws ConverterUnavailable, ENOSPC, the signal's reason, or an error if FFmpeg can't
 * encode it
 */
export type EncodeVideo = (video: VideoParts) => Promise<Buffer>;
