import { CheckField, type Choice } from '~/app/components/fields';
import { Mark } from '~/app/components/icons';
import { SearchSelectField } from '~/app/components/search-select-field';
import type { FormValues } from '~/app/lib/check-form';
import type { FormFailure } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import classes from './first-login-dialog.module.css';
import { LanguageField } from './language-field';
import { IntentForm } from './section-form';

type Props = { initial: FormValues; countries: Choice[]; failure?: FormFailure };
const TITLE = 'first-login-title';

/**
 * The first-login dialog (spec §5). It covers no page, and every other page redirects here (doors.server.ts), so
 * neither Escape nor a reload dismisses it, with or without JavaScript.
 */
export function FirstLoginDialog({ initial, countries, failure }: Props) {
  const { t } = useTranslation('account');
  const paths = usePaths();
  return (
    <main className={classes.backdrop}>
      <div role="dialog" aria-modal="true" aria-labelledby={TITLE} className={classes.dialog}>
        <p className={classes.brand}>
          <Mark />
          Altavoz
        </p>
        <h1 id={TITLE} className={classes.title}>
          {t('firstLogin.title')}
        </h1>
        <p className={classes.lead}>{t('firstLogin.lead')}</p>
        <IntentForm intent="firstLogin" initial={initial} failure={failure} submit={t('firstLogin.submit')}>
          <LanguageField placeholder={t('firstLogin.languageNone')} />
          <SearchSelectField
            name="country"
            label={t('profile.country')}
            help={t('firstLogin.countryHelp')}
            choices={countries}
            placeholder={t('firstLogin.countryNone')}
            noneFound={t('noneFound')}
          />
          <CheckField name="consentsToMarketingEmails" label={t('firstLogin.marketing')} />
        </IntentForm>
        <Form method="post" action={paths.logout}>
          <button type="submit" className={classes.logOut}>
            {t('firstLogin.logOut')}
          </button>
        </Form>
      </div>
    </main>
  );
}
