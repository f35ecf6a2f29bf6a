import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { CoverUrls } from '~/server/domain/media/rules';
import type { KindName } from '~/server/domain/products/kinds';
import distribution from './distribution.module.css';
import classes from './first-publish.module.css';
import { emailLink, shareLinks } from './share-links';

type Product = { id: number; kind: KindName; name: string; cover: CoverUrls };
/** `children`: more ways to share the episode. */
type Props = { product: Product; episode: string; pageUrl: string; children: ReactNode };

/** Celebrates a show's first published episode: the cover, the link, ways to share it, and the next steps. */
export function FirstPublish({ product, episode, pageUrl, children }: Props) {
  const { t } = useTranslation('distribution');
  const { name, cover } = product;
  return (
    <div className={classes.moment}>
      <img className={classes.cover} src={cover.webp[640]} alt="" width={320} height={320} />
      <div className={classes.words}>
        <h1 className={classes.title} dir="auto">
          {t('published.title', { name })}
        </h1>
        <p className={classes.lead} dir="auto">
          {t('published.lead', { episode })}
        </p>
        <div className={distribution.row}>
          <code>{pageUrl}</code>
          <CopyButton text={pageUrl} label={t('feed.copy')} done={t('feed.copied')} />
        </div>
        <Share name={name} url={pageUrl} />
        {children}
      </div>
      <NextSteps product={product} pageUrl={pageUrl} />
    </div>
  );
}

function Share({ name, url }: { name: string; url: string }) {
  const { t } = useTranslation('distribution');
  const canShare = useCanShare();
  const message = t('published.message', { name });
  return (
    <section aria-labelledby="share">
      <h2 className={classes.heading} id="share">
        {t('published.shareOn')}
      </h2>
      <div className={classes.links}>
        {canShare && (
          <Button
            type="button"
            size="compact-md"
            // a user who closes the system's dialog causes no error
            onClick={() => void navigator.share({ title: name, text: message, url }).catch(() => {})}
          >
            {t('published.share')}
          </Button>
        )}
        {shareLinks({ url, message }).map(({ name: service, href }) => (
          <Button
            key={service}
            component="a"
            href={href}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="compact-md"
          >
            {service}
          </Button>
        ))}
        <Button component="a" href={emailLink({ url, message })} variant="default" size="compact-md">
          {t('published.email')}
        </Button>
      </div>
    </section>
  );
}

/** False until hydration: the server can't know it. */
function useCanShare(): boolean {
  const [canShare, setCanShare] = useState(false);
  useEffect(() => void setCanShare(typeof navigator.share === 'function'), []);
  return canShare;
}

function NextSteps({ product, pageUrl }: { product: Product; pageUrl: string }) {
  const { t } = useTranslation('distribution');
  const paths = usePaths();
  const isEditor = useIsEditor();
  const panel = paths.distribution(product);
  return (
    <section className={classes.next} aria-labelledby="next">
      <h2 className={classes.heading} id="next">
        {t('published.next')}
      </h2>
      <ul className={classes.steps}>
        {isEditor && (
          <>
            <li>
              <Link to={panel}>{t('published.distribution')}</Link>
              <span>{t('published.distributionText')}</span>
            </li>
            <li>
              <Link to={`${panel}#ready`}>{t('published.ready')}</Link>
              <span>{t('published.readyText')}</span>
            </li>
          </>
        )}
        <li>
          <a href={pageUrl} target="_blank" rel="noreferrer">
            {t('published.page')}
          </a>
          <span>{t('published.pageText')}</span>
        </li>
      </ul>
      <div>
        <Button component={Link} to={paths.product(product)}>
          {t('published.continue')}
        </Button>
      </div>
    </section>
  );
}
