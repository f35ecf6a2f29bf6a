import { TextField } from '~/app/components/fields';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';

const INITIAL = { url: '' };

/** Asks for the address of the feed. */
export function ImportForm({ failure }: { failure?: FormFailure }) {
  const { t } = useTranslation('imports');
  return (
    <IntentForm intent="preview" initial={INITIAL} failure={failure} submit={t('form.preview')}>
      <TextField name="url" label={t('form.url')} help={t('form.urlHelp')} inputMode="url" spellCheck={false} />
    </IntentForm>
  );
}
