import { Alert } from '~/app/components/alert';
import { PageHeader } from '~/app/components/page-header';
import { BackupStep } from '~/app/features/studio/moving/backup-step';
import { DeletionStep } from '~/app/features/studio/moving/deletion-step';
import { FeedsStep } from '~/app/features/studio/moving/feeds-step';
import { MoneyStep } from '~/app/features/studio/moving/money-step';
import classes from '~/app/features/studio/moving/moving.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';

/** The steps for a creator who leaves, in order. */
export const loader = page(async (door) => {
  await requireAbility(door, 'product.handOver');
  const { api, context } = door;
  const [shows, archive, move] = await Promise.all([
    api.moving.shows(),
    api.archives.latest(),
    api.subscriberMoves.overview(),
  ]);
  return { title: translator(context.language, 'moving')('leaving.title'), shows, archive, move };
});

export const action = form(
  sectionAction({
    archive: async ({ api }) => {
      await api.archives.request();
      return 'archive_requested';
    },
    move: async ({ api }) => {
      await api.subscriberMoves.start();
      return 'people_moving';
    },
  }),
  { then: (done, { url }) => withDoneMessage(pathsFor(url).leaving, done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Leaving() {
  const { t } = useTranslation('moving');
  const { shows, archive, move } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  useRefresh(!failure && move.latest?.status === 'running');
  return (
    <>
      <PageHeader title={t('leaving.title')} lead={t('leaving.lead')} help="leaving" />
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <ol className={classes.steps}>
        <BackupStep archive={archive} />
        <FeedsStep shows={shows} />
        <MoneyStep shows={shows} move={move} />
        <DeletionStep />
      </ol>
    </>
  );
}
