import { SelectField, TextField } from '~/app/components/fields';
import { Section } from '~/app/components/page-header';
import headerClasses from '~/app/components/page-header.module.css';
import { IntentForm } from '~/app/features/listener/account/section-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { useTranslation } from '~/app/lib/translation';
import { API_RESOURCES, isWritable } from '~/db/values/api-scopes';
import { KEY_LIFE_NAMES } from '~/server/domain/developers/kinds';
import { DEVELOPER_LIMITS } from '~/server/limits/developers';
import classes from './developers.module.css';
import { type KeyProof, KeyProofField, PasswordFirst } from './key-proof';
import { scopeField } from './scope-fields';

const INITIAL = {
  name: '',
  life: 'year',
  currentPassword: '',
  code: '',
  ...Object.fromEntries(API_RESOURCES.map((resource) => [scopeField(resource), 'none'])),
};

/** A new key: its name, how long it works, and what it may do with each kind of thing. */
export function NewKeyForm({ count, proof, failure }: { count: number; proof: KeyProof; failure?: FormFailure }) {
  const { t } = useTranslation('developers');
  const { keys, nameLength } = DEVELOPER_LIMITS;
  if (count >= keys)
    return (
      <Section title={t('new.title')}>
        <p className={classes.fact}>{t('keys.allUsed', { count: keys })}</p>
      </Section>
    );
  if (proof.kind === 'missing')
    return (
      <Section title={t('new.title')}>
        <PasswordFirst />
      </Section>
    );
  const lives = KEY_LIFE_NAMES.map((life) => ({ value: life, label: t(`life.${life}`) }));
  return (
    <Section title={t('new.title')}>
      <div className={headerClasses.form}>
        <IntentForm intent="create" initial={INITIAL} failure={failure} submit={t('new.submit')} startsEmpty>
          <TextField
            name="name"
            label={t('new.name')}
            help={t('new.nameHelp')}
            maxLength={nameLength}
            autoComplete="off"
          />
          <SelectField name="life" label={t('new.life')} choices={lives} />
          <fieldset className={classes.scopes}>
            <legend>{t('new.scopes')}</legend>
            <p className={classes.fact}>{t('new.scopesHelp')}</p>
            {failure?.fields.scopes && (
              <p role="alert" className={classes.error}>
                {failure.fields.scopes.join(' ')}
              </p>
            )}
            <div className={classes.resources}>
              {API_RESOURCES.map((resource) => (
                <SelectField
                  key={resource}
                  name={scopeField(resource)}
                  label={t(`resource.${resource}`)}
                  choices={['none', 'read', ...(isWritable(resource) ? ['write'] : [])].map((value) => ({
                    value,
                    label: t(`scope.${value}`),
                  }))}
                />
              ))}
            </div>
          </fieldset>
          <KeyProofField proof={proof} id="create-proof" />
        </IntentForm>
      </div>
    </Section>
  );
}
