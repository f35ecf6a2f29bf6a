import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ByteSource } from '../../audio/bytes';
import type { ConvertibleFormat } from '../../audio/container';
import { ConverterUnavailable } from '../../base/errors';
import { CONVERSION_LIMITS } from '../../limits/media';
import type { Conversion, ConversionFault, ConvertAudio, ConvertedMp3 } from './port';
import {
  conversionArguments,
  type FfmpegRun,
  type FfmpegWork,
  pictureArguments,
  type RunLimits,
  runFfmpeg,
} from './run-ffmpeg';
import { inTemporaryFolder } from './temporary-folder';

type Settings = {
  program: string;
  /** For temporary files. Processes may share it. */
  folder: string;
  limits?: Partial<RunLimits>;
  /** Waits for its turn: each conversion keeps a core busy. */
  withSlot<T>(work: () => Promise<T>): Promise<T>;
};

/** Converts files with the FFmpeg of the operator. */
export function audioConverter({ program, folder, limits: given, withSlot }: Settings): ConvertAudio {
  const limits = { ...CONVERSION_LIMITS, ...given };
  return (file, use) =>
    withSlot(() =>
      inTemporaryFolder(folder, file.bytes + 2 * limits.maxBytes, async (own) => {
        const input = join(own, 'input');
        await pipeline(await file.read(), createWriteStream(input));
        return convert({ program, limits }, { input, format: file.format, output: join(own, 'output.mp3') }, use);
      }),
    );
}

export type Tool = { program: string; limits: RunLimits };
type Job = { input: string; format: ConvertibleFormat; output: string };

async function convert<T>(tool: Tool, job: Job, use: (mp3: ConvertedMp3) => Promise<T>): Promise<Conversion<T>> {
  const args = conversionArguments(job.input, job.format, tool.limits.maxBytes);
  const run = await runTool(tool, { args, output: job.output });
  const fault = faultOf(run);
  if (fault) return { ok: false, fault, messages: run.messages };
  const handle = await open(job.output);
  try {
    const { size } = await handle.stat();
    if (run.status !== 0 || size === 0) {
      await assertWorks(tool, `${job.output}.test`);
      return { ok: false, fault: 'unreadable', messages: run.messages };
    }
    const read: ByteSource['read'] = async (into, at) => (await handle.read(into, 0, into.length, at)).bytesRead;
    const picture = await pictureIn(tool, job);
    const mp3 = { path: job.output, source: { size, read }, picture, statedMs: run.report.durationMs };
    return { ok: true, value: await use(mp3) };
  } finally {
    await handle.close();
  }
}

function faultOf({ status, stopped, report }: FfmpegRun): ConversionFault | null {
  if (stopped === 'too_long' || stopped === 'protected') return stopped;
  return status === 1 && report.isOpened && !report.hasSound ? 'no_sound' : null;
}

/** @throws ConverterUnavailable if FFmpeg can't be started, and the error if its output can't be written */
export async function runTool({ program, limits }: Tool, work: FfmpegWork): Promise<FfmpegRun> {
  return runFfmpeg(program, work, limits).catch((error: NodeJS.ErrnoException) => {
    // FFmpeg did not start: other system errors mean that its output could not be written
    if (error.syscall?.startsWith('spawn')) throw new ConverterUnavailable(`FFmpeg: ${error.message}`);
    throw error;
  });
}

/** The picture is no reason to reject the sound. */
async function pictureIn(tool: Tool, { input, format, output }: Job): Promise<Uint8Array | null> {
  const { pictureBytes } = CONVERSION_LIMITS;
  const picture = `${output}.${randomUUID()}`;
  const args = pictureArguments(input, format, pictureBytes);
  const run = await runTool(tool, { args, output: picture }).catch(() => null);
  return run?.status === 0 ? new Uint8Array(await readFile(picture)) : null;
}

/**
 * After a failure, converts a file that is certainly good: if that works, the other file was at fault.
 * @throws ConverterUnavailable
 */
async function assertWorks(tool: Tool, folder: string): Promise<void> {
  await mkdir(folder);
  const job = { input: join(folder, 'input'), output: join(folder, 'output') };
  await writeFile(job.input, silentWav());
  const limits = { ...tool.limits, timeoutMs: Math.min(tool.limits.timeoutMs, CONVERSION_LIMITS.testTimeoutMs) };
  const args = conversionArguments(job.input, 'wav', limits.maxBytes);
  const run = await runTool({ ...tool, limits }, { args, output: job.output });
  if (run.status === 0 && (await stat(job.output)).size > 0) return;
  throw new ConverterUnavailable(`FFmpeg failed (${run.stopped ?? run.status}): ${run.messages}`);
}

/** A tenth of a second, 16 bits at 44.1 kHz. */
function silentWav(): Buffer {
  const bytes = Buffer.alloc(44 + 8820);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  const fields = [16, 1 | (1 << 16), 44_100, 88_200, 2 | (16 << 16)];
  fields.forEach((field, i) => {
    bytes.writeUInt32LE(field, 16 + 4 * i);
  });
  bytes.write('data', 36);
  bytes.writeUInt32LE(8820, 40);
  return bytes;
}
