import { CopyButton } from '~/app/components/copy-button';
import { DropDown } from '~/app/components/drop-down';
import { ExternalLinkIcon } from '~/app/components/line-icons';
import { emailLink, shareSites } from '~/app/lib/share-sites';
import { useTranslation } from '~/app/lib/translation';
import classes from './part-head.module.css';

type Props = { name: string; pageUrl: string; feedUrl?: string; isMain?: boolean };

/** The address of a page of a show or an episode, the feed of a show, and services that share the page. */
export function SharePanel({ name, pageUrl, feedUrl, isMain }: Props) {
  const { t } = useTranslation('product');
  const shared = { url: pageUrl, message: t('share.message', { name }) };
  const services = [...shareSites(shared), { name: t('share.email'), href: emailLink(shared) }];
  return (
    <DropDown button={t('share.open')} align="end" isMain={isMain}>
      <div className={classes.share}>
        <Address name={t('show.page')} url={pageUrl} />
        <a className={classes.page} href={pageUrl} target="_blank" rel="noreferrer">
          {t('show.publicPage')}
          <ExternalLinkIcon />
        </a>
        {feedUrl && <Address name={t('show.feed')} url={feedUrl} />}
        <p className={classes.label}>{t('share.on')}</p>
        <ul className={classes.services}>
          {services.map((service) => (
            <li key={service.name}>
              <a href={service.href} target="_blank" rel="noreferrer">
                {service.name}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </DropDown>
  );
}

function Address({ name, url }: { name: string; url: string }) {
  const { t } = useTranslation('product');
  return (
    <div>
      <p className={classes.label}>{name}</p>
      <div className={classes.address}>
        <code>{url}</code>
        <CopyButton text={url} label={t('show.copy')} done={t('show.copied')} />
      </div>
    </div>
  );
}
