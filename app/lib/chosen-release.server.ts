import { releaseChoice } from '~/server/domain/episodes/schema';
import type { FormValues } from './check-form';

/**
 * The release that the user chose. An empty result keeps the current release; a date of null means now, or no date for
 * a draft.
 */
export function chosenRelease(values: FormValues): { releaseDate?: Date | null; hold?: boolean } {
  if (values.publish === 'keep') return {};
  return { releaseDate: releaseChoice.parse(values), hold: values.publish === 'draft' };
}
