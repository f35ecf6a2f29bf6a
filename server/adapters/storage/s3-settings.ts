export type S3Settings = {
  bucket: string;
  region: string;
  /** Null for AWS. */
  endpoint: string | null;
  /** Null for the credentials that the SDK finds, such as the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** `host/bucket/key` instead of `bucket.host/key`: most self-hosted stores need it. */
  forcePathStyle: boolean;
};

/** Each listener uses a connection: with the SDK's limit of fifty, fifty slow ones would block all others. */
const UNLIMITED_SOCKETS = { maxSockets: Number.POSITIVE_INFINITY };

/** Also used by the tus store. Stores other than AWS reject the SDK's default checksums. */
export function s3ClientConfig({ region, endpoint, credentials, forcePathStyle }: S3Settings) {
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
