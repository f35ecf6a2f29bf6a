import type { Ctx } from '../../ctx';

/** What reading an uploaded file says of it. `reason` and `warnings` are error codes with a sentence in the locales. */
export type AudioVerdict =
  | {
      ok: true;
      /** Its immutable place: `audio/{creator}/{episode}/{sha256}.mp3`. */
      audioKey: string;
      bytes: number;
      sha256: string;
      durationMs: number;
      /** Bits per second, the average of a VBR file. */
      bitrate: number;
      sampleRate: number;
      channels: number;
      /** Bytes before the first audio frame. */
      headBytes: number;
      warnings: string[];
      /** Base key of a cover made of the picture inside the file, if it has one. */
      coverKey: string | null;
    }
  | { ok: false; reason: string };

/** Reads the file of an upload and moves it to its immutable place. Can be run again after a crash at any point. */
export declare function probeAudio(
  ctx: Ctx,
  input: { uploadKey: string; creatorId: number; episodeId: number },
): Promise<AudioVerdict>;
