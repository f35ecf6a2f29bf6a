import { PageHeader } from '~/app/components/page-header';
import { HistoryForm } from '~/app/features/studio/statistics/history/history-form';
import { HistoryPreviewPage } from '~/app/features/studio/statistics/history/history-preview';
import { type HistoryQuery, historyQuery, withHistory } from '~/app/features/studio/statistics/history/history-query';
import { HistorySources } from '~/app/features/studio/statistics/history/history-sources';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, isData, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { productRef } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { useMay } from '~/app/lib/studio-context';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** Statistics of other hosts: what was imported, and a file before it is. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const ref = productRef(door);
  const query = historyQuery(url.searchParams);
  const [{ id, kind, name }, sources, { preview, problem }] = await Promise.all([
    api.products.forEditing(ref),
    api.importedHistory.sources(ref),
    readFile(door, query),
  ]);
  const title = `${translator(context.language, 'history')('title')}: ${name}`;
  return { title, show: { id, kind, name }, sources, preview, problem, query };
});

/** A file that is used, expired or unreadable is named, and another one can be chosen. */
async function readFile(door: Door, query: HistoryQuery | null) {
  if (!query) return { preview: null, problem: null };
  try {
    return { preview: await door.api.importedHistory.preview({ ...productRef(door), ...query }), problem: null };
  } catch (error) {
    if (error instanceof Response || isData(error)) throw error;
    const { unexpected, kind, fields, message } = door.context.describeError(error);
    if (unexpected || kind === 'unauthenticated' || kind === 'forbidden') throw error;
    return { preview: null, problem: Object.values(fields).flat()[0] ?? message };
  }
}

export const action = form(
  sectionAction({
    // the page reads the file, and names its faults
    upload: async (door, { statisticsKey = '', host = '' }) => historyPath(door) + withHistory({ statisticsKey, host }),
    save: async (door, { statisticsKey = '', ...values }) => {
      await door.api.importedHistory.save({ ...productRef(door), statisticsKey, ...values });
      return withDoneMessage(historyPath(door), 'history_imported');
    },
    remove: async (door, { sourceId = '', confirmation = '' }) => {
      await door.api.importedHistory.remove({ ...productRef(door), sourceId, confirmation });
      return withDoneMessage(historyPath(door), 'history_removed');
    },
  }),
  { then: (path) => path },
);

const historyPath = (door: Door) => pathsFor(door.url).importedHistory(productRef(door));

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function ImportedHistory() {
  const { t } = useTranslation('history');
  const { show, sources, preview, problem, query } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const mayChange = useMay()('product.manage');
  const own = failure?.values.intent === 'upload' ? failure : undefined;
  const refused = own ? (own.message ?? Object.values(own.fields).flat()[0] ?? null) : null;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} back={<Link to={paths.statistics(show)}>{show.name}</Link>} />
      {preview && query && mayChange ? (
        <HistoryPreviewPage preview={preview} query={query} page={paths.importedHistory(show)} failure={failure} />
      ) : (
        <>
          <HistorySources sources={sources} mayChange={mayChange} failure={failure} />
          {mayChange && <HistoryForm problem={refused ?? problem} />}
        </>
      )}
    </>
  );
}
