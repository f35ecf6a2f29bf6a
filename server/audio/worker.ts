/** The thread for CPU-heavy work; in-worker.ts starts it and talks to it. */
import { parentPort, workerData } from 'node:worker_threads';
import { bufferSource } from './bytes';
import { type Conformed, conform, type Target } from './conform';
import { type Measured, type MeterFormat, openMeter } from './peaks';

export type Task =
  | { kind: 'measure'; format: MeterFormat }
  | { kind: 'conform'; clip: Uint8Array; target: Target; ffmpegPath: string | null };

/** Whole frames, or null at the end. */
export type Batch = { bytes: Uint8Array; frames: number } | null;
export type Reply = { next: true } | { result: Measured | Conformed };

const port = parentPort;
const post = (reply: Reply) => port?.postMessage(reply);

async function runTask(task: Task): Promise<void> {
  if (task.kind === 'conform') {
    const { clip, target, ffmpegPath } = task;
    return post({ result: await conform(bufferSource(clip), target, { ffmpegPath }) });
  }
  const meter = await openMeter(task.format);
  port?.on('message', (batch: Batch) => {
    if (batch === null) {
      post({ result: meter.done() });
      return port.close();
    }
    meter.add(batch.bytes, batch.frames);
    post({ next: true });
  });
  post({ next: true });
  // requests the second batch while the first is decoded
  post({ next: true });
}

void runTask(workerData as Task);
