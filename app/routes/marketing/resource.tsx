import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { TextPage } from '~/app/features/site/blog/text-page';
import { resourceData } from '~/app/features/site/pages/collection-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(resourceData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Resource() {
  return <TextPage {...useLoaderData<typeof loader>()} />;
}
