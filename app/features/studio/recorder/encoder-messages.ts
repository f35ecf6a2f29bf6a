/** What the page sends to the encoder's worker. `samples`: of one channel, from -1 to 1. */
export type ToEncoder =
  | { kind: 'start'; sampleRate: number }
  | { kind: 'samples'; samples: Float32Array }
  | { kind: 'finish' };
export type FromEncoder = { kind: 'ready' } | { kind: 'failed' } | { kind: 'done'; mp3: Blob };
