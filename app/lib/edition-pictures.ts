import { useCallback } from 'react';
import { useChange } from './trpc';
import { startTusUpload } from './tus-upload';

/**
 * Uploads a picture for an edition, which the user waits for, and stores it. The returned function throws errors of
 * procedures, or an error whose message is a code or the server's sentence.
 */
export function useEditionPictures() {
  const { changeAsync: request } = useChange('media.requestUpload');
  const { changeAsync: store } = useChange('media.storeEditionPicture');
  return useCallback(
    async (file: File) => {
      const facts = { fileName: file.name, contentType: file.type, fileSize: file.size };
      const ticket = await request({ ...facts, purpose: 'edition_picture' });
      await send(file, ticket);
      return store({ key: ticket.key });
    },
    [request, store],
  );
}

/** A picture takes seconds, so that a reload starts again. */
async function send(file: File, { key, endpoint }: { key: string; endpoint: string }): Promise<void> {
  const record = { key, endpoint, url: null, name: file.name };
  await new Promise<void>((resolve, reject) => {
    const fail = (problem: string | null) => reject(new Error(problem ?? 'common.offline'));
    const ignore = () => {};
    const callbacks = { onUrl: ignore, onProgress: ignore, onConnectionLost: ignore, onFailed: fail, onDone: resolve };
    startTusUpload(file, record, callbacks).catch(reject);
  });
}
