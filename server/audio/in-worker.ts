import { type ByteSource, readSlice } from './bytes';
import type { Conformed, ConformOptions, Target } from './conform';
import { readFrames } from './frame-reader';
import type { FrameIndex } from './indexing';
import type { Measured } from './peaks';
import { startThread } from './thread';
import { openInbox } from './thread-inbox';
import type { Batch, Reply, Task } from './worker';

/** Timeout for a decoder that hangs. A batch normally takes a few hundredths of a second. */
const STEP_TIMEOUT_MS = 60_000;
/**
 * Ten minutes of audio take 14 s of CPU time for each of up to six encodings, and several times that on a busy machine.
 */
const CONFORM_TIMEOUT_MS = 600_000;
const MAX_CLIP_BYTES = 32 * 1024 * 1024;

/** Runs `measure` on a thread so that the caller stays responsive. @throws if the thread exits or hangs */
export async function measureInWorker(source: ByteSource, index: FrameIndex): Promise<Measured> {
  const { sampleRate, channels, samplesPerFrame } = index;
  const thread = startWorker({ kind: 'measure', format: { sampleRate, channels, samplesPerFrame } });
  try {
    for await (const { bytes, frames } of readFrames(source, index)) {
      await thread.reply(STEP_TIMEOUT_MS);
      thread.send({ bytes: bytes.slice(), frames });
    }
    thread.send(null);
    for (;;) {
      const reply = await thread.reply(STEP_TIMEOUT_MS);
      if ('result' in reply) return reply.result as Measured;
    }
  } finally {
    await thread.end();
  }
}

/** Runs `conform` on a thread. @throws if the thread exits or hangs */
export async function conformInWorker(
  source: ByteSource,
  target: Target,
  options: ConformOptions = {},
): Promise<Conformed> {
  if (source.size > MAX_CLIP_BYTES) return { ok: false, reason: 'clip_too_long', detail: `${source.size} bytes` };
  const clip = await readSlice(source, 0, source.size);
  const { version, sampleRate, channels, bitrate, lufs } = target;
  const format = { version, sampleRate, channels, bitrate, lufs };
  const thread = startWorker({ kind: 'conform', clip, target: format, ffmpegPath: options.ffmpegPath ?? null });
  try {
    const reply = await thread.reply(CONFORM_TIMEOUT_MS);
    if ('result' in reply) return reply.result as Conformed;
    throw new Error('the audio thread sent an unexpected message');
  } finally {
    await thread.end();
  }
}

function startWorker(task: Task) {
  // a clip is transferred, not copied
  const transferList = task.kind === 'conform' ? [task.clip.buffer as ArrayBuffer] : [];
  const options = { workerData: task, transferList, stderr: true };
  const worker = startThread({ built: 'audio-worker', source: new URL('./worker.ts', import.meta.url) }, options);
  const inbox = openInbox<Reply>();
  worker.on('message', inbox.put);
  worker.on('error', inbox.fail);
  worker.on('exit', (status) => inbox.fail(new Error(`the audio thread ended with ${status}`)));
  // the decoder prints to the console; its messages are returned as errors instead
  worker.stderr.resume();
  return {
    send: (batch: Batch) => worker.postMessage(batch, batch ? [batch.bytes.buffer as ArrayBuffer] : []),
    reply: inbox.next,
    end: () => worker.terminate(),
  };
}
