import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { hostGuidesData } from '~/app/features/site/pages/host-guides-data.server';
import { HostListPage } from '~/app/features/site/pages/host-list-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(hostGuidesData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function HostGuides() {
  return <HostListPage {...useLoaderData<typeof loader>()} />;
}
