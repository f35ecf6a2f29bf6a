import { redirect } from '@remix-run/node';
import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { EditionResults } from '~/app/features/studio/newsletter/edition-results';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useLoaderData } from '~/app/lib/router';
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
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Edition() {
  const { t } = useTranslation('editions');
  const { title, edition } = useLoaderData<typeof loader>();
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
      <EditionResults edition={edition} />
    </>
  );
}
