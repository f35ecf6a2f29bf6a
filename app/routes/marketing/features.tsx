import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { FeaturesPage } from '~/app/features/site/pages/features-page';
import { featuresData } from '~/app/features/site/pages/named-page-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/features`: what Altavoz does. */
export const loader = page(featuresData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Features() {
  return <FeaturesPage view={useLoaderData<typeof loader>()} />;
}
