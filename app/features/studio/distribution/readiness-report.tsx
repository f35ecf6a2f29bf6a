import { Section } from '~/app/components/page-header';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { KindName } from '~/server/domain/products/kinds';
import { settingsPartOf } from '~/server/domain/products/rules';
import { FEED_LIMITS } from '~/server/limits/feeds';
import classes from './distribution.module.css';
import type { ShownReadiness } from './readiness-texts.server';

type Product = { id: number; kind: KindName };
type Finding = ShownReadiness['findings'][number];
type Cut = ShownReadiness['cuts'][number];

/** The results of the feed's check: blocking problems, suggestions, data that the feed leaves out, and passed rules. */
export function ReadinessReport({ product, readiness }: { product: Product; readiness: ShownReadiness }) {
  const { t } = useTranslation('distribution');
  const { findings, cuts, passed, episodesCount } = readiness;
  const blocking = findings.filter(({ severity }) => severity === 'error');
  const recommended = findings.filter(({ severity }) => severity === 'advice');
  return (
    <Section title={t('ready.title')} id="ready">
      <p className={classes.verdict} data-blocked={blocking.length > 0 || undefined}>
        {blocking.length === 0 ? t('ready.yes') : t('ready.no', { count: blocking.length })}
      </p>
      <p className={classes.soft}>{t('ready.checked', { count: episodesCount })}</p>
      <Findings title={t('ready.blocking')} findings={blocking} product={product} />
      <Findings title={t('ready.recommended')} findings={recommended} product={product} />
      <Cuts cuts={cuts} product={product} />
      <details className={classes.fine}>
        <summary>{t('ready.fine', { count: passed.length })}</summary>
        <ul>
          {passed.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

function Findings({ title, findings, product }: { title: string; findings: Finding[]; product: Product }) {
  const { t } = useTranslation('distribution');
  if (findings.length === 0) return null;
  return (
    <div className={classes.group}>
      <h3>{title}</h3>
      <ul className={classes.findings}>
        {findings.map((finding) => (
          <li key={finding.rule}>
            <p>{finding.text}</p>
            <Fix finding={finding} product={product} />
            <p className={classes.soft}>
              <a href={finding.source.url} target="_blank" rel="noreferrer">
                {t('ready.by', { source: finding.source.name })}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How to fix the problem, with a link to the page for it. */
function Fix({ finding, product }: { finding: Finding; product: Product }) {
  const { t } = useTranslation('distribution');
  const paths = usePaths();
  const text = t(`fix.${finding.remedy}`, FEED_LIMITS.soundbiteSeconds);
  if (finding.remedy === 'ours') {
    return (
      <p>
        {text} <Link to={paths.contact}>{t('fix.contact')}</Link>
      </p>
    );
  }
  if (finding.episodes.length > 0) {
    return (
      <>
        <p>{text}</p>
        <EpisodeLinks {...finding} product={product} hasSoundbites={finding.remedy === 'episodeSoundbites'} />
      </>
    );
  }
  const target = {
    firstEpisode: paths.createEpisode(product),
    openEpisode: paths.createEpisode(product, 'trailer'),
  }[finding.remedy as string];
  return (
    <p>
      <Link to={target ?? `${paths.settings(product, settingsPartOf(finding.remedy))}#${finding.remedy}`}>{text}</Link>
    </p>
  );
}

function Cuts({ cuts, product }: { cuts: Cut[]; product: Product }) {
  const { t } = useTranslation('distribution');
  const paths = usePaths();
  if (cuts.length === 0) return null;
  return (
    <div className={classes.group}>
      <h3>{t('ready.cut')}</h3>
      <ul className={classes.findings}>
        {cuts.map((cut) => {
          const isAboutShow = cut.kind === 'description_cut' && cut.count === 0;
          const key = cut.kind === 'description_cut' && !isAboutShow ? 'description_cut.episodes' : cut.kind;
          return (
            <li key={cut.kind}>
              <p>{t(`cut.${key}`, { bytes: cut.bytes })}</p>
              {isAboutShow && (
                <p>
                  <Link to={`${paths.settings(product)}#description`}>{t('fix.description')}</Link>
                </p>
              )}
              <EpisodeLinks {...cut} product={product} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** `hasSoundbites`: the links lead to the soundbites of the episodes. */
type Episodes = {
  count: number;
  episodes: { id: number; name: string }[];
  product: Product;
  hasSoundbites?: boolean;
};

function EpisodeLinks({ count, episodes, product, hasSoundbites }: Episodes) {
  const { t } = useTranslation('distribution');
  const paths = usePaths();
  if (episodes.length === 0) return null;
  const open = hasSoundbites ? paths.soundbites : paths.editEpisode;
  return (
    <ul>
      {episodes.map(({ id, name }) => (
        <li key={id}>
          <Link to={open({ id, productId: product.id, kind: product.kind })} dir="auto">
            {name}
          </Link>
        </li>
      ))}
      {count > episodes.length && <li>{t('ready.more', { count: count - episodes.length })}</li>}
    </ul>
  );
}
