import type { z } from 'zod';
import { origins, text, wholeNumber } from './setting-types';

export const httpShape = {
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: text.optional(),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  API_ORIGINS: origins.default([]),
  METRICS_TOKEN: text.optional(),
};
type Values = z.infer<z.ZodObject<typeof httpShape>>;

export type HttpSettings = {
  port: number;
  /** Undefined: every interface. */
  host: string | undefined;
  /** Number of proxies in front whose X-Forwarded-For entries are trusted. */
  trustedProxies: number;
  /** Origins whose pages may call the REST API from a browser. */
  apiOrigins: string[];
  metricsToken: string | null;
};

export function httpSettings(values: Values): HttpSettings {
  return {
    port: values.PORT,
    host: values.HOST,
    trustedProxies: values.TRUST_PROXY,
    apiOrigins: values.API_ORIGINS,
    metricsToken: values.METRICS_TOKEN ?? null,
  };
}
