import type { Upload } from 'tus-js-client';
import { SECONDS } from '~/server/time';
import { isSameFile } from './check-file';
import { deleteFile, loadFile, saveFile } from './file-store';
import { fingerprint } from './fingerprint';
import { IDLE, type Transfer, withProgress } from './transfer';
import { startTusUpload } from './tus-upload';
import { acquireUploadLock } from './upload-lock';
import { readRecord, removeRecord, type UploadRecord, writeRecord } from './upload-record';

export type Purpose = 'episode_audio' | 'cover' | 'avatar';
export type Ticket = (input: {
  purpose: Purpose;
  fileName: string;
  contentType: string;
  fileSize: number;
}) => Promise<{ key: string; endpoint: string }>;

type ActiveUpload = {
  transfer: Transfer;
  upload: Upload | null;
  ticket: Ticket | null;
  purpose: Purpose;
  release: () => void;
};

/**
 * Uploads live outside of the screens: one that is left goes on, and is found again by its slot, which names user, form
 * and field. Screens look on through `subscribe` and `transferOf`.
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

function change(slot: string, update: (transfer: Transfer) => Transfer): void {
  const live = uploads.get(slot);
  if (!live) return;
  uploads.set(slot, { ...live, transfer: update(live.transfer) });
  for (const listener of listeners) listener();
}

const patchTransfer = (slot: string, part: Partial<Transfer>) => change(slot, (transfer) => ({ ...transfer, ...part }));

function patchUpload(slot: string, part: Partial<ActiveUpload>): void {
  const live = uploads.get(slot);
  if (live) uploads.set(slot, { ...live, ...part });
}

/** Begins with a file, or goes on with it where the very same one was begun before. */
export async function startUpload(slot: string, purpose: Purpose, file: File, ticket: Ticket): Promise<void> {
  stop(slot);
  const { name: fileName, size: bytes } = file;
  show(slot, { ...IDLE, phase: 'starting', fileName, bytes, file }, { purpose, ticket });
  const known = { name: fileName, size: bytes, fingerprint: await fingerprint(file) };
  // another file was picked meanwhile
  if (transferOf(slot).file !== file) return;
  const before = readRecord(slot, Date.now());
  if (before && !isSameFile(before, known)) removeRecord(slot);
  void saveFile(slot, file);
  await run(slot, file);
}

function show(slot: string, transfer: Transfer, { purpose, ticket }: Pick<ActiveUpload, 'purpose' | 'ticket'>): void {
  uploads.set(slot, { transfer, upload: null, ticket, purpose, release: () => {} });
  patchTransfer(slot, {});
}

/** Takes up what an earlier visit began, as soon as a screen shows it. */
export async function restoreUpload(slot: string, purpose: Purpose, ticket: Ticket): Promise<void> {
  if (uploads.has(slot)) return;
  const record = readRecord(slot, Date.now());
  if (!record) return;
  const { name: fileName, size: bytes, done, key } = record;
  const phase = done ? 'done' : 'starting';
  show(slot, { ...IDLE, phase, fileName, bytes, key: done ? key : null }, { purpose, ticket });
  const file = await loadFile(slot);
  // a file was picked meanwhile: that one counts
  if (transferOf(slot).file) return;
  patchTransfer(slot, { file });
  if (done) return;
  if (file) await run(slot, file);
  else patchTransfer(slot, { phase: 'needs_file' });
}

async function run(slot: string, file: Blob): Promise<void> {
  const alone = await acquireUploadLock(slot, () => patchTransfer(slot, { phase: 'elsewhere' }));
  patchUpload(slot, { release: alone.release });
  const record = readRecord(slot, Date.now());
  if (record?.done) {
    alone.release();
    return patchTransfer(slot, { phase: 'done', sent: file.size, key: record.key });
  }
  try {
    await send(slot, file, record ?? (await newRecord(slot, file)));
  } catch (error) {
    alone.release();
    patchTransfer(slot, { phase: 'refused', problem: error instanceof Error ? error.message : String(error) });
  }
}

async function newRecord(slot: string, file: Blob): Promise<UploadRecord> {
  const live = uploads.get(slot);
  if (!live?.ticket) throw new Error('upload.not_found');
  const { fileName } = live.transfer;
  const { key, endpoint } = await live.ticket({
    purpose: live.purpose,
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

async function send(slot: string, file: Blob, record: UploadRecord): Promise<void> {
  const upload = await startTusUpload(file, record, {
    onUrl: (url) => writeRecord(slot, { ...record, url }),
    onProgress: (sent) => change(slot, (transfer) => withProgress(transfer, sent, Date.now())),
    onConnectionLost: () => patchTransfer(slot, { phase: 'waiting', samples: [] }),
    onFailed: (problem, gone) => {
      uploads.get(slot)?.release();
      if (gone) removeRecord(slot);
      patchTransfer(slot, { phase: problem ? 'refused' : 'interrupted', problem, samples: [] });
    },
    onDone: () => {
      uploads.get(slot)?.release();
      writeRecord(slot, { ...record, done: true });
      patchTransfer(slot, { phase: 'done', sent: file.size, key: record.key, problem: null });
    },
  });
  patchUpload(slot, { upload });
  // paused or given up while the library was on its way
  const { phase } = transferOf(slot);
  if (phase === 'paused' || phase === 'idle') void upload.abort();
}

function stop(slot: string): void {
  void uploads.get(slot)?.upload?.abort();
  uploads.get(slot)?.release();
}

export function pauseUpload(slot: string): void {
  stop(slot);
  patchTransfer(slot, { phase: 'paused', samples: [] });
}

/** Goes on after a pause, an interruption or a refusal that may have passed. */
export async function resumeUpload(slot: string): Promise<void> {
  const { file } = transferOf(slot);
  if (!file) return patchTransfer(slot, { phase: 'needs_file' });
  patchTransfer(slot, { phase: 'starting', problem: null });
  await run(slot, file);
}

/** The form was sent, or the file is not wanted any more. */
export async function forgetUpload(slot: string): Promise<void> {
  stop(slot);
  uploads.delete(slot);
  removeRecord(slot);
  for (const listener of listeners) listener();
  await deleteFile(slot);
}

if (typeof window !== 'undefined') {
  // back on line: whatever waited for a person to notice goes on by itself
  window.addEventListener('online', () => {
    for (const [slot, { transfer }] of uploads) {
      if (transfer.phase === 'interrupted') setTimeout(() => void resumeUpload(slot), SECONDS(1));
    }
  });
}
