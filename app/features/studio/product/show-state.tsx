import { Pill, type Tone } from '~/app/components/pill';
import { useTranslation } from '~/app/lib/translation';
import type { TakeDown } from '~/db/values/take-downs';

export type StateFacts = {
  takeDown: TakeDown | null;
  archivedAt: Date | null;
  freeConversionAt: Date | null;
  episodesCount: number;
};

/** What listeners find of a show: its episodes, none yet, or nothing any more. */
export function ShowState({ product }: { product: StateFacts }) {
  const { t } = useTranslation('product');
  const state = stateOf(product);
  return <Pill tone={TONES[state]}>{t(`state.${state}`)}</Pill>;
}

const TONES = {
  live: 'good',
  empty: 'plain',
  becomingFree: 'waiting',
  archived: 'plain',
  takenDown: 'bad',
} as const satisfies Record<string, Tone>;

function stateOf({ takeDown, archivedAt, freeConversionAt, episodesCount }: StateFacts): keyof typeof TONES {
  if (takeDown) return 'takenDown';
  if (archivedAt) return 'archived';
  if (freeConversionAt) return 'becomingFree';
  return episodesCount > 0 ? 'live' : 'empty';
}
