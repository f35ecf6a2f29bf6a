import { DAYS } from '~/server/time';

/** What an upload needs to resume after a reload. file-store.ts stores the file. */
export type UploadRecord = {
  key: string;
  endpoint: string;
  /** The tus URL of the upload; null until the server has created it. */
  url: string | null;
  name: string;
  size: number;
  /** Of the file's content (fingerprint.ts). */
  fingerprint: string;
  startedAt: number;
  done: boolean;
};

/** Upload tickets expire after a day (UPLOAD_LIMITS.lifetime), also on the server. */
const LIFETIME = DAYS(1);
const storageKey = (slot: string) => `upload:${slot}`;

export function readRecord(slot: string, now: number): UploadRecord | null {
  try {
    const record = JSON.parse(localStorage.getItem(storageKey(slot)) ?? 'null') as UploadRecord | null;
    return record && now - record.startedAt < LIFETIME ? record : null;
  } catch {
    return null;
  }
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
    // storage is disabled, so there is no record
  }
}
