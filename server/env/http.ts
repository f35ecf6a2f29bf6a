import type { z } from 'zod';
import { SECONDS } from '../base/time';
import { API_LIMITS } from '../limits/api';
import { isProduction, type processShape } from './process';
import { flag, oneOf, origins, text, wholeNumber } from './setting-types';

export const httpShape = {
  PORT: wholeNumber(1, 65_535).default(3000),
  WORKER_PORT: wholeNumber(1, 65_535).optional(),
  HOST: text.optional(),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  API_ORIGINS: origins.default([]),
  API_REQUESTS_PER_MINUTE: wholeNumber(1, 10_000_000).default(API_LIMITS.requests),
  METRICS_TOKEN: text.optional(),
  STOP_GRACE_SECONDS: wholeNumber(0, 300).optional(),
  SERVICE_WORKER: flag.default(true),
  SHARED_FEEDS: oneOf('watch', 'notify', 'replace').default('watch'),
};
type HttpValues = z.infer<z.ZodObject<typeof httpShape & typeof processShape>>;

/** Load balancers ask every few seconds whether a process is ready. */
const PRODUCTION_STOP_GRACE_SECONDS = 5;

export type HttpSettings = {
  port: number;
  /** The port on which `npm run worker` answers probes and shows its metrics; null if it does not listen. */
  workerPort: number | null;
  /** Undefined for every interface. */
  host: string | undefined;
  /** Number of proxies in front whose X-Forwarded-For entries are trusted. */
  trustedProxies: number;
  /** Origins whose pages may call the REST API from a browser. */
  apiOrigins: string[];
  /** Of one key or app, in each web process. */
  apiRequests: number;
  metricsToken: string | null;
  /** If false, browsers remove the service worker of this site. */
  servesWorker: boolean;
  /** The reaction to private feeds that many people share. */
  sharedFeeds: 'watch' | 'notify' | 'replace';
  /** How long a stopping process reports that it is not ready but still answers, in milliseconds. */
  stopGrace: number;
};

export function httpSettings(values: HttpValues): HttpSettings {
  return {
    port: values.PORT,
    workerPort: values.WORKER_PORT ?? null,
    host: values.HOST,
    trustedProxies: values.TRUST_PROXY,
    apiOrigins: values.API_ORIGINS,
    apiRequests: values.API_REQUESTS_PER_MINUTE,
    metricsToken: values.METRICS_TOKEN ?? null,
    servesWorker: values.SERVICE_WORKER,
    sharedFeeds: values.SHARED_FEEDS,
    stopGrace: SECONDS(values.STOP_GRACE_SECONDS ?? (isProduction(values) ? PRODUCTION_STOP_GRACE_SECONDS : 0)),
  };
}
