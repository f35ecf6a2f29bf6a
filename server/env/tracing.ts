import { z } from 'zod';
import { baseAddress, text } from './setting-types';

/** Named as in the specification of OpenTelemetry, so that operators and their tools know them. */
export const tracingShape = {
  OTEL_EXPORTER_OTLP_ENDPOINT: baseAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: text
    .refine((list) => list.split(',').every((pair) => /^\s*[\w-]+=[^\s,]+\s*$/.test(pair)), {
      message: 'must list headers as name=value, separated by commas',
    })
    .optional(),
  OTEL_SERVICE_NAME: z.string().max(100, 'must have at most 100 characters').default('altavoz'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/, 'must be a share from 0 to 1, such as 0.1')
    .transform(Number)
    .default(1),
};
type TracingValues = z.infer<z.ZodObject<typeof tracingShape>>;

export type TracingSettings = {
  /** The address at which a collector receives OTLP over HTTP, without `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of requests and jobs that are traced, from 0 to 1. */
  share: number;
};

/** Null if nothing is traced. */
export function tracingSettings(values: TracingValues): TracingSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: list } = values;
  if (!endpoint) return null;
  const headers = (list ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return {
    endpoint,
    headers: Object.fromEntries(headers),
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  };
}
