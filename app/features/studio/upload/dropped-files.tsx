import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { Button } from '~/app/components/button';
import { UploadIcon } from '~/app/components/line-icons';
import { showErrorToast } from '~/app/components/toast';
import { useRevalidator } from '~/app/lib/router';
import { useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { useChange } from '~/app/lib/trpc';
import { errorCode, serverMessage } from '~/app/lib/trpc-errors';
import { typeOfNew } from '~/server/domain/episodes/rules';
import { pickableAudio } from '~/server/domain/media/rules';
import type { KindName } from '~/server/domain/products/kinds';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import {
  addFiles,
  filesIn,
  type QueueTools,
  removeFile,
  restoreQueue,
  retryFile,
  subscribeToQueues,
} from './drop-queue';
import classes from './dropped-files.module.css';
import { QueuedFileRow } from './queued-file-row';
import { useFileDrop } from './use-file-drop';

type Props = { product: { id: number; kind: KindName; isFree: boolean } };

/** Several files, dropped on a show's list or picked. Each becomes a draft. */
export function DroppedFiles({ product }: Props) {
  const { t } = useTranslation('episode');
  const { user, convertsAudio } = useStudio();
  const queue = `${user.id}:drop:${product.id}`;
  const files = useSyncExternalStore(
    subscribeToQueues,
    () => filesIn(queue),
    () => filesIn(''),
  );
  const tools = useQueueTools(product);
  useEffect(() => void restoreQueue(queue, tools), [queue, tools]);
  const input = useRef<HTMLInputElement>(null);

  function takeFiles(picked: File[]) {
    const { filesAtOnce } = EPISODE_LIMITS;
    if (files.length + picked.length > filesAtOnce)
      showErrorToast(t('drop.tooMany', { count: filesAtOnce }), t('batch.close'));
    else void addFiles(queue, picked, tools);
  }
  const isDraggedOver = useFileDrop(takeFiles);

  return (
    <div data-needs-script>
      <input
        ref={input}
        type="file"
        multiple
        accept={pickableAudio({ convertsAudio })}
        className="hidden-visually"
        tabIndex={-1}
        aria-label={t('drop.pick')}
        onChange={(event) => {
          takeFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <p className={classes.offer}>
        {t(convertsAudio ? 'drop.helpAudio' : 'drop.help')}{' '}
        <Button type="button" size="compact-md" variant="default" onClick={() => input.current?.click()}>
          {t('drop.pick')}
        </Button>
      </p>
      {files.length > 0 && (
        <ul className={classes.files} aria-label={t('drop.label')}>
          {files.map((file) => (
            <QueuedFileRow
              key={file.id}
              file={file}
              queue={queue}
              onRetry={() => void retryFile(queue, file, tools)}
              onRemove={() => void removeFile(queue, file)}
            />
          ))}
        </ul>
      )}
      {isDraggedOver && (
        <div className={classes.veil} aria-hidden="true">
          <UploadIcon />
          {t('drop.here')}
        </div>
      )}
    </div>
  );
}

function useQueueTools({ id: productId, kind, isFree }: Props['product']): QueueTools {
  const { convertsAudio } = useStudio();
  const { changeAsync: requestUpload } = useChange('media.requestUpload');
  const { changeAsync: create } = useChange('episodes.create');
  const { revalidate } = useRevalidator();
  const latest = useRef({ requestUpload, create, revalidate });
  latest.current = { requestUpload, create, revalidate };
  return useMemo(
    () => ({
      convertsAudio,
      requestTicket: (input) =>
        latest.current.requestUpload({ ...input, purpose: 'episode_audio' }).catch(throwWithMessage),
      async createDraft({ name, fileKey }) {
        const type = typeOfNew({ isFree });
        const draft = { kind, productId, name, description: name, type, fileKey, hold: true };
        await latest.current.create(draft).catch((error: unknown) => {
          // an attempt before a reload has already created the draft
          if (errorCode(error) !== 'upload.used') throwWithMessage(error);
        });
        latest.current.revalidate();
      },
    }),
    [kind, productId, isFree, convertsAudio],
  );
}

/** The queue shows the error's message, so it must be the server's message or an error code. */
function throwWithMessage(error: unknown): never {
  throw new Error(serverMessage(error) ?? 'common.something_went_wrong');
}
