import type { S3Client } from '@aws-sdk/client-s3';
import { unavailable } from '../../base/errors';
import { wholeSeconds } from '../../base/time';
import { UNAVAILABLE_LIMITS } from '../../limits/http';
import type { Log } from '../../watching/log';

/**
 * Lets calls fail with `unavailable`, as for a database that is away, while the server does not answer or is faulty, and
 * warns: doors answer 503 without a line in the log.
 */
export function reportAway(client: S3Client, log?: Pick<Log, 'warn'>): S3Client {
  const seconds = wholeSeconds(UNAVAILABLE_LIMITS.retryAfter);
  const { send } = client;
  const call = (...args: unknown[]) => (send as (...sent: unknown[]) => Promise<unknown>).apply(client, args);
  client.send = ((...args: unknown[]) =>
    call(...args).catch((error) => {
      if (!isAway(error)) throw error;
      log?.warn({ err: error }, 'the storage does not answer');
      throw Object.assign(unavailable({ seconds }), { cause: error });
    })) as typeof send;
  return client;
}

/** The SDK adds the status of the last attempt, if S3 answered it. */
function isAway(error: unknown): boolean {
  const { $metadata, name } = error as { $metadata?: { httpStatusCode?: number }; name?: string };
  return $metadata !== undefined && name !== 'AbortError' && ($metadata.httpStatusCode ?? 503) >= 500;
}
