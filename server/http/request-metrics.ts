import type { Metric, Registry } from 'prom-client';
import { BUCKETS, OUTCOMES, type RequestCounts, type RouteCounts } from '../watching/request-counts';

type Value = { labels: Record<string, string | number>; value: number; metricName?: string };
type Description = { name: string; help: string; type: 'counter' | 'histogram' };

/** Adds the counts of requests to a registry, which reads them on demand. */
export function showRequestCounts(registry: Registry, counts: RequestCounts): void {
  const show = (description: Description, valuesOf: (counts: RouteCounts) => Value[]) => {
    const get = async () => ({ ...description, aggregator: 'sum', values: counts.all().flatMap(valuesOf) });
    // prom-client's own classes keep the values themselves
    registry.registerMetric({ ...description, get } as unknown as Metric);
  };
  show(
    {
      name: 'http_requests_total',
      help: 'Requests by route and outcome. cut: the client left before the end.',
      type: 'counter',
    },
    ({ route, method, outcomes }) =>
      OUTCOMES.flatMap((status, i) => {
        const value = outcomes[i] as number;
        return value > 0 ? [{ labels: { route, method, status }, value }] : [];
      }),
  );
  show(
    { name: 'http_response_bytes_total', help: 'Bytes sent, headers included.', type: 'counter' },
    ({ route, method, bytes }) => [{ labels: { route, method }, value: bytes }],
  );
  show(
    { name: 'http_cache_hits_total', help: 'Responses from memory.', type: 'counter' },
    ({ route, method, fromCache }) => (fromCache > 0 ? [{ labels: { route, method }, value: fromCache }] : []),
  );
  show(
    {
      name: 'http_request_duration_seconds',
      help: 'Time until the headers of the response were sent.',
      type: 'histogram',
    },
    histogramOf,
  );
}

function histogramOf({ route, method, buckets, seconds }: RouteCounts): Value[] {
  const name = 'http_request_duration_seconds';
  let sum = 0;
  const values: Value[] = buckets.map((count, i) => {
    sum += count;
    return { metricName: `${name}_bucket`, labels: { route, method, le: BUCKETS[i] ?? '+Inf' }, value: sum };
  });
  const labels = { route, method };
  return [
    ...values,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: sum },
  ];
}
