import type { MouseEvent } from 'react';
import { Button } from '~/app/components/button';
import { TextAreaField, TextField } from '~/app/components/fields';
import { useFormState } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { CREATOR_LIMITS } from '~/server/limits/creators';
import classes from './page-editor.module.css';
import { changeRows, fieldName, LISTS, type ListName, type RowChange, shownRows } from './page-values';

const LENGTHS: Record<string, number> = {
  'testimonials.text': CREATOR_LIMITS.testimonialLength,
  'testimonials.author': CREATOR_LIMITS.authorLength,
  'links.label': CREATOR_LIMITS.linkLabelLength,
};

/**
 * A list of the page, with one row per entry and an empty row, which is closed. Its buttons also work without
 * JavaScript: they submit the form.
 */
export function RowFields({ list }: { list: ListName }) {
  const { values, errors } = useFormState();
  const rows = shownRows(list, values);
  return (
    <div className={classes.rows}>
      {rows.map((row) => (
        <RowField key={row} list={list} row={row} isLast={row === rows.length - 1} />
      ))}
      {errors[list] && <p className={classes.error}>{errors[list]}</p>}
    </div>
  );
}

function RowField({ list, row, isLast }: { list: ListName; row: number; isLast: boolean }) {
  const { t } = useTranslation('studio');
  const { values, errors } = useFormState();
  const name = (part: string) => fieldName(list, row, part);
  const number = row + 1;
  const { parts } = LISTS[list];
  const isEmpty = parts.every((part) => !values[name(part)]?.trim());
  const hasError = parts.some((part) => errors[name(part)]);
  return (
    <details className={classes.row} open={!isEmpty || hasError}>
      <summary>{t(isEmpty ? `creator.${list}.add` : `creator.${list}.row`, { number })}</summary>
      <div className={classes.fields}>
        {parts.map((part) => {
          const props = {
            name: name(part),
            label: t(`creator.${list}.${part}`),
            maxLength: LENGTHS[`${list}.${part}`],
          };
          if (part === 'text') return <TextAreaField key={part} {...props} rows={2} />;
          return <TextField key={part} {...props} type={part === 'url' ? 'url' : 'text'} />;
        })}
        <div className={classes.rowButtons}>
          {row > 0 && <RowButton change={{ list, row, verb: 'up' }} label={t('creator.up', { number })} />}
          {!isLast && <RowButton change={{ list, row, verb: 'down' }} label={t('creator.down', { number })} />}
          <RowButton change={{ list, row, verb: 'remove' }} label={t('creator.remove', { number })} />
        </div>
      </div>
    </details>
  );
}

function RowButton({ change, label }: { change: RowChange; label: string }) {
  const { values, setValue } = useFormState();
  function click(event: MouseEvent) {
    event.preventDefault();
    for (const [name, value] of Object.entries(changeRows(values, change))) {
      if (values[name] !== value) setValue(name, value);
    }
  }
  const intent = `${change.list}.${change.row}.${change.verb}`;
  return (
    <Button type="submit" name="intent" value={intent} variant="default" size="compact-sm" onClick={click}>
      {label}
    </Button>
  );
}
