import { useState } from 'react';
import { Button } from '~/app/components/button';
import { SelectField, TextField } from '~/app/components/fields';
import fieldClasses from '~/app/components/fields.module.css';
import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { useHydrated } from '~/app/lib/use-hydrated';
import { PERSON_ROLES } from '~/db/values/episodes';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import own from './episode.module.css';
import { filledRows, PERSON_ROWS, personFields, shownRows, withoutPerson } from './people-values';

/** Hosts and guests, and at most one empty row. Without JavaScript, there is always an empty row. */
export function PeopleFields() {
  const { t } = useTranslation('episode');
  const { values, setValue } = useFormState();
  const isHydrated = useHydrated();
  const last = filledRows(values).at(-1) ?? 0;
  const [requested, setRequested] = useState(0);
  const shown = isHydrated ? shownRows(last, requested) : shownRows(last, last + 1);

  function remove(row: number) {
    for (const [name, value] of Object.entries(withoutPerson(values, row))) {
      if (values[name] !== value) setValue(name, value);
    }
    setRequested(0);
  }

  return (
    <fieldset className={`${fieldClasses.fieldset} ${own.people}`} data-field="people">
      <legend className={fieldClasses.legend}>{t('people.legend')}</legend>
      <p className={fieldClasses.help}>{t('people.help')}</p>
      {PERSON_ROWS.slice(0, shown).map((row) => (
        <PersonRow key={row} row={row} onRemove={() => remove(row)} />
      ))}
      {shown === last && last < EPISODE_LIMITS.people && (
        <Button variant="default" size="compact-sm" onClick={() => setRequested(last + 1)} data-needs-script>
          {t('people.add')}
        </Button>
      )}
    </fieldset>
  );
}

function PersonRow({ row, onRemove }: { row: number; onRemove: () => void }) {
  const { t } = useTranslation('episode');
  const { values } = useFormState();
  const { name, role, url } = personFields(row);
  // several people have the same fields, and the episode also has a name
  const label = (field: 'name' | 'role' | 'url') => (
    <>
      {t(`people.${field}`)}
      <span className="hidden-visually">{t('people.ofPerson', { number: row })}</span>
    </>
  );
  const roles = PERSON_ROLES.map((value) => ({ value, label: t(`people.${value}`) }));
  return (
    <div className={own.person}>
      <TextField name={name} label={label('name')} maxLength={EPISODE_LIMITS.personNameLength} autoComplete="off" />
      <SelectField name={role} label={label('role')} choices={roles} />
      <TextField name={url} label={label('url')} type="url" inputMode="url" placeholder="https://" />
      {values[name] && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onRemove} data-needs-script>
          {t('people.remove', { name: values[name] })}
        </Button>
      )}
    </div>
  );
}
