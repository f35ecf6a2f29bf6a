import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { CopyButton } from '~/app/components/copy-button';
import { Section } from '~/app/components/page-header';
import { SubmitButton } from '~/app/components/submit-button';
import type { FormFailure } from '~/app/lib/doors.server';
import { formatDateTime } from '~/app/lib/formats';
import { Form } from '~/app/lib/router';
import { useCreatorTimeZone } from '~/app/lib/studio-context';
import { useTranslation } from '~/app/lib/translation';
import { spotifyPageOf } from '~/server/base/account-paths';
import type { SpotifyPage, SpotifyShowView } from '~/server/domain/spotify/spotify-page';
import classes from './spotify-shows.module.css';

/** `text`: of the error that Spotify answered last. `obstacle`: why the show can't be published. */
type Show = SpotifyShowView & { text: string | null };
type Props = Pick<SpotifyPage, 'delivers' | 'link'> & { shows: Show[]; failure?: FormFailure };

const SUBMIT_URL = 'https://creators.spotify.com/dash/submit';

/** The creator's shows, with their state at Spotify and the buttons that change it. */
export function SpotifyShows({ shows, delivers, link, failure }: Props) {
  const { t } = useTranslation('spotify');
  const isLinked = link?.state === 'linked';
  return (
    <Section title={t('shows.title')}>
      <p className={classes.text}>
        {t('shows.lead')} {t(delivers ? 'shows.approval' : 'shows.byHand')}
      </p>
      {shows.length === 0 && <p className={classes.text}>{t('shows.empty')}</p>}
      {shows.length > 0 && !isLinked && <p className={classes.text}>{t('shows.linkFirst')}</p>}
      <ul className={classes.rows}>
        {shows.map((show) => (
          <li key={show.productId} className={classes.row}>
            <Words show={show} />
            <Actions show={show} mayPublish={isLinked && show.obstacle === null} />
            <Problem text={(failure?.values.productId === String(show.productId) && failure.message) || show.text} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type There = SpotifyShowView['there'];

/** Spotify has not taken the show: only its creator can change that. */
const isRefused = (there: There): boolean => there?.state === 'requested' && there.failure !== null;

function stateOf(there: There) {
  if (!there) return 'none';
  return isRefused(there) ? 'refused' : there.state;
}

function Problem({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <Alert color="red" variant="light" role="alert" className={classes.problem}>
      {text}
    </Alert>
  );
}

function Words({ show: { name, there, obstacle } }: { show: Show }) {
  const { t, locale } = useTranslation('spotify');
  const timeZone = useCreatorTimeZone();
  const at = (date: Date) => formatDateTime(date, locale, timeZone);
  return (
    <div className={classes.words}>
      <p className={classes.heading}>
        <span dir="auto">{name}</span>
        <span className={classes.state}>{t(`state.${stateOf(there)}`)}</span>
      </p>
      {there && (
        <p className={classes.fact}>
          {t(there.state === 'by_hand' ? 'shows.ready' : 'shows.since', { date: at(there.activatedAt) })}{' '}
          {there.checkedAt && t('shows.checked', { date: at(there.checkedAt) })}{' '}
          {there.state === 'unknown' && there.remoteStatus && t('shows.said', { status: there.remoteStatus })}
        </p>
      )}
      {there?.problems.map((found) => (
        <p key={found} className={classes.fact}>
          {found}
        </p>
      ))}
      {there?.feedUrl && <FeedAddress url={there.feedUrl} />}
      {obstacle && <p className={classes.fact}>{obstacle}</p>}
    </div>
  );
}

function FeedAddress({ url }: { url: string }) {
  const { t } = useTranslation('spotify');
  return (
    <>
      <p className={classes.fact}>{t('shows.address')}</p>
      <code className={classes.address}>{url}</code>
      <span className={classes.actions}>
        <CopyButton text={url} label={t('shows.copy')} done={t('shows.copied')} />
        <Button component="a" href={SUBMIT_URL} target="_blank" rel="noreferrer" variant="default" size="compact-md">
          {t('shows.submit')}
        </Button>
      </span>
    </>
  );
}

function Actions({ show: { productId, there }, mayPublish }: { show: Show; mayPublish: boolean }) {
  const { t } = useTranslation('spotify');
  const isGone = there === null || there.state === 'leaving' || there.state === 'removed';
  const mayReturn = isGone || isRefused(there);
  const page = there?.spotifyUri && there.state === 'live' ? spotifyPageOf(there.spotifyUri) : null;
  return (
    <div className={classes.actions}>
      {page && (
        <Button component="a" href={page} target="_blank" rel="noreferrer" variant="subtle">
          {t('shows.open')}
        </Button>
      )}
      {there?.spotifyUri && !isGone && <RowForm {...{ productId }} intent="check" label={t('shows.check')} />}
      {mayReturn && mayPublish && (
        <RowForm {...{ productId }} intent="publish" label={t(there ? 'shows.republish' : 'shows.publish')} />
      )}
      {!isGone && <RowForm {...{ productId }} intent="withdraw" label={t('shows.withdraw')} destroys />}
    </div>
  );
}

type RowProps = { productId: number; intent: string; label: string; destroys?: boolean };

function RowForm({ productId, intent, label, destroys }: RowProps) {
  return (
    <Form method="post">
      <input type="hidden" name="productId" value={productId} />
      <SubmitButton intent={intent} quiet={!destroys} destroys={destroys}>
        {label}
      </SubmitButton>
    </Form>
  );
}
