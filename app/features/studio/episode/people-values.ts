import type { FormValues } from '~/app/lib/check-form';
import type { Person } from '~/db/values/episodes';
import { EPISODE_LIMITS } from '~/server/limits/episodes';

/** Each person of an episode has one row of inputs, numbered from 1, because forms and drafts contain only texts. */
export const personFields = (row: number) =>
  ({ name: `personName${row}`, role: `personRole${row}`, url: `personUrl${row}` }) as const;

/** The numbers of the rows that a form may have. */
export const PERSON_ROWS = Array.from({ length: EPISODE_LIMITS.people }, (_, index) => index + 1);

export function peopleValues(people: Person[]): FormValues {
  return Object.fromEntries(
    PERSON_ROWS.flatMap((row) => {
      const { name, role, url } = personFields(row);
      const person = people[row - 1];
      return [
        [name, person?.name ?? ''],
        [role, person?.role ?? 'guest'],
        [url, person?.url ?? ''],
      ];
    }),
  );
}

/** Rows that the user has at least partly filled in. */
export function filledRows(values: FormValues): number[] {
  return PERSON_ROWS.filter((row) => {
    const { name, url } = personFields(row);
    return `${values[name] ?? ''}${values[url] ?? ''}`.trim() !== '';
  });
}

/** How many rows the form shows: all rows up to the last filled one, and an empty row if requested. */
export function shownRows(last: number, requested: number): number {
  return Math.min(Math.max(last, requested, 1), EPISODE_LIMITS.people);
}

/** The people in a form; undefined if the form has no such fields. */
export function chosenPeople(values: FormValues): { people?: Person[] } {
  if (!(personFields(1).name in values)) return {};
  const people = filledRows(values).map((row) => {
    const { name, role, url } = personFields(row);
    return { name: values[name] ?? '', role: values[role] === 'host' ? 'host' : 'guest', url: values[url] || null };
  });
  return { people: people as Person[] };
}

/** The values without one row; the later rows move up. */
export function withoutPerson(values: FormValues, removed: number): FormValues {
  const people = PERSON_ROWS.filter((row) => row !== removed).map((row) => {
    const { name, role, url } = personFields(row);
    return { name: values[name] ?? '', role: (values[role] ?? 'guest') as Person['role'], url: values[url] ?? '' };
  });
  return peopleValues(people);
}
