import type { BulkMessage, BulkResult } from './message';

/** A message on its way through the sender. */
export type SendJob = {
  message: BulkMessage;
  domain: string;
  /** Built when its turn comes. */
  bytes: Buffer | null;
  takenAt: number;
  attempts: number;
  batch: ResultBatch;
};

export type ResultBatch = {
  /** Counts a message whose result will come. */
  add(result: BulkResult): void;
  /** Whether so many results wait to be stored that no more should follow. */
  isFull(): boolean;
  hasFailed(): boolean;
};

/** More results are stored at once, as soon as there are so many. */
const MAX_RESULTS = 500;
/** Results that this process would lose if it died. */
const MAX_WAITING = 1000;
const COLLECT_MS = 20;

/**
 * Passes results on in batches, one at a time. If that fails, it tries once more when all of them are there: a lost
 * result would send an email twice.
 */
export function collectResults(
  expected: number,
  onResults: (results: BulkResult[]) => void | Promise<void>,
  onStored: (batch: ResultBatch) => void,
): { batch: ResultBatch; done: Promise<void> } {
  let waiting: BulkResult[] = [];
  let open = expected;
  let isStoring = false;
  let hasFailed = false;
  let timer: NodeJS.Timeout | null = null;
  const { promise: done, resolve, reject } = deferred();
  if (expected === 0) resolve();

  async function store(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    if (isStoring || (hasFailed && open > 0)) return;
    isStoring = true;
    const results = waiting;
    waiting = [];
    try {
      if (results.length > 0) await onResults(results);
    } catch (error) {
      waiting = [...results, ...waiting];
      if (hasFailed) return reject(error);
      hasFailed = true;
    } finally {
      isStoring = false;
    }
    onStored(batch);
    if (open === 0 && waiting.length === 0) return resolve();
    if (open === 0 || waiting.length >= MAX_RESULTS) return store();
    if (waiting.length > 0) schedule();
  }
  function schedule(): void {
    timer ??= setTimeout(store, COLLECT_MS);
  }

  const batch: ResultBatch = {
    add(result) {
      open -= 1;
      waiting.push(result);
      if (open === 0 || waiting.length >= MAX_RESULTS) void store();
      else schedule();
    },
    isFull: () => waiting.length >= MAX_WAITING,
    hasFailed: () => hasFailed,
  };
  return { batch, done };
}

function deferred() {
  let resolve = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  return { promise, resolve, reject };
}
