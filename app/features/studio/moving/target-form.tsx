import { TextField } from '~/app/components/fields';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import classes from './moving.module.css';

/** Asks for the address of the new feed. If the confirmed redirect fails, the form shows that address again. */
export function TargetForm({ failure }: { failure?: FormFailure }) {
  const { t } = useTranslation('moving');
  const own = failure && { ...failure, values: { ...failure.values, intent: 'check' } };
  return (
    <div className={classes.page}>
      <ul className={classes.facts}>
        <li>{t('redirect.apps')}</li>
        <li>{t('redirect.undoable')}</li>
        <li>{t('redirect.kept')}</li>
        <li>{t('redirect.private')}</li>
      </ul>
      <IntentForm intent="check" initial={{ url: '' }} failure={own} submit={t('redirect.check')}>
        <TextField
          name="url"
          label={t('redirect.url')}
          help={t('redirect.urlHelp')}
          inputMode="url"
          spellCheck={false}
        />
      </IntentForm>
    </div>
  );
}
