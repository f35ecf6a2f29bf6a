import { PictureCaption } from '~/app/components/charts/picture-caption';
import { PageHeader } from '~/app/components/page-header';
import { Live } from '~/app/features/studio/statistics/live';
import { toLive } from '~/app/features/studio/statistics/live-data.server';
import { page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import { LIVE_LIMITS } from '~/server/limits/statistics';

/** The last hour of a show, minute by minute. A visible page asks again; without JavaScript, a reload does. */
export const loader = page(async (door) => {
  const ref = productRef(door);
  const [{ name }, live, { creator }] = await Promise.all([
    door.api.products.forEditing(ref),
    door.api.statistics.live(ref),
    door.api.accounts.me(),
  ]);
  return {
    title: `${translator(door.context.language, 'statistics')('live.title')}: ${name}`,
    show: { ...ref, name },
    live: toLive(live, { ...door.context, zone: creator?.timeZone ?? 'UTC' }),
  };
});

export const meta = titleMeta;

export default function LiveStatistics() {
  const { t } = useTranslation('statistics');
  const paths = usePaths();
  const { show, live } = useLoaderData<typeof loader>();
  useRefresh(true, LIVE_LIMITS.every);
  return (
    <>
      <PageHeader
        title={t('live.title')}
        lead={t('live.lead')}
        back={<Link to={paths.statistics(show)}>{show.name}</Link>}
      />
      <PictureCaption.Provider value={`${show.name} · ${live.time} (${live.zone})`}>
        <Live live={live} show={show} />
      </PictureCaption.Provider>
    </>
  );
}
