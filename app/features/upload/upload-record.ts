import { DAYS } from '~/server/time';

/** What is needed to go on with an upload after a reload. The file's content is kept elsewhere. */
export type UploadRecord = {
  key: string;
  endpoint: string;
  /** Address of the half-sent upload; none before the server gave one. */
  url: string | null;
  name: string;
  size: number;
  /** Of the file's content (file-print.ts). */
  fingerprint: string;
  startedAt: number;
  done: boolean;
};

/** A ticket lives a day (UPLOAD_LIMITS.lifetime); what is older is gone on the server too. */
const LIFETIME = DAYS(1);
const nameOf = (slot: string) => `upload:${slot}`;

export function readRecord(slot: string, now: number): UploadRecord | null {
  try {
    const record = JSON.parse(localStorage.getItem(nameOf(slot)) ?? 'null') as UploadRecord | null;
    return record && now - record.startedAt < LIFETIME ? record : null;
  } catch {
    return null;
  }
}

export function writeRecord(slot: string, record: UploadRecord): void {
  try {
    localStorage.setItem(nameOf(slot), JSON.stringify(record));
  } catch {
    // no storage: the upload works, it only can't be taken up after a reload
  }
}

export function removeRecord(slot: string): void {
  try {
    localStorage.removeItem(nameOf(slot));
  } catch {
    // no storage: nothing to remove
  }
}
