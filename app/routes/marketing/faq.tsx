import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { faqData } from '~/app/features/site/pages/collection-data.server';
import { FaqPage } from '~/app/features/site/pages/faq-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/faq`: questions and answers. */
export const loader = page(faqData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Faq() {
  return <FaqPage view={useLoaderData<typeof loader>()} />;
}
