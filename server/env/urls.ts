import { z } from 'zod';
import type { UrlSettings } from '../urls';
import type { httpShape } from './http';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { baseAddress, oneOf } from './setting-types';

const LOCAL_HOST = 'altavoz.localhost';

export const urlShape = {
  APP_URL: baseAddress.optional(),
  PUBLIC_ROOT_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/, 'must be a host name such as altavoz.example')
    .optional(),
  CREATOR_HOST_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]*$/, 'may hold a-z, 0-9 and -')
    .optional(),
  CREATOR_URLS: oneOf('host', 'path').default('host'),
  MEDIA_URL: baseAddress.optional(),
};
type Values = z.infer<z.ZodObject<typeof urlShape & typeof httpShape & typeof processShape>>;

/** By default, creators' hosts are subdomains of the app's host, on the app's port. */
export function urlSettings(values: Values): UrlSettings {
  const production = isProduction(values);
  if (production && !values.APP_URL) throw new SettingError('APP_URL must be set in production');
  const appUrl = values.APP_URL ?? `http://${LOCAL_HOST}:${values.PORT}`;
  const { host, port } = new URL(appUrl);
  const root = values.PUBLIC_ROOT_DOMAIN;
  return {
    appUrl,
    publicRoot: root ? (root.includes(':') || !port ? root : `${root}:${port}`) : host,
    creatorHostPrefix: values.CREATOR_HOST_PREFIX ?? (production ? '' : 'staging-'),
    creatorUrls: values.CREATOR_URLS,
    mediaUrl: values.MEDIA_URL ?? null,
  };
}
