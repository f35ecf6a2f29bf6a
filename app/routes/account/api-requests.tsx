import { redirect } from '@remix-run/node';
import { CallTable } from '~/app/features/studio/developers/call-table';
import { DeveloperTabs } from '~/app/features/studio/developers/developer-tabs';
import { page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';

/** The calls of the API in the last week. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).claimPageFor(url.pathname));
  await requireAbility(door, 'creator.manageKeys');
  const { searchParams } = url;
  const onlyFailures = searchParams.get('show') === 'failures';
  const calls = await api.developers.calls({ page: searchParams.get('page') ?? 1, onlyFailures } as never);
  return { calls, onlyFailures, title: translator(context.language, 'developers')('requests.title') };
});

export const meta = titleMeta;

export default function ApiRequests() {
  const { calls, onlyFailures } = useLoaderData<typeof loader>();
  return (
    <>
      <DeveloperTabs />
      <CallTable calls={calls} onlyFailures={onlyFailures} />
    </>
  );
}
