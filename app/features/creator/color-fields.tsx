import { useField, useFieldSetters } from '~/app/components/form-context';
import { useTranslation } from '~/app/lib/translation';
import { readableOn } from '~/server/domain/creators/rules';
import classes from './color-fields.module.css';

const OURS = '#C93A27';

/** The colours of the page's buttons, with a button that wears them: text that can't be read is replaced, as on the page. */
export function ColorFields() {
  const { t } = useTranslation('studio');
  const button = useField('buttonColor');
  const text = useField('textColor');
  const ground = button.value || OURS;
  const ink = readableOn(ground, text.value || null);
  const replaced = text.value !== '' && ink.toLowerCase() !== text.value.toLowerCase();
  return (
    <fieldset className={classes.fieldset}>
      <legend>{t('creator.colors')}</legend>
      <div className={classes.row}>
        <ColorField name="buttonColor" label={t('creator.buttonColor')} fallback={OURS} />
        <ColorField name="textColor" label={t('creator.textColor')} fallback={ink} />
        <span className={classes.sample} style={{ background: ground, color: ink }}>
          {t('creator.sample')}
        </span>
      </div>
      {replaced && <p className={classes.note}>{t('creator.unreadable')}</p>}
    </fieldset>
  );
}

function ColorField({ name, label, fallback }: { name: string; label: string; fallback: string }) {
  const { t } = useTranslation('studio');
  const { value, error } = useField(name);
  const { set } = useFieldSetters(name);
  return (
    <div className={classes.color}>
      <input type="hidden" name={name} value={value} />
      <label>
        <input
          type="color"
          value={(value || fallback).toLowerCase()}
          onChange={(event) => set(event.currentTarget.value)}
        />
        {label}
      </label>
      {value && (
        <button type="button" onClick={() => set('')} className={classes.reset}>
          {t('creator.colorReset')}
        </button>
      )}
      {error && <p className={classes.error}>{error}</p>}
    </div>
  );
}
