import type { FormRules } from '~/app/features/studio/drafts/use-rules';
import type { FieldErrors, FormValues } from '~/app/lib/check-form';
import type { Translate } from '~/locales/translate';
import { createEpisode, updateEpisode } from '~/server/domain/episodes/schema';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import { chosenPeople, filledRows, personFields } from './people-values';

export const creationRules: FormRules = { schema: createEpisode, errorsOf: peopleErrors };
export const editingRules: FormRules = { schema: updateEpisode, errorsOf: peopleErrors };

/** Checks each row like the server, so that its error appears beside it. */
function peopleErrors(values: FormValues, t: Translate): FieldErrors {
  const rows = filledRows(values);
  const result = updateEpisode.shape.people.safeParse(chosenPeople(values).people);
  const issues = result.error?.issues ?? [];
  return Object.fromEntries(
    issues.flatMap(({ path: [index, field], message }) => {
      const row = rows[Number(index)];
      if (row === undefined || (field !== 'name' && field !== 'url')) return [];
      const max = field === 'name' ? EPISODE_LIMITS.personNameLength : EPISODE_LIMITS.personUrlLength;
      return [[personFields(row)[field], t(message, { max })]];
    }),
  );
}
