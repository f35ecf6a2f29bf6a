import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { HostingPage } from '~/app/features/site/pages/hosting-page';
import { hostingData } from '~/app/features/site/pages/named-page-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/podcast-hosting`: what hosting includes. */
export const loader = page(hostingData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Hosting() {
  return <HostingPage view={useLoaderData<typeof loader>()} />;
}
