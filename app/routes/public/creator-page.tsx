import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { CreatorPage } from '~/app/features/site/public/creator-page';
import { creatorPageData } from '~/app/features/site/public/creator-page-data.server';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { domainOf } from '~/app/features/site/public/page-data.server';
import { PAINT_WITH_HEAD, pageMeta } from '~/app/features/site/public/page-meta';
import { notFound } from '~/app/features/site/site/not-found.server';
import { useLoaderData } from '~/app/lib/router';

/** `/@domain`, for installations without creator hosts. Any other handle is a 404. */
export const loader = creatorsPage((door) => {
  const domain = domainOf(door.context, door.params.handle);
  if (domain === null) throw notFound();
  return creatorPageData(door, domain);
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [...pageMeta(data?.metadata), PAINT_WITH_HEAD];

export default function CreatorByHandle() {
  return <CreatorPage view={useLoaderData<typeof loader>()} />;
}
