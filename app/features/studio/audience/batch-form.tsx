import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from '~/app/components/button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import classes from './audience.module.css';

/** `found`: the number of contacts that the filters find, if there are more than the page shows. */
type Props = { tags: string[]; found: number | null; error?: string; children: ReactNode };

/**
 * The form around the table: acts on the selected contacts, with and without JavaScript. A script, which can reveal
 * them, hides the actions until a contact is selected.
 */
export function ContactBatchForm({ tags, found, error, children }: Props) {
  const { t, locale } = useTranslation('audience');
  return (
    <Form method="post">
      <div className={classes.batch} data-error={error ? true : undefined}>
        <label className={classes.all}>
          <input type="checkbox" onChange={({ currentTarget: { form, checked } }) => selectAll(form, checked)} />
          {t('batch.all')}
        </label>
        <fieldset className={classes.batchActions}>
          <legend className="hidden-visually">{t('batch.label')}</legend>
          {found !== null && (
            <label className={classes.all}>
              <input type="checkbox" name="everyone" />
              {t('batch.everyone', { number: formatNumber(found, locale) })}
            </label>
          )}
          <TextInput
            name="tag"
            aria-label={t('batch.tagName')}
            placeholder={t('batch.tagName')}
            size="sm"
            list="contact-tags"
            autoComplete="off"
            error={error}
          />
          <datalist id="contact-tags">
            {tags.map((tag) => (
              <option key={tag} value={tag} />
            ))}
          </datalist>
          {(['tag', 'untag', 'deactivate', 'activate'] as const).map((intent) => (
            <Button key={intent} type="submit" name="intent" value={intent} size="compact-md" variant="default">
              {t(`batch.${intent}`)}
            </Button>
          ))}
          <Button type="submit" name="intent" value="delete" size="compact-md" color="red" variant="outline">
            {t('batch.delete')}
          </Button>
        </fieldset>
      </div>
      {children}
    </Form>
  );
}

function selectAll(form: HTMLFormElement | null, isOn: boolean) {
  for (const box of form?.querySelectorAll<HTMLInputElement>('td input[type="checkbox"]') ?? []) box.checked = isOn;
}

/** Undoes the last change, which the URL names with the number of its contacts. */
export function UndoNotice({ batchId, changed }: { batchId: string; changed: number }) {
  const { t } = useTranslation('audience');
  return (
    <Form method="post" className={classes.notice}>
      <p role="status">{t('batch.done', { count: changed })}</p>
      <input type="hidden" name="batchId" value={batchId} />
      <Button type="submit" name="intent" value="undo" variant="default">
        {t('batch.undo')}
      </Button>
    </Form>
  );
}
