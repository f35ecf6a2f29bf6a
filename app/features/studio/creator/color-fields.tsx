import { useField, useFieldSetters } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { readableOn } from '~/server/domain/creators/rules';
import classes from './color-fields.module.css';

const DEFAULT_BUTTON_COLOR = '#C93A27';

/**
 * The button colours of the creator's pages, with a sample button. Like the page, the sample replaces unreadable text
 * colours.
 */
export function ColorFields() {
  const { t } = useTranslation('studio');
  const button = useField('buttonColor');
  const text = useField('textColor');
  const background = button.value || DEFAULT_BUTTON_COLOR;
  const textColor = readableOn(background, text.value || null);
  const isReplaced = text.value !== '' && textColor.toLowerCase() !== text.value.toLowerCase();
  return (
    <fieldset className={classes.fieldset}>
      <legend>{t('creator.colors')}</legend>
      <div className={classes.row}>
        <ColorField name="buttonColor" label={t('creator.buttonColor')} fallback={DEFAULT_BUTTON_COLOR} />
        <ColorField name="textColor" label={t('creator.textColor')} fallback={textColor} />
        <span className={classes.sample} style={{ background: background, color: textColor }}>
          {t('creator.sample')}
        </span>
      </div>
      {isReplaced && <p className={classes.note}>{t('creator.unreadable')}</p>}
    </fieldset>
  );
}

function ColorField({ name, label, fallback }: { name: string; label: string; fallback: string }) {
  const { t } = useTranslation('studio');
  const { value, error } = useField(name);
  const { setValue } = useFieldSetters(name);
  return (
    <div className={classes.color}>
      <input type="hidden" name={name} value={value} />
      <label>
        <input
          type="color"
          value={(value || fallback).toLowerCase()}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        {label}
      </label>
      {value && (
        <button type="button" onClick={() => setValue('')} className={classes.reset}>
          {t('creator.colorReset')}
        </button>
      )}
      {error && <p className={classes.error}>{error}</p>}
    </div>
  );
}
