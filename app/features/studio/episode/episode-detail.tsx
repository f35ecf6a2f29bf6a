import type { ReactNode } from 'react';
import { SoundPlayer } from '~/app/components/sound-player';
import { formatFileSize } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import type { Person } from '~/db/values/episodes';
import { type Locale, numberFormat } from '~/server/base/formats';
import { EPISODE_FLAGS } from '~/server/domain/episodes/rules';
import type { EpisodeView } from '~/server/domain/episodes/views';
import classes from './episode.module.css';

/** An episode as its creator sees it: its audio and description, and the facts beside them. */
export function EpisodeDetail({ episode }: { episode: EpisodeView }) {
  const { t } = useTranslation('episode');
  const facts = useSoundFacts(episode);
  const { url, description, privateNote } = episode;
  return (
    <div className={classes.detail}>
      <div className={classes.facts}>
        {url && (
          <SoundPlayer
            src={new URL(url).pathname}
            durationSeconds={episode.durationSeconds}
            facts={facts}
            waveform={episode.waveform}
          />
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
      <FactList episode={episode} />
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
  const { fileSize: bytes, fileName, convertedFrom, people, sendEmail } = episode;
  const facts: [string, ReactNode][] = [
    [t('detail.file'), fileName && `${fileName}${bytes === null ? '' : ` (${formatFileSize(bytes, locale)})`}`],
    [t('detail.convertedFrom'), convertedFrom],
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
