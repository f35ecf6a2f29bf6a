import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { helpData } from '~/app/features/site/blog/help-data.server';
import { HelpPage } from '~/app/features/site/blog/help-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(helpData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Help() {
  return <HelpPage view={useLoaderData<typeof loader>()} />;
}
