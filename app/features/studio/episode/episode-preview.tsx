import { useEffect, useState } from 'react';
import { useFormState } from '~/app/components/form-context';
import { PlayIcon } from '~/app/components/icons';
import { sanitizeHtml } from '~/app/components/rich-text';
import type { Transfer } from '~/app/features/studio/upload/transfer';
import { useObjectUrl } from '~/app/features/studio/upload/use-object-url';
import { formatDateTime } from '~/app/lib/formats';
import { useTranslation } from '~/app/lib/translation';
import classes from './episode-preview.module.css';
import { previewedRelease } from './episode-values';

type Props = {
  cover: Transfer;
  picture: string;
  productName: string;
  host: string;
  timeZone: string;
  releaseDate: Date | null;
};

/** A live preview of the episode's public page, shown on wide screens only. */
export function EpisodePreview({ cover, picture, productName, host, timeZone, releaseDate }: Props) {
  const { t, locale } = useTranslation('episode');
  const { values } = useFormState();
  const local = useObjectUrl(cover.file);
  const description = useSafe(values.description ?? '');
  const release = previewedRelease(values, releaseDate);
  return (
    <aside className={classes.preview} aria-label={t('preview.label')}>
      <p className={classes.label}>{t('preview.label')}</p>
      <div className={classes.page}>
        <img src={local ?? picture} alt="" width={320} height={320} />
        <p className={classes.product}>{productName}</p>
        <p className={classes.name}>{values.name?.trim() || t('preview.name')}</p>
        <p className={classes.host}>
          {t('preview.by', { host })} ·{' '}
          {release instanceof Date ? formatDateTime(release, locale, timeZone) : t(`preview.${release}`)}
        </p>
        <span className={classes.play}>
          <PlayIcon />
          {t('preview.play')}
        </span>
        <div className={classes.text} dangerouslySetInnerHTML={{ __html: description }} />
      </div>
    </aside>
  );
}

/** Sanitizing needs the browser's parser, so the server renders an empty preview. */
function useSafe(html: string): string {
  const [safe, setSafe] = useState('');
  useEffect(() => void setSafe(sanitizeHtml(html)), [html]);
  return safe;
}
