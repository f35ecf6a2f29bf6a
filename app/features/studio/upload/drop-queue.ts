import type { Values } from '~/locales/translate';
import { loadFile, saveFile } from './file-store';
import { nameOfAudio, problemOfAudio } from './picked-audio';
import type { Transfer } from './transfer';
import { forgetUpload, type RequestTicket, restoreUpload, startUpload, subscribe, transferOf } from './uploader';

/** A file that becomes a draft. `problem` is an error code, or a message from the server. */
export type QueuedFile = {
  id: string;
  name: string;
  fileName: string;
  problem: { code: string; values: Values } | null;
};
type Stored = Pick<QueuedFile, 'id' | 'name' | 'fileName'>;

export type QueueTools = {
  convertsAudio: boolean;
  requestTicket: RequestTicket;
  /** @throws an error with the server's message; succeeds if an earlier attempt has used the file */
  createDraft: (file: { name: string; fileKey: string }) => Promise<void>;
};

/**
 * Files dropped on a list upload one after another, and each becomes a draft. Like the uploads themselves, the queues
 * live outside React and continue on other pages. The browser's storage keeps them across a reload.
 */
const queues = new Map<string, QueuedFile[]>();
const listeners = new Set<() => void>();
const running = new Set<string>();
const NONE: QueuedFile[] = [];

export const slotOf = (queue: string, { id }: { id: string }) => `${queue}:${id}`;
const storageKey = (queue: string) => `queue:${queue}`;

export function subscribeToQueues(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const filesIn = (queue: string): QueuedFile[] => queues.get(queue) ?? NONE;

function update(queue: string, change: (files: QueuedFile[]) => QueuedFile[]): void {
  queues.set(queue, change(filesIn(queue)));
  for (const listener of listeners) listener();
}

/** Each change reads the storage again, because another tab may have changed it. */
function updateStored(queue: string, change: (files: Stored[]) => Stored[]): void {
  try {
    const files = change(JSON.parse(localStorage.getItem(storageKey(queue)) ?? '[]') as Stored[]);
    if (files.length > 0) localStorage.setItem(storageKey(queue), JSON.stringify(files));
    else localStorage.removeItem(storageKey(queue));
  } catch {
    // storage is disabled: the queue works, but does not survive a reload
  }
}

/** Adds files and starts to upload. Unusable files are listed with their problem. */
export async function addFiles(queue: string, files: File[], tools: QueueTools): Promise<void> {
  for (const file of files) {
    const problem = await problemOfAudio(file, tools);
    const name = problem ? file.name : await nameOfAudio(file);
    const entry = { id: crypto.randomUUID(), name, fileName: file.name };
    if (!problem) {
      await saveFile(slotOf(queue, entry), file);
      updateStored(queue, (stored) => [...stored, entry]);
    }
    picked.set(entry.id, file);
    update(queue, (all) => [...all, { ...entry, problem }]);
  }
  await runQueue(queue, tools);
}

/** The files picked during this visit, for browsers without storage. */
const picked = new Map<string, File>();

/** Continues the queue of an earlier visit. */
export async function restoreQueue(queue: string, tools: QueueTools): Promise<void> {
  if (!queues.has(queue)) {
    let stored: Stored[] = [];
    updateStored(queue, (files) => {
      stored = files;
      return files;
    });
    update(queue, () => stored.map((file) => ({ ...file, problem: null })));
  }
  await runQueue(queue, tools);
}

/** Removes a file from the queue, and the part that was uploaded. */
export async function removeFile(queue: string, { id }: { id: string }): Promise<void> {
  update(queue, (files) => files.filter((file) => file.id !== id));
  updateStored(queue, (files) => files.filter((file) => file.id !== id));
  picked.delete(id);
  await forgetUpload(slotOf(queue, { id }));
}

export async function retryFile(queue: string, { id }: { id: string }, tools: QueueTools): Promise<void> {
  update(queue, (files) => files.map((file) => (file.id === id ? { ...file, problem: null } : file)));
  await runQueue(queue, tools);
}

async function runQueue(queue: string, tools: QueueTools): Promise<void> {
  if (running.has(queue)) return;
  running.add(queue);
  try {
    for (let next = nextIn(queue); next; next = nextIn(queue)) await uploadAndCreate(queue, next, tools);
  } finally {
    running.delete(queue);
  }
}

const nextIn = (queue: string) => filesIn(queue).find(({ problem }) => problem === null);

async function uploadAndCreate(queue: string, file: QueuedFile, tools: QueueTools): Promise<void> {
  const slot = slotOf(queue, file);
  const outcome = await uploaded(slot, file, tools.requestTicket);
  if (!filesIn(queue).some(({ id }) => id === file.id)) return;
  const fail = (code: string) =>
    update(queue, (files) =>
      files.map((one) => (one.id === file.id ? { ...one, problem: { code, values: {} } } : one)),
    );
  if (outcome.phase !== 'done' || outcome.key === null) {
    return fail(outcome.phase === 'needs_file' ? 'upload.drop_again' : (outcome.problem ?? 'upload.drop_again'));
  }
  try {
    await tools.createDraft({ name: file.name, fileKey: outcome.key });
    await removeFile(queue, file);
  } catch (error) {
    fail(error instanceof Error ? error.message : 'common.something_went_wrong');
  }
}

/** Waits for an upload, even while it is paused or the connection is lost. */
async function uploaded(slot: string, { id }: QueuedFile, requestTicket: RequestTicket): Promise<Transfer> {
  await restoreUpload(slot, 'episode_audio', requestTicket);
  if (transferOf(slot).phase === 'idle' || transferOf(slot).phase === 'failed') {
    const file = picked.get(id) ?? (await loadFile(slot));
    if (!file) return { ...transferOf(slot), phase: 'needs_file' };
    const { name } = file instanceof File ? file : { name: 'audio.mp3' };
    await startUpload(slot, 'episode_audio', file instanceof File ? file : new File([file], name), requestTicket);
  }
  return new Promise((resolve) => {
    const off = subscribe(check);
    function check() {
      const transfer = transferOf(slot);
      if (!['done', 'failed', 'needs_file', 'idle'].includes(transfer.phase)) return;
      off();
      resolve(transfer);
    }
    check();
  });
}
