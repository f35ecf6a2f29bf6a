import { TabLead } from '~/app/components/page-header';
import { SuggestionsPage } from '~/app/features/studio/episode/suggestions-page';
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
  const [{ id, productId, kind, name }, state] = await Promise.all([
    door.api.episodes.forEditing(ref),
    door.api.suggestions.state(ref),
  ]);
  if (!state) throw new Response(null, { status: 404 });
  const title = `${translator(door.context.language, 'suggestions')('title')}: ${name}`;
  return { title, episode: { id, productId, kind }, state };
});

/** Asks for suggestions, or takes over one part of them. */
export const action = form(
  async (door, { intent, runId, part = '' }) => {
    const ref = episodeRef(door);
    const { suggestions, episodes } = door.api;
    if (intent === 'take') await suggestions.take({ ...ref, runId, part } as never);
    else await suggestions.start(ref);
    const done = intent === 'take' ? `suggestion_taken_${part}` : 'suggestions_started';
    return { episode: await episodes.forEditing(ref), done };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).suggestions(episode), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EpisodeSuggestions() {
  const { t } = useTranslation('suggestions');
  const { episode, state } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('title')}>{t('lead')}</TabLead>
      <SuggestionsPage episode={episode} state={state} failure={failure} />
    </>
  );
}
