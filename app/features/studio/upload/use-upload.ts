import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useStudio } from '~/app/lib/studio-context';
import { useChange } from '~/app/lib/trpc';
import { serverMessage } from '~/app/lib/trpc-errors';
import { latestPick } from './latest-pick';
import { IDLE, type Transfer } from './transfer';
import {
  forgetUpload,
  type Purpose,
  pauseUpload,
  type RequestTicket,
  restoreUpload,
  resumeUpload,
  startUpload,
  subscribe,
  transferOf,
} from './uploader';

/** One field's upload: its state and its actions. `form` and `field` identify it after a reload. */
export function useUpload(form: string, field: string, purpose: Exclude<Purpose, 'promo'>) {
  const { changeAsync } = useChange('media.requestUpload');
  const request = useCallback((input: TicketInput) => changeAsync({ ...input, purpose }), [changeAsync, purpose]);
  return useFieldUpload(`${form}:${field}`, purpose, request);
}

/** The upload of an episode's promo, whose ticket depends on the episode. */
export function usePromoUpload(episodeId: number) {
  const { changeAsync } = useChange('episodes.requestPromoUpload');
  const request = useCallback(
    ({ fileName, contentType, fileSize }: TicketInput) => changeAsync({ fileName, contentType, fileSize, episodeId }),
    [changeAsync, episodeId],
  );
  return useFieldUpload(`promo-${episodeId}:promoKey`, 'promo', request);
}

type TicketInput = Parameters<RequestTicket>[0];

function useFieldUpload(name: string, purpose: Purpose, request: RequestTicket) {
  const { user } = useStudio();
  const slot = `${user.id}:${name}`;
  const [pick, setPick] = useState<Partial<Transfer>>({});
  const [checkLatest] = useState(latestPick);
  const stored = useSyncExternalStore(
    subscribe,
    () => transferOf(slot),
    () => IDLE,
  );

  const ticket: RequestTicket = useCallback((input) => request(input).catch(throwWithMessage), [request]);
  useEffect(() => void restoreUpload(slot, purpose, ticket), [slot, purpose]);

  const start = (file: File) => void startUpload(slot, purpose, file, ticket);
  return {
    transfer: { ...stored, ...pick },
    start,
    /**
     * Starts the upload if `check` finds no problem. Reading the file takes a moment, during which a form already waits
     * for it.
     * @returns the result of the check, or null if the user picked another file in the meantime
     */
    async checkAndStart<Problem>(file: File, check: (file: File) => Promise<Problem | null>) {
      setPick({ phase: 'starting', fileName: file.name, bytes: file.size, sent: 0 });
      const checked = await checkLatest(file, check);
      if (!checked) return null;
      if (checked.problem === null) start(file);
      setPick(checked.problem === null ? {} : { refused: true });
      return checked;
    },
    /**
     * Starts the upload of a picture that is still being cut. A form already waits for it.
     * @returns whether the picture could be cut
     */
    async startWhenCut(picture: Promise<File>): Promise<boolean> {
      setPick({ phase: 'starting', bytes: 0, sent: 0 });
      const checked = await checkLatest(picture, () =>
        picture.then(
          () => null,
          () => 'failed' as const,
        ),
      );
      if (!checked) return true;
      if (checked.problem === null) start(await picture);
      setPick(checked.problem === null ? {} : { refused: true });
      return checked.problem === null;
    },
    /** A refused file ends only the wait during which it was picked, not a later wait for the former file. */
    dismissRefusal: () => setPick((current) => (current.refused ? {} : current)),
    pause: () => pauseUpload(slot),
    resume: () => void resumeUpload(slot),
    forget: useCallback(() => void forgetUpload(slot), [slot]),
  };
}

export type FieldUpload = ReturnType<typeof useUpload>;

/** The uploader shows the error's message, so it must be the server's message or an error code. */
function throwWithMessage(error: unknown): never {
  throw new Error(serverMessage(error) ?? 'common.something_went_wrong');
}
