import type { FormValues } from '~/app/lib/check-form';
import type { CampaignDetails } from '~/server/domain/insertions/campaign-list';

/** The check boxes of a clip and of an episode. */
export const clipName = (id: number) => `clip-${id}`;
export const episodeName = (id: number) => `episode-${id}`;

const isTicked = (value: string | undefined) => value === 'on' || value === 'true';

/** The ids of ticked boxes, in the order of their fields. */
export const tickedIds = (values: FormValues, prefix: 'clip' | 'episode'): number[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const [kind, id = ''] = name.split('-');
    return kind === prefix && /^\d+$/.test(id) && isTicked(value) ? [Number(id)] : [];
  });

/** The codes of the field of countries. */
export const codesIn = (text: string): string[] => text.split(',').flatMap((code) => code.trim().toUpperCase() || []);

const INITIAL: FormValues = {
  name: '',
  kind: 'campaign',
  place: 'pre',
  number: '1',
  selection: 'all',
  selectionDay: '',
  firstDay: '',
  lastDay: '',
  cap: '',
  isPaced: 'false',
  inPublicFeed: 'on',
  inPrivateFeeds: 'on',
  inWebPlayer: 'on',
  countries: '',
  silenceBeforeMs: '0',
  silenceAfterMs: '0',
  isDraft: 'false',
  clipKey: '',
};

/** The box of the clip that another page has added for this form; the query names it. */
export const tickedBy = ({ searchParams }: URL): FormValues => {
  const id = searchParams.get('clip') ?? '';
  return /^\d{1,9}$/.test(id) ? { [clipName(Number(id))]: 'on' } : {};
};

/** The values of the form of a campaign, or of a new one that begins on this day. */
export function initialValues(campaign: CampaignDetails | null, today: string): FormValues {
  if (campaign === null) return { ...INITIAL, firstDay: today };
  const { name, kind, place, selection, selectionDay, firstDay, lastDay, cap, countries, state } = campaign;
  const flag = (value: boolean) => (value ? 'on' : 'false');
  const boxes = [
    ...campaign.clips.map(({ id }) => [clipName(id), 'on']),
    ...campaign.episodeIds.map((id) => [episodeName(id), 'on']),
  ];
  return {
    ...{ name, kind, place, number: String(campaign.number || 1), selection, selectionDay: selectionDay ?? '' },
    ...{ firstDay: firstDay ?? '', lastDay: lastDay ?? '', cap: cap === null ? '' : String(cap) },
    ...{ isPaced: flag(campaign.isPaced), inPublicFeed: flag(campaign.inPublicFeed) },
    ...{ inPrivateFeeds: flag(campaign.inPrivateFeeds), inWebPlayer: flag(campaign.inWebPlayer) },
    ...{ countries: countries.join(','), isDraft: flag(state === 'draft'), clipKey: '' },
    ...{ silenceBeforeMs: String(campaign.silenceBeforeMs), silenceAfterMs: String(campaign.silenceAfterMs) },
    ...Object.fromEntries(boxes),
  };
}

/**
 * The input of the procedures. The form has no switch: a campaign keeps its own.
 * @param isActive of the campaign that is edited
 */
export const inputOf = (values: FormValues, isActive = true) => ({
  ...Object.fromEntries(Object.entries(values).filter(([name]) => name in INITIAL && name !== 'clipKey')),
  isActive,
  clipIds: tickedIds(values, 'clip'),
  episodeIds: tickedIds(values, 'episode'),
});
