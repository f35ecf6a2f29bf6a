/**
 * `unsupported` the browser can't record · `blocked` the page was opened without the permission to ask · `denied` by
 * the user or the system · `missing` no microphone · `busy` another program uses it · `short` less than a clip may have.
 */
export type RecordProblem = 'unsupported' | 'blocked' | 'denied' | 'missing' | 'busy' | 'short' | 'failed';

const BY_NAME: Record<string, RecordProblem> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** The problem that an error of the browser means. */
export function problemOf(error: unknown): RecordProblem {
  if (error instanceof Error && 'problem' in error) return error.problem as RecordProblem;
  return (error instanceof Error && BY_NAME[error.name]) || 'failed';
}

type Policy = { allowsFeature(name: string): boolean };

/** What is known before the user is asked; null if a recording can begin. */
export function knownProblem(): RecordProblem | null {
  const isAble =
    'mediaDevices' in navigator && typeof AudioWorkletNode === 'function' && typeof WebAssembly === 'object';
  if (!isAble) return 'unsupported';
  // only Chromium has it, and only Chromium heeds our header
  const policy = (document as { featurePolicy?: Policy }).featurePolicy;
  return policy && !policy.allowsFeature('microphone') ? 'blocked' : null;
}

const two = (value: number) => String(value).padStart(2, '0');

/** The name of a recording's file, by which it is recognised after a reload: `recording-20261127-233015.mp3`. */
export function recordingName(now: Date): string {
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('');
  return `recording-${day}-${[now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('')}.mp3`;
}

export const isRecordingName = (name: string): boolean => /^recording-\d{8}-\d{6}\.mp3$/.test(name);
