import { TRPCClientError } from '@trpc/client';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useStudio } from '~/app/lib/studio-context';
import { trpc } from '~/app/lib/trpc';
import type { AppRouter } from '~/server/trpc/router';
import { IDLE } from './transfer';
import {
  forgetUpload,
  type Purpose,
  pauseUpload,
  restoreUpload,
  resumeUpload,
  startUpload,
  subscribe,
  type Ticket,
  transferOf,
} from './uploader';

/** One field's upload: what it is at, and what can be done with it. `form` and `field` name it for when one comes back. */
export function useUpload(form: string, field: string, purpose: Purpose) {
  const { user } = useStudio();
  const slot = `${user.id}:${form}:${field}`;
  const { mutateAsync } = trpc.media.requestUpload.useMutation();
  const transfer = useSyncExternalStore(
    subscribe,
    () => transferOf(slot),
    () => IDLE,
  );

  const ticket: Ticket = useCallback((input) => mutateAsync(input).catch(throwWithMessage), [mutateAsync]);
  useEffect(() => void restoreUpload(slot, purpose, ticket), [slot, purpose]);

  return {
    transfer,
    start: (file: File) => void startUpload(slot, purpose, file, ticket),
    pause: () => pauseUpload(slot),
    resume: () => void resumeUpload(slot),
    forget: useCallback(() => void forgetUpload(slot), [slot]),
  };
}

export type FieldUpload = ReturnType<typeof useUpload>;

/** The sentence that the server has for a refused ticket: of its field, else of the whole. */
function throwWithMessage(error: unknown): never {
  if (!(error instanceof TRPCClientError)) throw error;
  const refused = error as TRPCClientError<AppRouter>;
  const about = Object.values(refused.data?.fields ?? {})[0]?.[0];
  throw new Error(about ?? (refused.data ? refused.message : 'common.something_went_wrong'));
}
