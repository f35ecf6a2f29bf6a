import { SECONDS } from '~/server/time';

/**
 * `waiting`: the line is down, it is tried again by itself. `interrupted`: a person must say when to go on.
 * `needs_file`: begun before a reload, and the browser does not have the file any more. `elsewhere`: another tab sends it.
 */
export type Phase =
  | 'idle'
  | 'starting'
  | 'uploading'
  | 'paused'
  | 'waiting'
  | 'interrupted'
  | 'needs_file'
  | 'elsewhere'
  | 'refused'
  | 'done';

export type Sample = { at: number; sent: number };

export type Transfer = {
  phase: Phase;
  fileName: string;
  bytes: number;
  sent: number;
  samples: Sample[];
  /** The upload's name for the form, once all of it arrived. */
  key: string | null;
  /** Why it was refused or interrupted: an error code, or a sentence of the server. */
  problem: string | null;
  /** The file, where this browser has it: it can be listened to. */
  file: Blob | null;
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
};

/** Speed is what arrived within the last while, so that it follows the line and does not jump. */
const WINDOW = SECONDS(8);

/** Notes how much was sent by now; older notes than the window fall out. */
export function withProgress(transfer: Transfer, sent: number, now: number): Transfer {
  const fresh = transfer.samples.filter(({ at }) => now - at <= WINDOW);
  return { ...transfer, phase: 'uploading', sent, problem: null, samples: [...fresh, { at: now, sent }] };
}

export function percentOf({ sent, bytes, phase }: Transfer): number {
  if (phase === 'done') return 100;
  return bytes === 0 ? 0 : Math.min(99, Math.floor((sent / bytes) * 100));
}

/** Bytes a second, and seconds to go; null while too little was seen. */
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

/** Whether it goes on by itself, so that a form may wait for it. */
export function isUnderway({ phase }: Transfer): boolean {
  return phase === 'starting' || phase === 'uploading' || phase === 'waiting' || phase === 'elsewhere';
}
