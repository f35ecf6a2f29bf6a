import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { blogData } from '~/app/features/site/blog/blog-data.server';
import { BlogPage } from '~/app/features/site/blog/blog-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(blogData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Blog() {
  return <BlogPage view={useLoaderData<typeof loader>()} />;
}
