import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { discoverData } from '~/app/features/site/discover/discover-data.server';
import { DiscoverPage } from '~/app/features/site/discover/discover-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/discover`: the shows of all creators. */
export const loader = page(discoverData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Discover() {
  return <DiscoverPage view={useLoaderData<typeof loader>()} />;
}
