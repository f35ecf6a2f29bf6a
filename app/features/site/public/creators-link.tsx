import { Link } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import { CREATORS_LINK } from '~/server/domain/feeds/kinds';
import { EndLinkForm } from './end-link-form';

/** The feed that the show's creator has made for the listener. `isEnding`: asks whether it may stop working. */
export function CreatorsLink({ text, isEnding }: { text: string; isEnding: boolean }) {
  const { t } = useTranslation('follow');
  return (
    <section className="feed-of-creator">
      <h2>{t('links.creator')}</h2>
      <p>{text}</p>
      {isEnding ? (
        <EndLinkForm app={CREATORS_LINK} help={t('links.creatorHelp')} confirm={t('links.creatorConfirm')} />
      ) : (
        <p className="actions">
          <Link className="button plain slim" to={`?replace=${CREATORS_LINK}`}>
            {t('links.creatorEnd')}
          </Link>
        </p>
      )}
    </section>
  );
}
