import { TabLead } from '~/app/components/page-header';
import { ImportNotice } from '~/app/features/studio/episode/import-notice';
import { PromoEditor } from '~/app/features/studio/episode/promo-editor';
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
  const episode = await door.api.episodes.forEditing(episodeRef(door));
  const title = `${translator(door.context.language, 'episode')('tabs.promo')}: ${episode.name}`;
  return { title, episode };
});

/** Cuts the promo from the episode, takes an uploaded one, or deletes it. */
export const action = form(
  async (door, { intent, startMs = '', endMs = '', promoKey = '' }) => {
    const ref = episodeRef(door);
    const { episodes } = door.api;
    if (intent === 'delete') await episodes.removePromo(ref);
    else if (intent === 'upload') await episodes.update({ ...ref, promoKey });
    else await episodes.cutPromo({ ...ref, startMs, endMs });
    return { episode: await episodes.forEditing(ref), done: intent === 'delete' ? 'promo_deleted' : 'promo_saved' };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).promo(episode), done) },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EpisodePromo() {
  const { t } = useTranslation('episode');
  const { episode } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('tabs.promo')}>{t('promo.help')}</TabLead>
      <ImportNotice />
      <PromoEditor key={episode.id} episode={episode} failure={failure} />
    </>
  );
}
