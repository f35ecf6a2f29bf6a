import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { LegalPage } from '~/app/features/site/legal/legal-page';
import { legalPageData } from '~/app/features/site/legal/legal-page-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page((door) => legalPageData(door, 'privacy'));

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Privacy() {
  return <LegalPage view={useLoaderData<typeof loader>()} />;
}
