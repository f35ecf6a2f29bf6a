import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { siteTextData } from '~/app/features/site/blog/blog-data.server';
import { TextPage } from '~/app/features/site/blog/text-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(siteTextData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function SiteText() {
  return <TextPage {...useLoaderData<typeof loader>()} />;
}
