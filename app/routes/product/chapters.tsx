import { Button } from '~/app/components/button';
import { TabLead } from '~/app/components/page-header';
import { ChapterEditor } from '~/app/features/studio/episode/chapter-editor';
import { rowsFrom, toChapters } from '~/app/features/studio/episode/chapter-values';
import { SuggestionsLink } from '~/app/features/studio/episode/suggestions-link';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { episodeRef } from '~/app/lib/route-refs';
import { Form, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const ref = episodeRef(door);
  const [episode, chapters, described] = await Promise.all([
    door.api.episodes.forEditing(ref),
    door.api.episodes.chapters(ref),
    door.api.episodes.describedChapters(ref),
  ]);
  const title = `${translator(door.context.language, 'episode')('chapters.title')}: ${episode.name}`;
  const { suggests } = door.context.settings;
  return { title, episode, chapters, described: chapters.length === 0 ? described.length : 0, suggests };
});

/** Saves the chapters of the form, or takes those that the description lists. */
export const action = form(
  async (door, values) => {
    const ref = episodeRef(door);
    const isTaking = values.intent === 'take';
    const chapters = isTaking ? await door.api.episodes.describedChapters(ref) : toChapters(rowsFrom(values));
    // the description may have changed meanwhile, and an empty list would delete the chapters
    const hasChanged = !isTaking || chapters.length > 0;
    if (hasChanged) await door.api.episodes.saveChapters({ ...ref, chapters });
    return { episode: await door.api.episodes.forEditing(ref), done: hasChanged ? 'chapters_saved' : 'no_chapters' };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).chapters(episode), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EditChapters() {
  const { t } = useTranslation('episode');
  const { episode, chapters, described, suggests } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('chapters.title')} />
      {suggests && episode.hasTranscript && <SuggestionsLink episode={episode} />}
      {described > 0 && (
        <Form method="post">
          <p>{t('chapters.described', { count: described })}</p>
          <Button type="submit" name="intent" value="take" variant="default">
            {t('chapters.take')}
          </Button>
        </Form>
      )}
      <ChapterEditor key={JSON.stringify(chapters)} episode={episode} chapters={chapters} failure={failure} />
    </>
  );
}
