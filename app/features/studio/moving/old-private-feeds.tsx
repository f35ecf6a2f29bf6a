import { CopyButton } from '~/app/components/copy-button';
import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { useTranslation } from '~/app/lib/translation';
import { OLD_FEEDS_PATH } from '~/server/base/public-paths';
import type { KindName } from '~/server/domain/products/kinds';
import classes from './moving.module.css';

type Props = { show: { id: number; kind: KindName }; appUrl: string };

/** The redirects that send apps from a private feed at the former host to its feed here. */
export function OldPrivateFeeds({ show, appUrl }: Props) {
  const { t } = useTranslation('moving');
  const paths = usePaths();
  const rule = `return 301 ${appUrl}${OLD_FEEDS_PATH}$host$request_uri;`;
  return (
    <Section title={t('oldFeeds.title')}>
      <p className={classes.text}>{t('oldFeeds.text')}</p>
      <ul className={classes.facts}>
        <li>
          {t('oldFeeds.rule')}
          <p className={classes.address}>
            <code dir="ltr">{rule}</code> <CopyButton text={rule} label={t('old.copy')} done={t('old.copied')} />
          </p>
        </li>
        <li>
          {t('oldFeeds.list')}{' '}
          <a href={paths.oldPrivateFeeds(show)} download>
            {t('oldFeeds.download')}
          </a>
        </li>
        <li>{t('oldFeeds.domain')}</li>
      </ul>
      <p className={classes.soft}>{t('oldFeeds.otherwise')}</p>
    </Section>
  );
}
