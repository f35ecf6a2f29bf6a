import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { affiliatesData } from '~/app/features/site/marketing/affiliates-data.server';
import { AffiliatesPage } from '~/app/features/site/marketing/affiliates-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/affiliate-program`: the rules of the affiliate programme. */
export const loader = page(affiliatesData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Affiliates() {
  return <AffiliatesPage view={useLoaderData<typeof loader>()} />;
}
