import type { Upload } from 'tus-js-client';
import { startTusUpload } from '~/app/lib/tus-upload';
import { SECONDS } from '~/server/base/time';
import { isSameFile } from './check-file';
import { deleteFile, loadFile, saveFile } from './file-store';
import { fingerprint } from './fingerprint';
import { IDLE, type Transfer, withProgress } from './transfer';
import { acquireUploadLock } from './upload-lock';
import { readRecord, removeRecord, type UploadRecord, writeRecord } from './upload-record';

export type Purpose =
  | 'episode_audio'
  | 'cover'
  | 'avatar'
  | 'chapter_image'
  | 'newsletter_logo'
  | 'promo'
  | 'insertion_audio';
export type RequestTicket = (input: {
  purpose: Purpose;
  fileName: string;
  contentType: string;
  fileSize: number;
}) => Promise<{ key: string; endpoint: string }>;

type ActiveUpload = {
  transfer: Transfer;
  upload: Upload | null;
  requestTicket: RequestTicket | null;
  purpose: Purpose;
  releaseLock: () => void;
};

/**
 * Uploads live outside React, so they continue when the user leaves the screen. A slot, made of user, form and field,
 * identifies an upload. Components observe it through `subscribe` and `transferOf`.
 */
const uploads = new Map<string, ActiveUpload>();
const listeners = new Set<() => void>();

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function transferOf(slot: string): Transfer {
  return uploads.get(slot)?.transfer ?? IDLE;
}

function updateTransfer(slot: string, update: (transfer: Transfer) => Transfer): void {
  const current = uploads.get(slot);
  if (!current) return;
  uploads.set(slot, { ...current, transfer: update(current.transfer) });
  for (const listener of listeners) listener();
}

const patchTransfer = (slot: string, part: Partial<Transfer>) =>
  updateTransfer(slot, (transfer) => ({ ...transfer, ...part }));

function patchUpload(slot: string, part: Partial<ActiveUpload>): void {
  const current = uploads.get(slot);
  if (current) uploads.set(slot, { ...current, ...part });
}

/** Starts an upload, or resumes it if the same file was interrupted before. */
export async function startUpload(
  slot: string,
  purpose: Purpose,
  file: File,
  requestTicket: RequestTicket,
): Promise<void> {
  stop(slot);
  const { name: fileName, size: bytes } = file;
  addUpload(slot, { ...IDLE, phase: 'starting', fileName, bytes, file }, { purpose, requestTicket });
  const identity = { name: fileName, size: bytes, fingerprint: await fingerprint(file) };
  // the user has picked another file in the meantime
  if (transferOf(slot).file !== file) return;
  const record = readRecord(slot, Date.now());
  if (record && !isSameFile(record, identity)) removeRecord(slot);
  void saveFile(slot, file);
  await resumeOrStart(slot, file);
}

function addUpload(
  slot: string,
  transfer: Transfer,
  { purpose, requestTicket }: Pick<ActiveUpload, 'purpose' | 'requestTicket'>,
): void {
  uploads.set(slot, { transfer, upload: null, requestTicket, purpose, releaseLock: () => {} });
  patchTransfer(slot, {});
}

/** Resumes an upload of an earlier visit when its field is shown. */
export async function restoreUpload(slot: string, purpose: Purpose, requestTicket: RequestTicket): Promise<void> {
  if (uploads.has(slot)) return;
  const record = readRecord(slot, Date.now());
  if (!record) return;
  const { name: fileName, size: bytes, done, key } = record;
  const phase = done ? 'done' : 'starting';
  addUpload(slot, { ...IDLE, phase, fileName, bytes, key: done ? key : null }, { purpose, requestTicket });
  const file = await loadFile(slot);
  // a file that the user has picked in the meantime takes precedence
  if (transferOf(slot).file) return;
  patchTransfer(slot, { file });
  if (done) return;
  if (file) await resumeOrStart(slot, file);
  else patchTransfer(slot, { phase: 'needs_file' });
}

async function resumeOrStart(slot: string, file: Blob): Promise<void> {
  const lock = await acquireUploadLock(slot, () => patchTransfer(slot, { phase: 'elsewhere' }));
  patchUpload(slot, { releaseLock: lock.release });
  const record = readRecord(slot, Date.now());
  if (record?.done) {
    lock.release();
    return patchTransfer(slot, { phase: 'done', sent: file.size, key: record.key });
  }
  try {
    await sendFile(slot, file, record ?? (await newRecord(slot, file)));
  } catch (error) {
    lock.release();
    patchTransfer(slot, { phase: 'failed', problem: error instanceof Error ? error.message : String(error) });
  }
}

async function newRecord(slot: string, file: Blob): Promise<UploadRecord> {
  const current = uploads.get(slot);
  if (!current?.requestTicket) throw new Error('upload.not_found');
  const { fileName } = current.transfer;
  // the request also waits for the connection
  if (!navigator.onLine) patchTransfer(slot, { phase: 'waiting' });
  const { key, endpoint } = await current.requestTicket({
    purpose: current.purpose,
    fileName,
    contentType: file.type || 'audio/mpeg',
    fileSize: file.size,
  });
  const record = {
    key,
    endpoint,
    url: null,
    name: fileName,
    size: file.size,
    fingerprint: await fingerprint(file),
    startedAt: Date.now(),
    done: false,
  };
  writeRecord(slot, record);
  return record;
}

async function sendFile(slot: string, file: Blob, record: UploadRecord): Promise<void> {
  const upload = await startTusUpload(file, record, {
    onUrl: (url) => writeRecord(slot, { ...record, url }),
    onProgress: (sent) => updateTransfer(slot, (transfer) => withProgress(transfer, sent, Date.now())),
    onConnectionLost: () => patchTransfer(slot, { phase: 'waiting', samples: [] }),
    onFailed: (problem, gone) => {
      uploads.get(slot)?.releaseLock();
      if (gone) removeRecord(slot);
      patchTransfer(slot, { phase: problem ? 'failed' : 'interrupted', problem, samples: [] });
    },
    onDone: () => {
      uploads.get(slot)?.releaseLock();
      writeRecord(slot, { ...record, done: true });
      patchTransfer(slot, { phase: 'done', sent: file.size, key: record.key, problem: null });
    },
  });
  patchUpload(slot, { upload });
  // the user paused or cancelled while the library was loading
  const { phase } = transferOf(slot);
  if (phase === 'paused' || phase === 'idle') void upload.abort();
}

function stop(slot: string): void {
  void uploads.get(slot)?.upload?.abort();
  uploads.get(slot)?.releaseLock();
}

export function pauseUpload(slot: string): void {
  stop(slot);
  patchTransfer(slot, { phase: 'paused', samples: [] });
}

/** Resumes after a pause, an interruption or a failure. */
export async function resumeUpload(slot: string): Promise<void> {
  const { file } = transferOf(slot);
  if (!file) return patchTransfer(slot, { phase: 'needs_file' });
  patchTransfer(slot, { phase: 'starting', problem: null });
  await resumeOrStart(slot, file);
}

/** Removes the upload when the form was submitted or the user discarded it. */
export async function forgetUpload(slot: string): Promise<void> {
  stop(slot);
  uploads.delete(slot);
  removeRecord(slot);
  for (const listener of listeners) listener();
  await deleteFile(slot);
}

if (typeof window !== 'undefined') {
  // interrupted uploads resume when the browser is online again
  window.addEventListener('online', () => {
    for (const [slot, { transfer }] of uploads) {
      if (transfer.phase === 'interrupted') setTimeout(() => void resumeUpload(slot), SECONDS(1));
    }
  });
}
