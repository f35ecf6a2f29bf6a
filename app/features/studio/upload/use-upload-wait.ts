import { useCallback, useEffect, useState } from 'react';
import { isUnderway, type Transfer } from './transfer';
import type { FieldUpload } from './use-upload';

/**
 * Lets the user submit a form while its files upload. The form is submitted once the last file has arrived.
 * @param uploads by the name of the field that submits the key
 */
export function useUploadWait(uploads: Record<string, FieldUpload>) {
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  const transfers = Object.fromEntries(Object.entries(uploads).map(([name, { transfer }]) => [name, transfer]));
  const underway = Object.keys(transfers).filter((name) => isUnderway(transfers[name]!));
  return {
    transfers,
    /** The fields whose keys are still missing. */
    underway,
    waiting,
    stopWaiting: useCallback(() => setWaiting(null), []),
    formProps: {
      ignoreFields: underway,
      beforeSubmit(submit: () => void): boolean {
        for (const upload of Object.values(uploads)) upload.dismissRefusal();
        if (underway.length > 0) setWaiting(() => submit);
        return underway.length > 0;
      },
      onSubmitted() {
        for (const upload of Object.values(uploads)) upload.forget();
      },
    },
  };
}

export type UploadWait = ReturnType<typeof useUploadWait>;

/** Submits the waiting form when its fields have all keys. A failed, paused or refused upload ends the wait. */
export function useSubmitWhenUploaded({ transfers, waiting, stopWaiting }: UploadWait, values: Record<string, string>) {
  const picked = Object.entries(transfers).filter(([, { phase }]) => phase !== 'idle');
  const isArrived = picked.every(([name, { phase, key }]) => phase === 'done' && values[name] === key);
  const isStopped = Object.values(transfers).some(
    (transfer) => transfer.refused || (!isUnderway(transfer) && transfer.phase !== 'done' && transfer.phase !== 'idle'),
  );
  useEffect(() => {
    if (!waiting || !(isArrived || isStopped)) return;
    stopWaiting();
    if (isArrived && !isStopped) waiting();
  }, [waiting, isArrived, isStopped, stopWaiting]);
}

/** The combined progress of all files. It never reaches 100, because the form is submitted before. */
export function totalPercent(transfers: Record<string, Transfer>): number {
  const all = Object.values(transfers);
  const bytes = all.reduce((sum, transfer) => sum + transfer.bytes, 0);
  const sent = all.reduce((sum, { phase, sent, bytes }) => sum + (phase === 'done' ? bytes : sent), 0);
  return bytes === 0 ? 0 : Math.min(99, Math.floor((sent / bytes) * 100));
}
