export type S3Settings = {
  bucket: string;
  region: string;
  /** Null: AWS itself. */
  endpoint: string | null;
  /** Null: what the SDK finds, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** `host/bucket/key` instead of `bucket.host/key`: most stores that one runs oneself want it. */
  forcePathStyle: boolean;
};

/** Every listener reads over a connection of its own: with the SDK's fifty, fifty slow ones would keep out all others. */
const UNLIMITED_SOCKETS = { maxSockets: Number.POSITIVE_INFINITY };

/** Also what the tus store takes. Other stores than AWS refuse the SDK's default checksums. */
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
