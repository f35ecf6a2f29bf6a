import { useTranslation } from '~/app/lib/translation';
import type { Person } from '~/server/domain/episodes/schema';
import type { PageTranscript } from '~/server/domain/episodes/transcripts';
import { inLanguage } from './content-language';

export function People({ people }: { people: Person[] }) {
  const { t } = useTranslation('public');
  return people.map(({ name, role, url }) => (
    <p className="muted" key={role + name}>
      {t(`episode.${role}`)}:{' '}
      {url ? (
        <a href={url} rel="nofollow noopener">
          {name}
        </a>
      ) : (
        name
      )}
    </p>
  ));
}

type Props = { transcript: PageTranscript | null; language: string };

export function Transcript({ transcript, language }: Props) {
  const { t } = useTranslation('public');
  if (!transcript) return null;
  return (
    <details className="section">
      <summary>{t('episode.transcript')}</summary>
      {/* the server escaped every text in it */}
      <div className="prose" {...inLanguage(language)} dangerouslySetInnerHTML={{ __html: transcript.html ?? '' }} />
      {transcript.downloads.map(({ format, path }) => (
        <a key={format} className="quiet-link" href={path} download>
          {format.toUpperCase()}{' '}
        </a>
      ))}
    </details>
  );
}
