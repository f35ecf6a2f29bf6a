import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { Form, Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { CheckedFeed } from '~/server/domain/moving/redirects/redirect-feed';
import type { RedirectWarning } from '~/server/domain/moving/redirects/rules';
import classes from './moving.module.css';

type Props = { checked: CheckedFeed; feedUrl: string };

/** The feed at the new address, its problems, and the button that redirects. */
export function CheckedTarget({ checked: { url, title, episodes, warnings }, feedUrl }: Props) {
  const { t } = useTranslation('moving');
  return (
    <div className={classes.page}>
      <Section title={t('checked.title')}>
        <p className={classes.name} dir="auto">
          {title}
        </p>
        <p className={classes.soft}>{t('checked.episodes', { count: episodes })}</p>
        <p className={classes.address} dir="ltr">
          {url}
        </p>
      </Section>
      {warnings.length > 0 ? (
        <Alert color="yellow" variant="light" title={t('checked.warnings', { count: warnings.length })}>
          <ul className={classes.facts}>
            {warnings.map((warning) => (
              <li key={warning.kind}>
                <Warning warning={warning} />
              </li>
            ))}
          </ul>
        </Alert>
      ) : (
        <p className={classes.good}>{t('checked.fine')}</p>
      )}
      <Form method="post" className={classes.form}>
        <input type="hidden" name="url" value={url} />
        <p className={classes.text}>{t('checked.what', { from: feedUrl, to: url })}</p>
        <div className={classes.buttons}>
          <Button type="submit" name="intent" value="redirect">
            {t('checked.confirm')}
          </Button>
          <Button component={Link} to="?" variant="default">
            {t('checked.other')}
          </Button>
        </div>
      </Form>
    </div>
  );
}

function Warning({ warning }: { warning: RedirectWarning }) {
  const { t } = useTranslation('moving');
  const { kind, ...values } = warning;
  return <>{t(`warning.${kind}`, values)}</>;
}
