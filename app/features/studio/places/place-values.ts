import type { FormValues } from '~/app/lib/check-form';
import type { ReplacePassage } from '~/server/domain/insertions/schema';

/** The field of a mid-roll's time, and the check box of an episode. */
export const pointName = (index: number) => `point-${index}`;
export const episodeName = (id: number) => `episode-${id}`;

/** The times of the mid-rolls in a form, as they were typed; empty fields are left out. */
export const pointsFrom = (values: FormValues): string[] =>
  Object.entries(values).flatMap(([name, value]) => (/^point-\d+$/.test(name) && value?.trim() ? [value.trim()] : []));

/** The other episodes that are ticked. */
export const episodesFrom = (values: FormValues): number[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const id = /^episode-(\d+)$/.exec(name)?.[1];
    return id && value === 'on' ? [Number(id)] : [];
  });

type Passage = Record<'fromMs' | 'toMs', string> & Pick<ReplacePassage, 'clipId'>;

export const passageFrom = ({ fromMs = '', toMs = '', clipId = '' }: FormValues): Passage => ({
  fromMs,
  toMs,
  clipId: Number(clipId) || null,
});
