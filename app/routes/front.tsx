import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { Home } from '~/app/features/site/marketing/home';
import { homeData } from '~/app/features/site/marketing/home-data.server';
import { CreatorPage } from '~/app/features/site/public/creator-page';
import { creatorPageData } from '~/app/features/site/public/creator-page-data.server';
import { PAINT_WITH_HEAD, pageMeta } from '~/app/features/site/public/page-meta';
import { notFound } from '~/app/features/site/site/not-found.server';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

type HomeData = Awaited<ReturnType<typeof homeData>>;
type CreatorData = Awaited<ReturnType<typeof creatorPageData>>;

/** `/` is the creator page on a creator's host, and the marketing home page on the app's host. */
export const loader = page<HomeData | CreatorData>(async (door) => {
  const { site } = door.context;
  if (site.kind === 'creator') return await creatorPageData(door, site.domain);
  if (site.kind === 'app') return await homeData(door);
  throw notFound();
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  ...pageMeta(data?.metadata),
  ...(data?.page === 'creator' ? [PAINT_WITH_HEAD] : []),
];

export default function Front() {
  const view = useLoaderData<typeof loader>();
  return view.page === 'home' ? <Home view={view} /> : <CreatorPage view={view} />;
}
