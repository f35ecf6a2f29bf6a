import { type S3Settings, silenceSdk } from '../../env/storage';

/** Each listener uses a connection: with the SDK's limit of fifty, fifty slow ones would block all others. */
const UNLIMITED_SOCKETS = { maxSockets: Number.POSITIVE_INFINITY };

/** Also used by the tus store. Stores other than AWS reject the SDK's default checksums. */
export function s3ClientConfig({ region, endpoint, credentials, forcePathStyle }: S3Settings) {
  silenceSdk();
  return {
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { throwOnRequestTimeout: true, httpAgent: UNLIMITED_SOCKETS, httpsAgent: UNLIMITED_SOCKETS },
  } as const;
}
