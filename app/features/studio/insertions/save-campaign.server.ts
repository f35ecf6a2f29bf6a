import type { Door } from '~/app/lib/doors.server';
import { PAGE_LIMITS } from '~/server/limits/paging';
import { clipName } from './campaign-values';

type Ref = { id: number; kind: 'podcast' | 'audio_series' };

/** What the form of a campaign offers: the creator's newest clips and the show's newest episodes. */
export async function loadCampaignChoices({ api }: Door, { id, kind }: Ref) {
  const pageSize = PAGE_LIMITS.maxSize;
  const [clips, episodes] = await Promise.all([
    api.clips.list({ pageSize }),
    api.episodes.list({ productId: id, kind, pageSize }),
  ]);
  return {
    clips: clips.items.filter(({ status }) => status !== 'failed'),
    episodes: episodes.items.map((episode) => ({ id: episode.id, name: episode.name })),
  };
}

/**
 * Makes a clip of the file that was sent with the form. It is ticked in the values, so that it is not lost if the
 * campaign is refused.
 */
export async function takeNewClip({ api, context }: Door, values: Record<string, string>): Promise<void> {
  const { clipKey, isRecorded = 'false' } = values;
  if (!clipKey) return;
  values.clipKey = '';
  const clip = await api.clips.create({
    name: values.name || context.translate('campaigns:form.unnamedClip'),
    clipKey,
    isRecorded,
  });
  values[clipName(clip.id)] = 'on';
}
