import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { HostGuidePage } from '~/app/features/site/pages/host-guide-page';
import { hostGuideData } from '~/app/features/site/pages/host-guides-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(hostGuideData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Guide() {
  return <HostGuidePage {...useLoaderData<typeof loader>()} />;
}
