import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { HelpArticlePage } from '~/app/features/site/blog/help-article-page';
import { helpArticleData } from '~/app/features/site/blog/help-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(helpArticleData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function HelpArticle() {
  return <HelpArticlePage {...useLoaderData<typeof loader>()} />;
}
