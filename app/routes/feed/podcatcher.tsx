import '~/app/styles/product.css';
import '~/app/styles/podcatcher.css';
import type { MetaFunction } from '@remix-run/node';
import { Podcatcher } from '~/app/features/listener/feed/podcatcher';
import { podcatcherData } from '~/app/features/listener/feed/podcatcher-data.server';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** How a private feed gets into each podcast app (spec §2.2). */
export const loader = page(podcatcherData);

export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function PodcatcherPage() {
  const data = useLoaderData<typeof loader>();
  return (
    <SiteShell links={data.links}>
      <Podcatcher data={data} />
    </SiteShell>
  );
}
