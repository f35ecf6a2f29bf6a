import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { PreviewLink } from '~/server/domain/episodes/preview-links';
import classes from './preview-link.module.css';

type Props = {
  preview: PreviewLink;
  /**
   * Set beside a form: revoking the link would interrupt it, so the button is left out. The link shows the saved
   * episode.
   */
  isEditing?: boolean;
};

/** The link that lets people hear an episode before it is published. */
export function PreviewLinkSection({ preview: { url, expiresAt }, isEditing = false }: Props) {
  const { t, locale } = useTranslation('episode');
  const timeZone = useCreatorTimeZone();
  return (
    <details className={classes.preview}>
      <summary>{t('previewLink.title')}</summary>
      {isEditing && <p>{t('previewLink.saved')}</p>}
      <p>{t('previewLink.help', { when: formatDateTime(expiresAt, locale, timeZone, true) })}</p>
      <p>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </p>
      <div className={classes.actions}>
        <CopyButton text={url} label={t('previewLink.copy')} done={t('previewLink.copied')} />
        {!isEditing && (
          <Form method="post">
            <Button type="submit" name="intent" value="revoke" variant="subtle" color="gray" size="compact-md">
              {t('previewLink.revoke')}
            </Button>
          </Form>
        )}
      </div>
    </details>
  );
}
