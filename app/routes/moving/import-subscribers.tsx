import { PageHeader } from '~/app/components/page-header';
import { ListForm } from '~/app/features/studio/moving/list-form';
import { ListProgress } from '~/app/features/studio/moving/list-progress';
import { ListReport } from '~/app/features/studio/moving/list-report';
import { ListResult } from '~/app/features/studio/moving/list-result';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { useRefresh } from '~/app/lib/use-refresh';
import type { SubscriberImportView } from '~/server/domain/moving/subscriber-imports/queries';

/** The latest subscriber list from another host, or a form that uploads another. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  await requireAbility(door, 'product.manageBuyers');
  const ref = productRef(door);
  const [{ id, kind, name }, latest] = await Promise.all([
    api.products.forEditing(ref),
    api.subscriberImports.latest(ref),
  ]);
  const found = latest && !(url.searchParams.has('new') && isFinal(latest)) ? latest : null;
  const hasLines = found && ['ready', 'done'].includes(found.status);
  const problems = hasLines ? await api.subscriberImports.problems({ id: found.id }) : [];
  const reason = found?.failure ? context.translate(`errors:${found.failure.code}`, found.failure.params) : null;
  const title = `${translator(context.language, 'moving')('people.title')}: ${name}`;
  return { title, show: { id, kind, name }, found, problems, reason, appUrl: context.appUrl };
});

const isFinal = ({ status }: SubscriberImportView) => ['done', 'failed', 'cancelled'].includes(status);
const idOf = ({ id }: Record<string, string>) => ({ id: Number(id) || 0 });

export const action = form(
  sectionAction({
    upload: async (door, { subscribersKey = '' }) => {
      await door.api.subscriberImports.request({ ...productRef(door), subscribersKey });
      return 'list_uploaded';
    },
    confirm: async ({ api }, { stopped, welcome, ...values }) => {
      await api.subscriberImports.confirm({ ...idOf(values), stopped, welcome });
      return 'people_importing';
    },
    cancel: async ({ api }, values) => {
      await api.subscriberImports.cancel(idOf(values));
      return 'people_cancelled';
    },
  }),
  { then: (done, door) => withDoneMessage(pathsFor(door.url).importSubscribers(productRef(door)), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ImportSubscribers() {
  const { t, locale } = useTranslation('moving');
  const { show, found, problems, reason, appUrl } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const timeZone = useCreatorTimeZone();
  const isWorking = found !== null && ['reading', 'checking', 'running'].includes(found.status);
  useRefresh(!failure && isWorking);
  const facts = found && {
    file: found.fileName,
    format: t(`people.format.${found.format}`),
    date: formatDateTime(found.createdAt, locale, timeZone),
  };
  return (
    <>
      <PageHeader
        title={t(found ? TITLES[found.status] : 'people.title')}
        lead={facts ? t('people.fileFacts', facts) : t('people.lead')}
        back={<Link to={paths.buyers(show)}>{show.name}</Link>}
        help="importSubscribers"
      />
      {!found && <ListForm failure={failure} />}
      {found && isWorking && <ListProgress found={found} />}
      {found?.status === 'ready' && <ListReport found={found} problems={problems} failure={failure} />}
      {found && isFinal(found) && <ListResult found={found} problems={problems} reason={reason} appUrl={appUrl} />}
    </>
  );
}

const TITLES = {
  reading: 'people.reading',
  checking: 'people.checking',
  ready: 'people.ready',
  running: 'people.running',
  done: 'people.done',
  failed: 'people.failed',
  cancelled: 'people.cancelled',
} as const;
