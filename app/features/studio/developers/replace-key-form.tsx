import { useMemo } from 'react';
import { SelectField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import headerClasses from '~/app/components/page-header.module.css';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { KEY_OVERLAP_NAMES } from '~/server/domain/developers/kinds';
import type { KeyView } from '~/server/domain/developers/list-keys';
import classes from './developers.module.css';
import { type KeyProof, KeyProofField } from './key-proof';

type Props = { keys: Pick<KeyView, 'id' | 'name' | 'lastFour' | 'state'>[]; proof: KeyProof; failure?: FormFailure };

/** Replaces one of the keys that work; absent without any. */
export function ReplaceKeyForm({ keys, proof, failure }: Props) {
  const { t } = useTranslation('developers');
  const active = keys.filter(({ state }) => state === 'active');
  const isAmongSeveral = active.length > 1;
  // a choice that the browser loses while the app starts must not become another key
  const id = isAmongSeveral ? '' : String(active[0]?.id ?? '');
  const initial = useMemo(() => ({ id, overlap: 'day', currentPassword: '', code: '' }), [id]);
  if (active.length === 0 || proof.kind === 'missing') return null;
  const choices = active.map(({ id: keyId, name, lastFour }) => ({
    value: String(keyId),
    label: `${name} ${t('keys.ending', { lastFour })}`,
  }));
  const overlaps = KEY_OVERLAP_NAMES.map((overlap) => ({ value: overlap, label: t(`overlap.${overlap}`) }));
  return (
    <Section title={t('rotate.title')}>
      <p className={classes.fact}>{t('rotate.help')}</p>
      <div className={headerClasses.form}>
        <IntentForm intent="rotate" initial={initial} failure={failure} submit={t('rotate.submit')} quiet>
          <SelectField
            name="id"
            label={t('rotate.which')}
            choices={choices}
            placeholder={isAmongSeveral ? t('rotate.choose') : undefined}
          />
          <SelectField name="overlap" label={t('rotate.overlap')} choices={overlaps} />
          <KeyProofField proof={proof} id="rotate-proof" />
        </IntentForm>
      </div>
    </Section>
  );
}
