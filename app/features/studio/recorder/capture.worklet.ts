/** The part of the browser's scope for audio worklets that this file uses. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: typeof AudioWorkletProcessor): void;

const BATCH = 2048;

/** Collects the microphone's samples and sends them in batches. A browser calls it for every 128 of them. */
class Capture extends AudioWorkletProcessor {
  private batch = new Float32Array(BATCH);
  private filled = 0;

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (!samples) return true;
    this.batch.set(samples, this.filled);
    this.filled += samples.length;
    if (this.filled === BATCH) {
      this.port.postMessage(this.batch, [this.batch.buffer]);
      this.batch = new Float32Array(BATCH);
      this.filled = 0;
    }
    return true;
  }
}

registerProcessor('capture', Capture);
