import { TabLead } from '~/app/components/page-header';
import { AddForm } from '~/app/features/studio/soundbites/add-form';
import type { PassagePart } from '~/app/features/studio/soundbites/passage-list';
import { SoundbiteList } from '~/app/features/studio/soundbites/soundbite-list';
import classes from '~/app/features/studio/soundbites/soundbites.module.css';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { requireAbility } from '~/app/lib/role-pages.server';
import { episodeRef, parseId } from '~/app/lib/route-refs';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { soundbitePagePath } from '~/server/base/public-paths';
import { brandOf } from '~/server/domain/creators/rules';
import { SOUNDBITE_LIMITS } from '~/server/limits/soundbites';
import { isTimed } from '~/server/transcript/model';

export const loader = page(async (door) => {
  await requireAbility(door, 'episode.manage');
  const { api, context } = door;
  const ref = episodeRef(door);
  const [episode, soundbites, own] = await Promise.all([
    api.episodes.forEditing(ref),
    api.soundbites.list({ episodeId: ref.id }),
    api.creators.mine(),
  ]);
  const { creator, product, slug, name, url, durationSeconds, waveform } = episode;
  const pageOf = (id: number) => context.urls.creator(creator.domain, soundbitePagePath(product.slug, slug, id));
  return {
    title: `${translator(context.language, 'soundbites')('title')}: ${name}`,
    episode: { id: episode.id, url, durationSeconds, waveform },
    soundbites: soundbites.map((each) => ({ ...each, pageUrl: pageOf(each.id) })),
    frame: { show: product.name, cover: episode.cover.webp[640], colors: (own && brandOf(own)) ?? DEFAULT_COLORS },
    part: episode.hasTranscript ? await passagesOf(door) : null,
  };
});

/** Those of the pictures for link previews. */
const DEFAULT_COLORS = { button: '#15131D', text: '#FBFAF8' };
const PART = 200;

/** A part of the transcript's timed passages; null if none has a time. */
async function passagesOf({ api, url, ...door }: Door): Promise<PassagePart | null> {
  const { cues } = await api.transcripts.edit(episodeRef({ ...door, url }));
  const timed = cues.filter(isTimed);
  if (timed.length === 0) return null;
  const asked = Number(url.searchParams.get('part')) || 1;
  const last = Math.ceil(timed.length / PART);
  const number = Math.min(Math.max(1, Math.floor(asked)), last);
  const shown = timed.slice((number - 1) * PART, number * PART);
  return {
    passages: shown.map(({ startMs, endMs, text }) => ({ startMs, endMs, text })),
    earlier: number > 1 ? number - 1 : null,
    later: number < last ? number + 1 : null,
  };
}

/** Adds, renames or deletes a soundbite. */
export const action = form(
  async (door, { intent, soundbiteId, title = '', startMs = '', endMs = '' }) => {
    const { soundbites, episodes } = door.api;
    const ref = episodeRef(door);
    if (intent === 'rename') await soundbites.rename({ id: parseId(soundbiteId), title });
    else if (intent === 'remove') await soundbites.remove({ id: parseId(soundbiteId) });
    else await soundbites.add({ episodeId: ref.id, title, startMs, endMs });
    return { episode: await episodes.forEditing(ref), done: DONE[intent ?? ''] ?? 'soundbite_added' };
  },
  { then: ({ episode, done }, { url }) => withDoneMessage(pathsFor(url).soundbites(episode), done) },
);

const DONE: Record<string, string> = { rename: 'soundbite_renamed', remove: 'soundbite_deleted' };

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function EpisodeSoundbites() {
  const { t } = useTranslation('soundbites');
  const { episode, soundbites, frame, part } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const ofRow = failure?.values.soundbiteId ? failure : undefined;
  const hasRoom = soundbites.length < SOUNDBITE_LIMITS.perEpisode;
  return (
    <>
      <TabLead title={t('title')} help="soundbites">
        {t('lead')}
      </TabLead>
      <div className={classes.parts}>
        {!episode.url && <p>{t('add.needsAudio')}</p>}
        {episode.url && hasRoom && (
          <AddForm key={soundbites.length} episode={episode} part={part} failure={ofRow ? undefined : failure} />
        )}
        {!hasRoom && <p>{t('add.full', { max: SOUNDBITE_LIMITS.perEpisode })}</p>}
        <SoundbiteList soundbites={soundbites} frame={frame} failure={ofRow} />
      </div>
    </>
  );
}
