import { type ByteSource, openWindow } from '~/server/audio/bytes';
import { findLeadStream } from '~/server/audio/frames';
import { headTags } from '~/server/audio/id3';
import { isConvertibleName, otherFormat } from '~/server/domain/media/audio-formats';
import { checkUpload, otherFormatCode, statedMegabytesOf } from '~/server/domain/media/rules';
import { type FileProblem, factsOf, type PickedFile } from './check-file';

/** Checks a picked recording before its upload: its name and size like the server, and its first bytes. */
export async function audioFileProblem(
  file: PickedFile,
  installation: { convertsAudio: boolean },
): Promise<FileProblem | null> {
  const code = checkUpload({ ...factsOf(file), fileSize: file.size, purpose: 'episode_audio' }, installation);
  if (code !== null && code !== 'upload.not_mp3' && code !== 'upload.not_audio') {
    return { code, values: { megabytes: statedMegabytesOf('episode_audio') } };
  }
  const source = { size: file.size, read: (into: Uint8Array, position: number) => readInto(file, into, position) };
  const format = await otherFormat(source).catch(() => undefined);
  // the user picked a folder, or the file has moved or changed since
  if (format === undefined) return { code: code ?? 'upload.unreadable', values: {} };
  if (format === null) return unknownProblem(code, { ...installation, hasFrames: await hasFrames(source) });
  if (installation.convertsAudio) return convertedProblem(code, format);
  return { code: otherFormatCode(code ? 'named' : 'renamed', format), values: { format } };
}

type Content = { convertsAudio: boolean; hasFrames: boolean };

/** The problem of a file whose format is unknown. Without MP3 frames, it is not an MP3 either. */
function unknownProblem(code: string | null, { convertsAudio, hasFrames }: Content): FileProblem | null {
  if (code !== null) return { code, values: {} };
  return hasFrames ? null : { code: convertsAudio ? 'audio.not_audio' : 'audio.not_mp3', values: {} };
}

/** Whether the server would find an MP3 after the tags. The server explains tags without audio better, so they pass. */
async function hasFrames(source: ByteSource): Promise<boolean> {
  const tags = await headTags(source);
  const start = tags.at(-1)?.end ?? 0;
  if (start >= source.size) return true;
  return (await findLeadStream(openWindow(source), { start, end: source.size })) !== null;
}

/** The problem of a file that needs conversion. `code`: the error of its name, or null. */
function convertedProblem(code: string | null, format: string): FileProblem | null {
  const isFine = code === null && isConvertibleName(format);
  return isFine ? null : { code: 'upload.unaccepted', values: { format } };
}

async function readInto(file: PickedFile, into: Uint8Array, position: number): Promise<number> {
  const bytes = new Uint8Array(await file.slice(position, position + into.length).arrayBuffer());
  into.set(bytes);
  return bytes.length;
}
