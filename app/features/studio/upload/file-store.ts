/**
 * Stores files in IndexedDB while they upload, so that an upload resumes after a reload without picking the file again.
 * If storage is not available (private windows, disk full), the user is asked for the file again.
 */
const DATABASE = 'altavoz-uploads';
const STORE = 'files';

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function work<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

export async function saveFile(slot: string, file: Blob): Promise<void> {
  await work('readwrite', (store) => store.put(file, slot)).catch(() => {});
}

export async function loadFile(slot: string): Promise<Blob | null> {
  const file: unknown = await work('readonly', (store) => store.get(slot)).catch(() => null);
  return file instanceof Blob ? file : null;
}

export async function deleteFile(slot: string): Promise<void> {
  await work('readwrite', (store) => store.delete(slot)).catch(() => {});
}
