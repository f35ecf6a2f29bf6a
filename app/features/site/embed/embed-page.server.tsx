import type { ReactNode } from 'react';
import {
  BackIcon,
  ForwardIcon,
  LockIcon,
  Mark,
  NextIcon,
  PauseIcon,
  PlayIcon,
  PreviousIcon,
} from '~/app/components/icons';
import { NativeAudio } from '~/app/components/native-audio';
import { BARS, HEIGHT } from '~/app/components/waveform-bars';
import { inLanguage } from '~/app/features/site/public/content-language';
import { brandProperties } from '~/app/lib/brand-properties';
import { formatClock } from '~/app/lib/clock';
import { translator } from '~/app/lib/texts.server';
import type { Language } from '~/locales/languages';
import type { Translate } from '~/locales/translate';
import type { PageBrand } from '~/server/domain/creators/rules';
import type { CoverUrls } from '~/server/domain/media/rules';
import { PLAYER_LIMITS } from '~/server/limits/player';
import style from './embed.css?inline';
import { DATA_ID, type EmbedData, type EmbedTrack } from './embed-data';
import script from './embed-script?script';

export type Theme = 'auto' | 'light' | 'dark';

/** An episode of the list. `track` is null if the episode is for subscribers. */
export type EmbedRow = { id: number; name: string; page: string; facts: string; track: EmbedTrack | null };

export type EmbedView = {
  type: 'episode' | 'product';
  title: string;
  /** URL of the page that the title links to. */
  url: string;
  /** The name of the show above an episode, or of the creator above a show. */
  by: { name: string; url: string };
  cover: CoverUrls['webp'];
  /** The show's language tag. */
  contentLanguage: string;
  brand: PageBrand | null;
  rows: EmbedRow[];
  total: number;
  data: EmbedData;
};

type PageProps = { language: Language; theme: Theme; nonce: string; appUrl: string };

/** The complete document of an embedded player, including its style, data and script. */
export function EmbedPage({ view, ...page }: PageProps & { view: EmbedView }) {
  const { data, type } = view;
  const isPlayable = data.tracks.length > 0;
  return (
    <EmbedDocument title={`${view.title} · ${view.by.name}`} canonical={view.url} {...page}>
      <main className="embed" data-type={type} style={brandProperties(view.brand)}>
        <Head view={view} {...page} />
        {isPlayable && <Controls view={view} language={page.language} />}
        {type === 'product' && <EpisodeRows view={view} language={page.language} />}
        {type === 'episode' && !isPlayable && <Locked url={view.url} language={page.language} />}
      </main>
      {isPlayable && (
        <>
          <script
            type="application/json"
            id={DATA_ID}
            dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replace(/</g, '\\u003c') }}
          />
          <script nonce={page.nonce} dangerouslySetInnerHTML={{ __html: script }} />
        </>
      )}
    </EmbedDocument>
  );
}

/** The document for a show or episode that visitors may not, or no longer, play. */
export function MissingEmbed({ message, ...page }: PageProps & { message: string }) {
  const t = translator(page.language, 'embed');
  return (
    <EmbedDocument title={message} {...page}>
      <main className="embed">
        <p className="missing">{message}</p>
        <p className="missing">
          <a href={page.appUrl} target="_blank" rel="noopener">
            {t('missing.link')}
          </a>
        </p>
      </main>
    </EmbedDocument>
  );
}

type DocumentProps = PageProps & { title: string; canonical?: string; children: ReactNode };

