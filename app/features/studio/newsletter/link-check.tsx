import { Alert } from '~/app/components/alert';
import { IntentButton } from '~/app/components/intent-button';
import { Form } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';
import type { CheckedLinks } from '~/server/domain/newsletter/check-links';
import classes from './newsletter.module.css';

/** What the page shows after it was asked to check the links. */
export type Checked = { ok: true; links: CheckedLinks };

/** Checks whether the pages to which an edition links exist, and tells which ones don't. */
export function LinkCheck({ links }: { links?: CheckedLinks }) {
  const { t } = useTranslation('editions');
  return (
    <div>
      <Form method="post" className={classes.send} preventScrollReset>
        <IntentButton intent="links">{t('links.check')}</IntentButton>
        <p className={classes.fact}>{t('links.text')}</p>
      </Form>
      <div role="status">{links && <Result {...links} />}</div>
    </div>
  );
}

function Result({ faulty, working, left }: CheckedLinks) {
  const { t, locale } = useTranslation('editions');
  const counted = (key: string, count: number) => t(key, { count, number: formatNumber(count, locale) });
  if (faulty.length + working === 0) return <p>{t('links.none')}</p>;
  return (
    <>
      {faulty.length > 0 && (
        <Alert color="yellow" variant="light" mt={12} title={t('links.faulty')}>
          <ul className={classes.links}>
            {faulty.map(({ address, text }) => (
              <li key={address}>
                <a href={address} target="_blank" rel="noreferrer" dir="ltr">
                  {address}
                </a>
                <br />
                {text}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {working > 0 && <p>{counted('links.working', working)}</p>}
      {left > 0 && <p>{counted('links.left', left)}</p>}
    </>
  );
}
