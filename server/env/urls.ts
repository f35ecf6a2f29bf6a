import { z } from 'zod';
import type { UrlSettings } from '../base/urls';
import type { httpShape } from './http';
import { isProduction, needsOwnServices, type processShape } from './process';
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
type UrlValues = z.infer<z.ZodObject<typeof urlShape & typeof httpShape & typeof processShape>>;

/** By default, creators' hosts are subdomains of the app's host, on the app's port. */
export function urlSettings(values: UrlValues): UrlSettings {
  const production = isProduction(values);
  if (production && !values.APP_URL) throw new SettingError('APP_URL must be set in production');
  const appUrl = values.APP_URL ?? `http://${LOCAL_HOST}:${values.PORT}`;
  const { host, hostname, port } = new URL(appUrl);
  const root = values.PUBLIC_ROOT_DOMAIN;
  assertPublicUrl(appUrl, values);
  if (production && root && values.CREATOR_URLS === 'host') assertSameSite(hostname, root.replace(/:\d+$/, ''));
  return {
    appUrl,
    publicRoot: root ? (root.includes(':') || !port ? root : `${root}:${port}`) : host,
    creatorHostPrefix: values.CREATOR_HOST_PREFIX ?? (production ? '' : 'staging-'),
    creatorUrls: values.CREATOR_URLS,
    mediaUrl: values.MEDIA_URL ?? null,
  };
}

const isThisMachine = (hostname: string) => /^(?:.+\.)?localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(hostname);

/** Links are built by appending paths. In production, browsers send cookies and forms over TLS only. */
function assertPublicUrl(appUrl: string, values: UrlValues): void {
  const { origin, protocol, hostname } = new URL(appUrl);
  if (appUrl !== origin) throw new SettingError(`APP_URL must be an origin such as ${origin}, without a path`);
  if (needsOwnServices(values) && protocol === 'http:' && !isThisMachine(hostname))
    throw new SettingError(
      'APP_URL must begin with https:// in production, as browsers see it (ALLOW_DEV_FALLBACKS=1 allows http)',
    );
}

/**
 * Logins reach the hosts of creators only if these are subdomains of the app’s host; the app's forms need at least the
 * same site.
 */
function assertSameSite(hostname: string, root: string): void {
  if (root === hostname || root.endsWith(`.${hostname}`) || hostname.endsWith(`.${root}`)) return;
  throw new SettingError(
    `PUBLIC_ROOT_DOMAIN ${root} must be the host of APP_URL (${hostname}), or above or below it: creators' pages are its subdomains`,
  );
}
