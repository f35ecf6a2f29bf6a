import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { SoundPlayer } from '~/app/components/sound-player';
import { formatClock } from '~/app/lib/clock';
import { formatDateTime, formatFileSize } from '~/app/lib/formats';
import { usePaths } from '~/app/lib/paths';
import { Link } from '~/app/lib/router';
import { useIsEditor, useStudio } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { Person } from '~/db/values/episodes';
import { type Locale, numberFormat } from '~/server/base/formats';
import { EPISODE_FLAGS, shownStatus } from '~/server/domain/episodes/rules';
import type { EpisodeView } from '~/server/domain/episodes/views';
import classes from './episode.module.css';
import { StatusBadge } from './status-badge';
import { StatusNotice } from './status-notice';

/** An episode as its creator sees it: status, audio, facts and description. */
export function EpisodeDetail({ episode }: { episode: EpisodeView }) {
  const { t } = useTranslation('episode');
  const facts = useSoundFacts(episode);
  const isEditor = useIsEditor();
  const paths = usePaths();
  const { url, description, privateNote } = episode;
  return (
    <div className={classes.detail}>
      <img src={episode.cover.webp[320]} alt="" width={240} height={240} />
      <div className={classes.facts}>
        <div aria-live="polite">
          <StatusBadge episode={episode} />
          <StatusHelp episode={episode} />
          <StatusNotice episode={episode} />
        </div>
        {url && (
          <SoundPlayer
            src={new URL(url).pathname}
            durationSeconds={episode.durationSeconds}
            facts={facts}
            waveform={episode.waveform}
          />
        )}
        <FactList episode={episode} />
        {(isEditor || episode.hasTranscript) && (
          <p className={classes.plain}>
            <Link to={paths.transcript(episode)}>
              {t(episode.hasTranscript ? 'transcript.link' : 'transcript.add')}
            </Link>
          </p>
        )}
        {/* saving sanitised it, and reading added the links (episodes/description-html.ts) */}
        <div className={classes.prose} dangerouslySetInnerHTML={{ __html: description }} />
        {privateNote && (
          <aside className={classes.privateNote}>
            <strong>{t('detail.note')}</strong>
            <p>{privateNote}</p>
          </aside>
        )}
      </div>
    </div>
  );
}

/** The bit rate and the loudness. Either is missing if the file was checked before we measured it. */
function useSoundFacts({ bitrate, loudness }: EpisodeView): string | undefined {
  const { t, locale } = useTranslation('episode');
  const facts: string[] = [];
  if (bitrate !== null) facts.push(t('detail.bitRate', { kbps: withMinus(bitrate / 1000, locale) }));
  if (loudness !== null) facts.push(t('detail.loudness', { lufs: withMinus(loudness, locale, 1) }));
  return facts.join(' · ') || undefined;
}

/** Formats a number with the minus sign, not the hyphen that Intl writes. */
function withMinus(value: number, locale: Locale, digits = 0): string {
  const format = numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(value).replace('-', '−');
}

/** Explains the episode's status. */
function StatusHelp({ episode }: { episode: EpisodeView }) {
  const { t, locale } = useTranslation('episode');
  const { user, verification } = useStudio();
  const { id, status, releaseDate, formerReleaseDate } = episode;
  const waits = verification?.waiting.some(({ episodeId }) => episodeId === id);
  const when = releaseDate ? formatDateTime(releaseDate, locale, user.creator?.timeZone ?? 'UTC', true) : '';
  if (status === 'failed') return null;
  return (
    <p className={classes.standing}>
      {status === 'in_progress' && <Loader size={16} aria-hidden="true" />}{' '}
      {waits
        ? t('statusHelp.waits')
        : t(`statusHelp.${formerReleaseDate ? 'unpublished' : shownStatus(episode)}`, { when })}
    </p>
  );
}

function PeopleList({ people }: { people: Person[] }) {
  const { t } = useTranslation('episode');
  return people.map(({ name, role, url }) => (
    <span key={`${role} ${name}`} className={classes.credit}>
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ) : (
        name
      )}{' '}
      ({t(`people.${role}`)})
    </span>
  ));
}

function FactList({ episode }: { episode: EpisodeView }) {
  const { t, locale } = useTranslation('episode');
  const {
    durationSeconds,
    fileSize: bytes,
    fileName,
    convertedFrom,
    season,
    number,
    type,
    people,
    sendEmail,
  } = episode;
  const facts: [string, ReactNode][] = [
    [t('list.length'), durationSeconds === null ? null : formatClock(Math.round(durationSeconds))],
    [t('detail.file'), fileName && `${fileName}${bytes === null ? '' : ` (${formatFileSize(bytes, locale)})`}`],
    [t('detail.convertedFrom'), convertedFrom],
    [t('form.type'), t(`type.${type}`)],
    [t('form.season'), season],
    [t('form.number'), number],
    [t('people.legend'), people.length > 0 ? <PeopleList people={people} /> : null],
    [t('form.sendEmail'), sendEmail ? null : t('detail.no')],
    ...EPISODE_FLAGS.map((flag): [string, ReactNode] => [t(`form.${flag}`), episode[flag] ? t('detail.yes') : null]),
  ];
  return (
    <dl className={classes.list}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
