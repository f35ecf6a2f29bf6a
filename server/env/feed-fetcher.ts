import { z } from 'zod';
import type { UrlSettings } from '../base/urls';
import { isProduction, type processShape } from './process';
import { SettingError } from './setting-error';
import { flag, list, wholeNumber } from './setting-types';

export const fetchShape = {
  FETCH_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]+$/, 'must be an address such as https://altavoz.example/contact')
    .optional(),
  FETCH_PORTS: list.pipe(z.array(wholeNumber(1, 65_535)).min(1, 'must list ports such as 80,443')).default([80, 443]),
  FETCH_ALLOW_LOOPBACK: flag.default(false),
  PODPING_URL: z.url({ protocol: /^https?$/, error: 'must be an address such as https://podping.cloud/' }).optional(),
  PODPING_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be one word')
    .optional(),
  WEBSUB_HUB: z.url({ protocol: /^https?$/, error: 'must be an address such as https://hub.example/' }).optional(),
};
type FetchValues = z.infer<z.ZodObject<typeof fetchShape & typeof processShape>>;

/** How we fetch feeds, pictures and audio from other hosts. */
export type FetchSettings = { contact: string; ports: number[]; allowLoopback: boolean };

export function fetchSettings(values: FetchValues, { appUrl }: UrlSettings): FetchSettings {
  const { FETCH_ALLOW_LOOPBACK: allowLoopback } = values;
  // an imported feed's URL could otherwise reach services that listen only on this machine
  if (allowLoopback && isProduction(values))
    throw new SettingError('FETCH_ALLOW_LOOPBACK is for tests: not in production');
  return { contact: values.FETCH_CONTACT ?? appUrl, ports: values.FETCH_PORTS, allowLoopback };
}

/** The gateway to Podping. @throws if only one of its settings is there */
export function podpingSettings({ PODPING_URL: url, PODPING_TOKEN: token }: FetchValues) {
  if (url && token) return { url, token };
  if (url) throw new SettingError('PODPING_TOKEN must be set when PODPING_URL is');
  if (token) throw new SettingError('PODPING_URL must be set when PODPING_TOKEN is');
  return null;
}
