import type { HeadersFunction, MetaFunction } from '@remix-run/node';
import { teamData } from '~/app/features/site/pages/named-page-data.server';
import { TeamPage } from '~/app/features/site/pages/team-page';
import { pageMeta } from '~/app/features/site/public/page-meta';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';

/** `/team`: who runs this installation. */
export const loader = page(teamData);

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => pageMeta(data?.metadata);

export default function Team() {
  return <TeamPage view={useLoaderData<typeof loader>()} />;
}
