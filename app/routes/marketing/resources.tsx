import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { resourcesData } from '~/app/features/site/pages/collection-data.server';
import { ResourcesPage } from '~/app/features/site/pages/resources-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/resources`: checklists and guides. */
export const loader = page(resourcesData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Resources() {
  return <ResourcesPage view={useLoaderData<typeof loader>()} />;
}
