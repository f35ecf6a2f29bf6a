import { Group } from '@mantine/core';
import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { EmptyState, PagePicture } from '~/app/components/empty-state';
import { PageHeader } from '~/app/components/page-header';
import { UndoNotice } from '~/app/features/studio/audience/batch-form';
import { contactQuery, queryOf } from '~/app/features/studio/audience/contact-query';
import { FoundContacts } from '~/app/features/studio/audience/found-contacts';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { type Section, sectionAction } from '~/app/lib/section-action.server';
import { selectedIds } from '~/app/lib/selected-ids';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { CONTACT_ACTIONS, type ContactAction } from '~/db/values/contacts';
import { CONTACT_LIMITS } from '~/server/limits/audience';

/** The contacts of a creator. Search, filters, order and place are in the URL, and so is the change that can be undone. */
export const loader = page(async ({ api, context, url }) => {
  if (!(await api.creators.mine())) throw redirect(pathsFor(url).start('page'));
  const { filter, ...place } = contactQuery(url.searchParams);
  const list = await api.contacts.list({ ...filter, ...place });
  const title = translator(context.language, 'audience')('title');
  const changed = Math.min(Number(url.searchParams.get('changed')) || 1, CONTACT_LIMITS.found);
  return { title, query: { filter, ...place }, list, batchId: url.searchParams.get('batch'), changed };
});

type Outcome = { done?: string; batchId?: string | null; changed?: number };

const change =
  (action: ContactAction): Section<Outcome> =>
  ({ api, url }, values) =>
    api.contacts.change({
      action,
      ...(values.everyone ? { filter: contactQuery(url.searchParams).filter } : { ids: selectedIds(values) }),
      ...(values.tag && { tag: values.tag }),
    });

export const action = form(
  sectionAction<Outcome>({
    ...Object.fromEntries(CONTACT_ACTIONS.map((name) => [name, change(name)])),
    undo: async ({ api }, { batchId = '' }) => {
      await api.contacts.undoChange({ batchId });
      return { done: 'contacts_undone' };
    },
    saveSegment: async ({ api, url }, { name = '' }) => {
      await api.contacts.saveSegment({ name, filter: contactQuery(url.searchParams).filter });
      return { done: 'segment_saved' };
    },
    renameSegment: async ({ api }, { id = '', name = '' }) => {
      await api.contacts.renameSegment({ id, name });
      return { done: 'segment_saved' };
    },
    deleteSegment: async ({ api }, { id = '' }) => {
      await api.contacts.deleteSegment({ id });
      return { done: 'segment_deleted' };
    },
  }),
  {
    then({ done, batchId, changed }, { url }) {
      const here = contactQuery(url.searchParams);
      const { after, before } = here;
      const place = { ...(after && { after }), ...(before && { before }) };
      const path = pathsFor(url).audience;
      if (batchId) return path + queryOf(here, { ...place, batch: batchId, changed: String(changed) });
      return withDoneMessage((path + queryOf(here, place)).replace(/\?$/, ''), done ?? 'contacts_unchanged');
    },
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Audience() {
  const { t } = useTranslation('audience');
  const { list, query, batchId, changed } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const failure = useActionData<FormFailure>();
  const actions = (
    <Group gap={8}>
      <Button component={Link} to={paths.importContacts} variant="default">
        {t('import')}
      </Button>
      <Button component={Link} to={paths.addContact}>
        {t('add')}
      </Button>
    </Group>
  );
  const isEmpty = list.items.length === 0 && Object.keys(query.filter).length === 0;
  const message = failure && (failure.message ?? failure.fields.ids?.map(() => t('batch.none'))[0]);
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} action={!isEmpty && actions} help="audience" />
      {message && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {message}
        </Alert>
      )}
      {batchId && <UndoNotice batchId={batchId} changed={changed} />}
      {isEmpty ? (
        <EmptyState picture={<PagePicture />} title={t('none')} action={actions}>
          {t('noneText')}
        </EmptyState>
      ) : (
        <FoundContacts list={list} query={query} failure={failure} />
      )}
    </>
  );
}
