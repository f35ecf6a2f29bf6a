import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { postData } from '~/app/features/site/blog/blog-data.server';
import { PostPage } from '~/app/features/site/blog/post-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

export const loader = page(postData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Post() {
  return <PostPage {...useLoaderData<typeof loader>()} />;
}
