import type { EndpointView } from '~/server/domain/webhooks/endpoints';

/** The host and the path; of a chat only the host, because the rest is a secret. */
export function endpointAddress({ kind, url }: Pick<EndpointView, 'kind' | 'url'>): string {
  const { host, pathname } = new URL(url);
  return kind === 'webhook' ? host + pathname.replace(/\/$/, '') : host;
}

export const endpointName = (endpoint: Pick<EndpointView, 'kind' | 'url' | 'description'>): string =>
  endpoint.description || endpointAddress(endpoint);
