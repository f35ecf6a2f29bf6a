import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { Joy } from '~/app/components/joy';
import { formatDateTime, timeZoneName } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { emailLink, shareSites } from '~/app/lib/share-sites';
import { useCreatorTimeZone, useIsEditor } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { CoverUrls } from '~/server/domain/media/rules';
import type { KindName } from '~/server/domain/products/kinds';
import distribution from './distribution.module.css';
import classes from './first-publish.module.css';
import type { PublishOutcome } from './publish-outcome';

type Product = { id: number; kind: KindName; name: string; cover: CoverUrls };
/** `isOpen`: people who don't subscribe can hear something. `hasEpisode`: not only trailers are published. `children`: more ways to share the episode. */
type Props = {
  title: string;
  product: Product;
  outcome: PublishOutcome;
  isOpen: boolean;
  hasEpisode: boolean;
  pageUrl: string;
  children: ReactNode;
};

/** Celebrates a show's first episode: the cover, who can hear it, the link, ways to share it, and the next steps. */
export function FirstPublish({ title, product, outcome, isOpen, hasEpisode, pageUrl, children }: Props) {
  const { t } = useTranslation('distribution');
  const { name, cover } = product;
  const lead = useLead(outcome, isOpen);
  return (
    <div className={classes.moment}>
      {outcome.state !== 'scheduled' && <Joy />}
      <img className={classes.cover} src={cover.webp[640]} alt="" width={320} height={320} />
      <div className={classes.words}>
        <h1 className={classes.title} dir="auto">
          {title}
        </h1>
        <p className={classes.lead} dir="auto">
          {lead}
        </p>
        <div className={distribution.row}>
          <code>{pageUrl}</code>
          <CopyButton text={pageUrl} label={t('feed.copy')} done={t('feed.copied')} />
        </div>
        {outcome.state !== 'scheduled' && <Share name={name} url={pageUrl} />}
        {children}
      </div>
      <NextSteps product={product} outcome={outcome} isOpen={isOpen} hasEpisode={hasEpisode} pageUrl={pageUrl} />
    </div>
  );
}

/** Only what happened: who can hear the episode, and from when on. */
function useLead({ episode, state, date }: PublishOutcome, isOpen: boolean): string {
  const { t, locale } = useTranslation('distribution');
  const timeZone = useCreatorTimeZone();
  const when = date ? formatDateTime(date, locale, timeZone) : '';
  const values = { episode: episode.name, date: when, zone: timeZoneName(timeZone) };
  if (state === 'public') return t('published.lead', values);
  return t(`published.lead.${state === 'private' && isOpen ? 'privateOpen' : state}`, values);
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
        {shareSites({ url, message }).map(({ name: service, href }) => (
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

type NextProps = Pick<Props, 'product' | 'outcome' | 'isOpen' | 'hasEpisode' | 'pageUrl'>;

function NextSteps({ product, outcome, isOpen, hasEpisode, pageUrl }: NextProps) {
  const { t } = useTranslation('distribution');
  const paths = usePaths();
  const isEditor = useIsEditor();
  const { state, episode } = outcome;
  const panel = paths.distribution(product);
  const needsTrailer = state === 'private' && !isOpen;
  return (
    <section className={classes.next} aria-labelledby="next">
      <h2 className={classes.heading} id="next">
        {t('published.next')}
      </h2>
      <ul className={classes.steps}>
        {state === 'scheduled' && (
          <Step name="see" to={paths.episode({ id: episode.id, productId: product.id, kind: product.kind })} />
        )}
        {isEditor && needsTrailer && <Step name="trailer" to={paths.createEpisode(product, 'trailer')} />}
        {isEditor && state === 'trailer' && !hasEpisode && <Step name="first" to={paths.createEpisode(product)} />}
        {isEditor && isOpen && (
          <>
            <Step name="distribution" to={panel} />
            <Step name="ready" to={`${panel}#ready`} />
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

function Step({ name, to }: { name: 'see' | 'trailer' | 'first' | 'distribution' | 'ready'; to: string }) {
  const { t } = useTranslation('distribution');
  return (
    <li>
      <Link to={to}>{t(`published.${name}`)}</Link>
      <span>{t(`published.${name}Text`)}</span>
    </li>
  );
}
