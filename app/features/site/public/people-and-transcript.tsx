import { useRef } from 'react';
import { TranscriptSearch } from '~/app/features/listener/player/transcript-search';
import { useTranslation } from '~/app/lib/translation';
import type { Person } from '~/db/values/episodes';
import type { PageTranscript } from '~/server/domain/episodes/transcripts';
import { inLanguage } from './content-language';

export function People({ people }: { people: Person[] }) {
  const { t } = useTranslation('listening');
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people">
      <h2 id="people">{t('people')}</h2>
      <ul className="people">
        {people.map(({ name, role, url }) => (
          <li key={role + name}>
            <span className="muted small">{t(`role.${role}`)}</span>{' '}
            {url ? (
              <a href={url} rel="nofollow noopener" dir="auto">
                {name}
              </a>
            ) : (
              <bdi>{name}</bdi>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Transcripts longer than this, in characters of HTML, start in a box that scrolls. */
const LONG = 4000;

type Props = { transcript: PageTranscript | null; language: string };

/** The transcript is readable as the server sends it; a script makes it follow playback and searches it. */
export function Transcript({ transcript, language }: Props) {
  const { t } = useTranslation('listening');
  const text = useRef<HTMLDivElement>(null);
  if (!transcript) return null;
  const { html, downloads } = transcript;
  const isLong = (html?.length ?? 0) > LONG;
  return (
    <section className="transcript-part" aria-labelledby="transcript">
      <h2 id="transcript">{t('transcript')}</h2>
      {html === null && <p className="muted">{t('transcript.long')}</p>}
      {html !== null && <TranscriptSearch text={text} />}
      {isLong && (
        <label className="whole-transcript">
          <input type="checkbox" /> {t('transcript.whole')}
        </label>
      )}
      {html !== null && (
        // the server has escaped every text in it
        <div
          ref={text}
          className={isLong ? 'prose transcript long' : 'prose transcript'}
          // lets the keyboard scroll it
          {...(isLong && { tabIndex: 0, role: 'group', 'aria-labelledby': 'transcript' })}
          {...inLanguage(language)}
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )}
      {downloads.length > 0 && (
        <p className="small downloads">
          <span className="muted">{t('transcript.download')}</span>
          {downloads.map(({ format, path }) => (
            <a key={format} href={path} download>
              {format.toUpperCase()}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}
