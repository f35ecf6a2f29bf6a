/**
 * `waiting`: everything was heard, but the transcript was changed meanwhile, so its creator decides. `cancelled`: the
 * episode was deleted, or has another file.
 */
export type RunStatus = 'running' | 'done' | 'waiting' | 'failed' | 'cancelled';

/** Of the times for a text. The row is deleted once they are stored. */
export type TimingStatus = 'running' | 'failed';
