import { useMemo } from 'react';
import { TextField } from '~/app/components/fields';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** `entered`: an address from the page's own. `hosts`: the page about moves from each host. */
type Props = { entered: string; hosts: string; failure?: FormFailure };

/** Asks for the address of the feed. */
export function ImportForm({ entered, hosts, failure }: Props) {
  const { t } = useTranslation('imports');
  const initial = useMemo(() => ({ url: entered }), [entered]);
  return (
    <>
      <IntentForm intent="preview" initial={initial} failure={failure} submit={t('form.preview')}>
        <TextField name="url" label={t('form.url')} help={t('form.urlHelp')} inputMode="url" spellCheck={false} />
      </IntentForm>
      <p>
        <Link to={hosts}>{t('form.hosts')}</Link>
      </p>
    </>
  );
}
