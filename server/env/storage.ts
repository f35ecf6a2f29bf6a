import path from 'node:path';
import type { z } from 'zod';
import { SettingError } from './setting-error';
import { baseAddress, flag, oneOf, text } from './setting-types';

export const storageShape = {
  STORAGE_DRIVER: oneOf('disk', 's3').default('disk'),
  S3_BUCKET: text.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: baseAddress.optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_FORCE_PATH_STYLE: flag.default(false),
  BACKUP_S3_REGION: text.optional(),
  BACKUP_S3_ENDPOINT: baseAddress.optional(),
  BACKUP_S3_ACCESS_KEY_ID: text.optional(),
  BACKUP_S3_SECRET_ACCESS_KEY: text.optional(),
  BACKUP_S3_FORCE_PATH_STYLE: flag.optional(),
};
type StorageValues = z.infer<z.ZodObject<typeof storageShape>>;

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

export type StorageSettings = { driver: 'disk'; dir: string } | { driver: 's3'; s3: S3Settings };

export function storageSettings(values: StorageValues, dataDir: string): StorageSettings {
  const s3 = s3Settings(values);
  if (values.STORAGE_DRIVER === 's3' && !values.S3_BUCKET)
    throw new SettingError('S3_BUCKET must be set when STORAGE_DRIVER is s3');
  if (values.STORAGE_DRIVER === 'disk') return { driver: 'disk', dir: path.join(dataDir, 'media') };
  return { driver: 's3', s3: { ...s3, bucket: values.S3_BUCKET ?? '' } };
}

/** Everything but the bucket, which the address of a backup names. */
export type BackupStorageSettings = Omit<S3Settings, 'bucket'>;

/** Backups use the media's store and credentials unless they have their own. */
export function backupStorageSettings(values: StorageValues): BackupStorageSettings {
  const own = {
    S3_REGION: values.BACKUP_S3_REGION ?? values.S3_REGION,
    S3_ENDPOINT: values.BACKUP_S3_ENDPOINT ?? values.S3_ENDPOINT,
    S3_FORCE_PATH_STYLE: values.BACKUP_S3_FORCE_PATH_STYLE ?? values.S3_FORCE_PATH_STYLE,
  };
  const { BACKUP_S3_ACCESS_KEY_ID: id, BACKUP_S3_SECRET_ACCESS_KEY: key } = values;
  if (!id !== !key)
    throw new SettingError('BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY must be set together');
  return s3Settings({ ...values, ...own, ...(id && { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: key }) });
}

function s3Settings(values: StorageValues): BackupStorageSettings {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  if (!accessKeyId !== !secretAccessKey)
    throw new SettingError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together');
  return {
    region: values.S3_REGION,
    endpoint: values.S3_ENDPOINT ?? null,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
  };
}

/**
 * Our versions of the AWS SDK and of Node are chosen together, so its advice to operators to upgrade Node is noise. It
 * reads this when the first client opens.
 */
export function silenceSdk(): void {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
}
