import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { statusData } from '~/app/features/site/pages/status-data.server';
import { StatusPage } from '~/app/features/site/pages/status-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/status`: what works now, and what has failed in the last months. */
export const loader = page(statusData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Status() {
  return <StatusPage view={useLoaderData<typeof loader>()} />;
}
