import { Button } from '@mantine/core';
import { useState } from 'react';
import { SelectField, TextField } from '~/app/components/fields';
import fieldClasses from '~/app/components/fields.module.css';
import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { PERSON_ROLES } from '~/server/domain/episodes/schema';
import { EPISODE_LIMITS } from '~/server/limits/episodes';
import own from './episode.module.css';
import { filledRows, PERSON_ROWS, personFields, withoutPerson } from './people-values';

/** Hosts and guests. Without JavaScript, one empty row can be filled in at a time. */
export function PeopleFields() {
  const { t } = useTranslation('episode');
  const { values, setValue } = useFormState();
  const [added, setAdded] = useState(0);
  const shown = Math.min(Math.max(filledRows(values).at(-1) ?? 0, 0) + 1 + added, EPISODE_LIMITS.people);

  function remove(row: number) {
    for (const [name, value] of Object.entries(withoutPerson(values, row))) {
      if (values[name] !== value) setValue(name, value);
    }
    setAdded(0);
  }

  return (
    <fieldset className={`${fieldClasses.fieldset} ${own.people}`} data-field="people">
      <legend className={fieldClasses.legend}>{t('people.legend')}</legend>
      <p className={fieldClasses.help}>{t('people.help')}</p>
      {PERSON_ROWS.slice(0, shown).map((row) => (
        <PersonRow key={row} row={row} onRemove={() => remove(row)} />
      ))}
      {shown < EPISODE_LIMITS.people && (
        <Button variant="default" size="compact-sm" onClick={() => setAdded(added + 1)} data-needs-script>
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
  // several people have the same fields, and the episode has a name of its own
  const label = (field: 'name' | 'role' | 'url') => t(`people.${field}`, { number: row + 1 });
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
