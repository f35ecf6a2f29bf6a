import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { storiesData } from '~/app/features/site/pages/collection-data.server';
import { StoriesPage } from '~/app/features/site/pages/stories-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/creator-stories`. */
export const loader = page(storiesData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Stories() {
  return <StoriesPage view={useLoaderData<typeof loader>()} />;
}
