import { TabLead } from '~/app/components/page-header';
import { ChapterEditor } from '~/app/features/studio/episode/chapter-editor';
import { rowsFrom, toChapters } from '~/app/features/studio/episode/chapter-values';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { episodeRef } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const ref = episodeRef(door);
  const [episode, chapters] = await Promise.all([door.api.episodes.forEditing(ref), door.api.episodes.chapters(ref)]);
  const title = `${translator(door.context.language, 'episode')('chapters.title')}: ${episode.name}`;
  return { title, episode, chapters };
});

export const action = form(
  async (door, values) => {
    const ref = episodeRef(door);
    await door.api.episodes.saveChapters({ ...ref, chapters: toChapters(rowsFrom(values)) });
    return door.api.episodes.forEditing(ref);
  },
  { then: (episode, { url }) => withDoneMessage(pathsFor(url).chapters(episode), 'chapters_saved') },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EditChapters() {
  const { t } = useTranslation('episode');
  const { episode, chapters } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('chapters.title')} />
      <ChapterEditor key={JSON.stringify(chapters)} episode={episode} chapters={chapters} failure={failure} />
    </>
  );
}
