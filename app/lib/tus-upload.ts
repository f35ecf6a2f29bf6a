import type { DetailedError, Upload } from 'tus-js-client';
import { SECONDS } from '~/server/base/time';

/** The data of an upload that its requests need; `url` is null until the server has created it. */
type TusTicket = { key: string; endpoint: string; url: string | null; name: string };

type TusCallbacks = {
  onUrl: (url: string) => void;
  onProgress: (sent: number) => void;
  onConnectionLost: () => void;
  /**
   * `problem` is an error code or message; null after a lost connection. `gone`: the upload ticket is no longer valid.
   */
  onFailed: (problem: string | null, gone: boolean) => void;
  onDone: () => void;
};

/** Short delays cover a server restart, long ones a train tunnel: about twenty minutes in total. */
const RETRY_DELAYS = [500, 1000, 2000, 3000, 5000, ...Array.from({ length: 80 }, () => SECONDS(15))];
const RETRYABLE_STATUSES = [0, 409, 423, 429, 500, 502, 503, 504];

/** Uploads a file with the tus protocol, resuming at the server's offset. The library is loaded on demand. */
export async function startTusUpload(file: Blob, record: TusTicket, callbacks: TusCallbacks): Promise<Upload> {
  const tus = await import('tus-js-client');
  const upload = new tus.Upload(file, {
    endpoint: record.endpoint,
    uploadUrl: record.url,
    uploadSize: file.size,
    metadata: { key: record.key, filename: record.name, filetype: file.type || 'audio/mpeg' },
    retryDelays: RETRY_DELAYS,
    // we store the URL ourselves, next to the form's draft
    storeFingerprintForResuming: false,
    onUploadUrlAvailable: () => upload.url && callbacks.onUrl(upload.url),
    onProgress: (sent) => callbacks.onProgress(sent),
    onShouldRetry: (error) => {
      const again = RETRYABLE_STATUSES.includes(statusOf(error));
      if (again) callbacks.onConnectionLost();
      return again;
    },
    onSuccess: () => callbacks.onDone(),
    onError: (error) => {
      const status = statusOf(error);
      if (RETRYABLE_STATUSES.includes(status)) return callbacks.onFailed(null, false);
      callbacks.onFailed(problemOf(error, status), status === 404 || status === 410);
    },
  });
  upload.start();
  return upload;
}

function statusOf(error: Error | DetailedError): number {
  return ('originalResponse' in error ? error.originalResponse?.getStatus() : 0) ?? 0;
}

function problemOf(error: Error | DetailedError, status: number): string {
  if (status === 401 || status === 403) return 'common.unauthenticated';
  if (status === 404 || status === 410) return 'upload.not_found';
  return ('originalResponse' in error && detailOf(error.originalResponse?.getBody())) || 'common.something_went_wrong';
}

/** The sentence in our server's answer. Other bodies, such as a proxy's error page, would not help the user. */
function detailOf(body: string | undefined): string | null {
  try {
    const { detail } = JSON.parse(body ?? '') as { detail?: unknown };
    return typeof detail === 'string' ? detail : null;
  } catch {
    return null;
  }
}
