import { Alert } from '~/app/components/alert';
import { Section } from '~/app/components/page-header';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import type { SpotifyPage } from '~/server/domain/spotify/spotify-page';
import { IntentForm } from './section-form';
import classes from './settings.module.css';

type Props = { link: SpotifyPage['link']; hasShows: boolean; failure?: FormFailure };

const EMPTY = {};

/** The account at Spotify: its state, and the buttons that link and unlink it. */
export function SpotifyAccount({ link, hasShows, failure }: Props) {
  const { t } = useTranslation('spotify');
  const isLinked = link?.state === 'linked';
  return (
    <Section title={t('account.title')}>
      <State link={link} />
      <p className={classes.fact}>{t('account.told')}</p>
      <IntentForm
        intent="link"
        initial={EMPTY}
        failure={failure}
        submit={t(isLinked ? 'account.relink' : 'account.link')}
        quiet={isLinked}
      >
        {null}
      </IntentForm>
      {isLinked && (
        <IntentForm intent="unlink" initial={EMPTY} failure={failure} submit={t('account.unlink')} destroys>
          {hasShows && <p className={classes.fact}>{t('account.kept')}</p>}
        </IntentForm>
      )}
    </Section>
  );
}

function State({ link }: Pick<Props, 'link'>) {
  const { t, locale } = useTranslation('spotify');
  const timeZone = useCreatorTimeZone();
  if (link?.state !== 'linked') return <p className={classes.name}>{t(`account.${link?.state ?? 'none'}`)}</p>;
  const { accountName: name, registeredAt } = link;
  const since = registeredAt && t('account.since', { date: formatDateTime(registeredAt, locale, timeZone) });
  return (
    <Alert color="green" variant="light">
      {name ? t('account.linked', { name }) : t('account.linkedNameless')} {since}
    </Alert>
  );
}

/** In an installation without a contract: what is missing, and what works without it. */
export function SpotifyNeeded() {
  const { t } = useTranslation('spotify');
  return (
    <Section title={t('needed')}>
      <p className={classes.name}>{t('needed.what')}</p>
    </Section>
  );
}
