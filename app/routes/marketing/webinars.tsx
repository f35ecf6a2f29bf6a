import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { webinarsData } from '~/app/features/site/pages/collection-data.server';
import { WebinarsPage } from '~/app/features/site/pages/webinars-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/webinars`. */
export const loader = page(webinarsData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Webinars() {
  return <WebinarsPage view={useLoaderData<typeof loader>()} />;
}
