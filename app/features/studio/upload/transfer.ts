import { SECONDS } from '~/server/base/time';

/**
 * `waiting`: the connection is lost and is being retried. `interrupted`: retries have ended, so the user must resume.
 * `needs_file`: after a reload the browser no longer has the file. `elsewhere`: another tab uploads it.
 */
export type UploadPhase =
  | 'idle'
  | 'starting'
  | 'uploading'
  | 'paused'
  | 'waiting'
  | 'interrupted'
  | 'needs_file'
  | 'elsewhere'
  | 'failed'
  | 'done';

export type Sample = { at: number; sent: number };

export type Transfer = {
  phase: UploadPhase;
  fileName: string;
  bytes: number;
  sent: number;
  samples: Sample[];
  /** The key that the form submits, once the upload is complete. */
  key: string | null;
  /** Why it failed or was interrupted: an error code, or a message from the server. */
  problem: string | null;
  /** The local file, if the browser has it. */
  file: Blob | null;
  /** Whether the last file that the user picked was unusable. The part uploaded before it stays. */
  refused: boolean;
};

export const IDLE: Transfer = {
  phase: 'idle',
  fileName: '',
  bytes: 0,
  sent: 0,
  samples: [],
  key: null,
  problem: null,
  file: null,
  refused: false,
};

/** The speed is an average over this window, so that it follows the connection without jumping. */
const WINDOW = SECONDS(8);

/** Adds a progress sample and removes the samples older than the window. */
export function withProgress(transfer: Transfer, sent: number, now: number): Transfer {
  const recent = transfer.samples.filter(({ at }) => now - at <= WINDOW);
  return { ...transfer, phase: 'uploading', sent, problem: null, samples: [...recent, { at: now, sent }] };
}

export function percentOf({ sent, bytes, phase }: Transfer): number {
  if (phase === 'done') return 100;
  return bytes === 0 ? 0 : Math.min(99, Math.floor((sent / bytes) * 100));
}

/** The speed and the remaining time; null until there are enough samples. */
export function uploadSpeed({
  samples,
  sent,
  bytes,
}: Transfer): { bytesPerSecond: number; secondsLeft: number } | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < SECONDS(1) || last.sent <= first.sent) return null;
  const bytesPerSecond = ((last.sent - first.sent) / (last.at - first.at)) * 1000;
  return { bytesPerSecond, secondsLeft: Math.ceil((bytes - sent) / bytesPerSecond) };
}

/** Whether the upload continues without the user, so that a form can wait for it. */
export function isUnderway({ phase }: Transfer): boolean {
  return phase === 'starting' || phase === 'uploading' || phase === 'waiting' || phase === 'elsewhere';
}