function EmbedDocument({ language, theme, nonce, title, canonical, children }: DocumentProps) {
  return (
    <html lang={language} data-mantine-color-scheme={theme === 'auto' ? undefined : theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {canonical && <link rel="canonical" href={canonical} />}
        {/* our own style sheet, so it is safe */}
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>{children}</body>
    </html>
  );
}

function Head({ view, appUrl }: { view: EmbedView; appUrl: string }) {
  const { title, url, by, cover, contentLanguage } = view;
  return (
    <header>
      <img
        className="cover"
        src={cover[320]}
        srcSet={`${cover[320]} 320w, ${cover[640]} 640w`}
        sizes="148px"
        alt=""
        width={148}
        height={148}
      />
      <div className="names">
        <h1 {...inLanguage(contentLanguage)}>
          <a href={url} target="_blank" rel="noopener">
            {title}
          </a>
        </h1>
        <p {...inLanguage(contentLanguage)}>
          <a href={by.url} target="_blank" rel="noopener">
            {by.name}
          </a>
        </p>
      </div>
      <a className="mark" href={appUrl} target="_blank" rel="noopener" aria-label="Altavoz">
        <Mark />
        <span>Altavoz</span>
      </a>
    </header>
  );
}

const PlayPause = () => (
  <span className="disc">
    <PlayIcon />
    <PauseIcon />
  </span>
);

function Controls({ view, language }: { view: EmbedView; language: Language }) {
  const t = translator(language, 'player');
  const [first] = view.data.tracks;
  const isList = view.data.tracks.length > 1;
  const { backSeconds, forwardSeconds } = PLAYER_LIMITS;
  if (!first) return null;
  return (
    <>
      <section className="controls" data-player="" aria-label={t('player')}>
        <button type="button" className="play" data-toggle="" aria-label={t('playEpisode', { name: first.name })}>
          <PlayPause />
        </button>
        <div className="progress">
          {view.type === 'product' && (
            <p className="now" data-now="" {...inLanguage(view.contentLanguage)}>
              {first.name}
            </p>
          )}
          <Seek label={t('progress')} />
          <div className="below">
            <span data-time="">{`0:00 / ${formatClock(first.seconds)}`}</span>
            <span className="jumps">
              {isList && <SkipButton to="previous" t={t} />}
              <JumpButton seconds={-backSeconds} label={t('back', { seconds: backSeconds })} />
              <JumpButton seconds={forwardSeconds} label={t('forward', { seconds: forwardSeconds })} />
              {isList && <SkipButton to="next" t={t} />}
            </span>
          </div>
        </div>
      </section>
      <p className="hidden" role="status" />
      {view.type === 'episode' && <WithoutScript track={first} t={t} />}
    </>
  );
}

/** The script draws the waveform of the current episode behind the slider. Without one, the slider is a line. */
function Seek({ label }: { label: string }) {
  const bars = (className?: string) => (
    <svg className={className} viewBox={`0 0 ${BARS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d="" />
    </svg>
  );
  return (
    <div className="track">
      {bars()}
      {bars('played')}
      <input className="seek" type="range" min="0" max="1" step="any" defaultValue="0" aria-label={label} />
    </div>
  );
}

function SkipButton({ to, t }: { to: 'previous' | 'next'; t: Translate }) {
  return (
    <button type="button" data-skip={to} aria-label={t(to)}>
      {to === 'next' ? <NextIcon /> : <PreviousIcon />}
    </button>
  );
}

function JumpButton({ seconds, label }: { seconds: number; label: string }) {
  return (
    <button type="button" data-jump={seconds} aria-label={label}>
      {seconds < 0 ? <BackIcon seconds={-seconds} /> : <ForwardIcon seconds={seconds} />}
    </button>
  );
}

/** Native controls for browsers without scripts. Other browsers don't even parse them. */
function WithoutScript({ track, t }: { track: EmbedTrack; t: Translate }) {
  return (
    <noscript>
      <NativeAudio src={track.url} label={t('playEpisode', { name: track.name })} />
    </noscript>
  );
}

function EpisodeRows({ view, language }: { view: EmbedView; language: Language }) {
  const t = translator(language, 'embed');
  const { rows, total } = view;
  if (rows.length === 0) return <p className="missing">{t('none')}</p>;
  return (
    <section className="rows" aria-label={t('episodes')}>
      <ol>
        {rows.map((row) => (
          <EpisodeRow key={row.id} row={row} language={language} contentLanguage={view.contentLanguage} />
        ))}
      </ol>
      {total > rows.length && (
        <p className="more">
          <a href={view.url} target="_blank" rel="noopener">
            {t('more', { count: total })}
          </a>
        </p>
      )}
    </section>
  );
}

type RowProps = { row: EmbedRow; language: Language; contentLanguage: string };

function EpisodeRow({ row, language, contentLanguage }: RowProps) {
  const t = translator(language, 'player');
  const { name, page, facts, track } = row;
  return (
    <li>
      {track ? (
        <button type="button" className="play" data-track={track.id} aria-label={t('playEpisode', { name })}>
          <PlayPause />
        </button>
      ) : (
        <Lock language={language} />
      )}
      <div className="names">
        <a href={page} target="_blank" rel="noopener" {...inLanguage(contentLanguage)}>
          {name}
        </a>
        <p className="facts">{facts}</p>
        {track && <WithoutScript track={track} t={t} />}
      </div>
    </li>
  );
}

function Lock({ language }: { language: Language }) {
  return (
    <span className="lock">
      <LockIcon />
      <span className="hidden">{translator(language, 'public')('private')}</span>
    </span>
  );
}

function Locked({ url, language }: { url: string; language: Language }) {
  const t = translator(language, 'embed');
  return (
    <div className="locked">
      <Lock language={language} />
      <p>{t('locked')}</p>
      <a href={url} target="_blank" rel="noopener">
        {t('locked.link')}
      </a>
    </div>
  );
}
