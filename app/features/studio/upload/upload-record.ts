import { DAYS } from '~/server/base/time';

/** The data that an upload needs to resume after a reload. file-store.ts stores the file. */
export type UploadRecord = {
  key: string;
  endpoint: string;
  /** The tus URL of the upload; null until the server has created it. */
  url: string | null;
  name: string;
  size: number;
  /** A fingerprint of the file's content (fingerprint.ts). */
  fingerprint: string;
  startedAt: number;
  done: boolean;
};

/** Upload tickets expire after a day (UPLOAD_LIMITS.lifetime), also on the server. */
const LIFETIME = DAYS(1);
const storageKey = (slot: string) => `upload:${slot}`;

export function readRecord(slot: string, now: number): UploadRecord | null {
  try {
    const record: unknown = JSON.parse(localStorage.getItem(storageKey(slot)) ?? 'null');
    return isRecord(record) && now - record.startedAt < LIFETIME ? record : null;
  } catch {
    return null;
  }
}

/** Extensions and older releases may have written other data. */
function isRecord(value: unknown): value is UploadRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { key, endpoint, url, name, size, fingerprint, startedAt, done } = value as Record<keyof UploadRecord, unknown>;
  return (
    [key, endpoint, name, fingerprint].every((text) => typeof text === 'string') &&
    [size, startedAt].every(Number.isFinite) &&
    (url === null || typeof url === 'string') &&
    typeof done === 'boolean'
  );
}

export function writeRecord(slot: string, record: UploadRecord): void {
  try {
    localStorage.setItem(storageKey(slot), JSON.stringify(record));
  } catch {
    // storage is disabled: the upload works, but can't resume after a reload
  }
}

export function removeRecord(slot: string): void {
  try {
    localStorage.removeItem(storageKey(slot));
  } catch {
    // storage is disabled, so no record exists
  }
}
