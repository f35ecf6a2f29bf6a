import { Mark } from '~/app/components/icons';
import { AboutShow } from '~/app/features/site/public/about-show';
import { inLanguage } from '~/app/features/site/public/content-language';
import { EpisodeFacts } from '~/app/features/site/public/episode-facts';
import { type LinkGroup, SiteShell } from '~/app/features/site/site/site-shell';
import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { PreviewedShow } from './previewed-show-data.server';

type Props = { show: PreviewedShow };

/** A feed as the page of its show here, before anybody has an account. */
export function PreviewedShowPage({ show, links }: Props & { links: LinkGroup[] }) {
  const { t } = useTranslation('arrival');
  return (
    <SiteShell links={links}>
      <div className="wrap">
        <p className="notice">{t('preview.bar', { date: show.expires })}</p>
        <div className="show has-side">
          <Head show={show} />
          <aside className="side">
            <Outcome show={show} />
          </aside>
          <div className="show-main">
            {show.description.length > 0 && <AboutShow description={show.description} language={show.language} />}
            <Episodes show={show} />
            <p>
              <Link to={show.paths.other}>{t('preview.other')}</Link>
            </p>
          </div>
        </div>
      </div>
    </SiteShell>
  );
}

function Head({ show }: Props) {
  const { t } = useTranslation('arrival');
  const { title, author, picture, facts, host, language, paths } = show;
  return (
    <div className="show-head">
      {picture ? (
        <img className="cover" src={picture} alt="" width={280} height={280} />
      ) : (
        <span className="cover cover-blank">
          <Mark />
        </span>
      )}
      <div className="names">
        <h1 {...inLanguage(language)}>{title}</h1>
        {author && <p className="by">{t('preview.by', { author })}</p>}
      </div>
      <div className="below">
        <p className="muted">{facts.join(' · ')}</p>
        <div className="start">
          <Link className="button" to={paths.keep}>
            {t('preview.keep')}
          </Link>
        </div>
        <p className="muted small keep-note">{t('preview.keepText', { host })}</p>
      </div>
    </div>
  );
}

const LISTED = { type: 'public', season: null, number: null } as const;

function Episodes({ show: { episodes, more, language } }: Props) {
  const { t } = useTranslation('arrival');
  return (
    <section aria-labelledby="episodes">
      <h2 id="episodes">{t('preview.episodes')}</h2>
      <ol className="episodes previewed">
        {episodes.map((episode, i) => (
          <li key={i}>
            <EpisodeFacts episode={{ ...LISTED, ...episode }} />
            <h3 {...inLanguage(language)}>{episode.name}</h3>
            {episode.notes && (
              <p className="excerpt" {...inLanguage(language)}>
                {episode.notes}
              </p>
            )}
          </li>
        ))}
      </ol>
      {more > 0 && <p className="muted">{t('preview.more', { count: more })}</p>}
    </section>
  );
}

/** What an import would bring, in the words of the import. */
function Outcome({ show: { comes, lost, repaired, isPartial, hasNoCover } }: Props) {
  const { t } = useTranslation('arrival');
  const notes = [comes, isPartial && t('preview.partial'), hasNoCover && t('preview.noCover')].filter(Boolean);
  return (
    <section className="import-outcome" aria-labelledby="comes">
      <h2 id="comes">{t('preview.comes')}</h2>
      <p>{notes.join(' ')}</p>
      {!isPartial && lost.length + repaired.length === 0 && <p>{t('preview.fine')}</p>}
      <Report title={t('preview.lost')} texts={lost} />
      <Report title={t('preview.repaired')} texts={repaired} />
    </section>
  );
}

function Report({ title, texts }: { title: string; texts: string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
