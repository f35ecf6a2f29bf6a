import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { EditionResults } from '~/app/features/studio/newsletter/edition-results';
import type { FormValues } from '~/app/lib/check-form';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

const idOf = ({ params }: Door) => parseId(params.id);

/** What became of an edition that was sent. Drafts have no results, so they lead to their form. */
export const loader = page(async (door) => {
  const { api, context, url } = door;
  const id = idOf(door);
  const edition = await api.editions.get({ id });
  if (edition.automationId !== null) throw redirect(pathsFor(url).automationStep(edition.automationId, id));
  if (edition.status === 'draft' || edition.status === 'scheduled') throw redirect(pathsFor(url).editEdition(id));
  return { title: edition.title || translator(context.language, 'editions')('untitled'), edition };
});

export const action = form(
  sectionAction({
    cancel: async (door) => {
      await door.api.editions.cancel({ id: idOf(door) });
      return withDoneMessage(pathsFor(door.url).edition(idOf(door)), 'edition_stopped');
    },
    resume: async (door) => {
      await door.api.editions.resume({ id: idOf(door) });
      return withDoneMessage(pathsFor(door.url).edition(idOf(door)), 'edition_resumed');
    },
    duplicate: async (door) => {
      const { id } = await door.api.editions.duplicate({ id: idOf(door) });
      return withDoneMessage(pathsFor(door.url).editEdition(id), 'edition_duplicated');
    },
    hide: (door, values) => showInArchive(door, values, false),
    show: (door, values) => showInArchive(door, values, true),
  }),
  { then: (path) => path },
);

async function showInArchive(door: Door, { revision = '' }: FormValues, isInArchive: boolean): Promise<string> {
  await door.api.editions.update({ id: idOf(door), revision, isInArchive } as never);
  return withDoneMessage(pathsFor(door.url).edition(idOf(door)), isInArchive ? 'edition_shown' : 'edition_hidden');
}

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Edition() {
  const { t } = useTranslation('editions');
  const { title, edition } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  return (
    <>
      <PageHeader
        title={title}
        back={<Link to={paths.newsletter}>{t('title')}</Link>}
        action={
          <Button component={Link} to={paths.previewEdition(edition.id)} variant="default">
            {t('preview.open')}
          </Button>
        }
      />
      {failure?.message && (
        <Alert color="red" variant="light" role="alert" mb={24}>
          {failure.message}
        </Alert>
      )}
      <EditionResults edition={edition} />
    </>
  );
}
