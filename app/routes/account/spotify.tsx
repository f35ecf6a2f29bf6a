import { redirectDocument } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { TabLead } from '~/app/components/page-header';
import classes from '~/app/features/listener/account/settings.module.css';
import { SpotifyAccount, SpotifyNeeded } from '~/app/features/listener/account/spotify-account';
import { SpotifyShows } from '~/app/features/listener/account/spotify-shows';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor } from '~/app/lib/paths';
import { useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';

/** `problem`: why a link failed. */
export const loader = page(async ({ api, context, url }) => {
  const { shows, ...view } = await api.spotify.page();
  const textOf = (code: string | null | undefined) => (code ? context.translate(`errors:${code}`) : null);
  const problem = PROBLEMS.find((code) => code === url.searchParams.get('problem'));
  return {
    ...view,
    shows:
      shows?.map((show) => ({ ...show, text: textOf(show.there?.failure), obstacle: textOf(show.obstacle) })) ?? null,
    problem: textOf(problem && `spotify.${problem}`),
    title: translator(context.language, 'spotify')('title'),
  };
});

const PROBLEMS = [
  'linking_expired',
  'access_denied',
  'linked_elsewhere',
  'link_busy',
  'malformed_authentication',
  'away',
];

export const action = form(
  sectionAction<{ url: string } | { message: string }>({
    link: ({ api }) => api.spotify.link(),
    unlink: async ({ api }) => {
      await api.spotify.unlink();
      return { message: 'spotify_unlinked' };
    },
    publish: async ({ api }, values) => {
      await api.spotify.publish(values as never);
      return { message: 'spotify_published' };
    },
    withdraw: async ({ api }, values) => {
      await api.spotify.withdraw(values as never);
      return { message: 'spotify_withdrawn' };
    },
    check: async ({ api }, values) => {
      await api.spotify.check(values as never);
      return { message: 'spotify_checked' };
    },
  }),
  {
    then: (done, { url }) =>
      'url' in done ? redirectDocument(done.url, 303) : withDoneMessage(pathsFor(url).spotify, done.message),
  },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Spotify() {
  const { t } = useTranslation('spotify');
  const { isOffered, delivers, link, shows, problem } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  return (
    <>
      <TabLead title={t('title')}>{isOffered ? t('lead') : null}</TabLead>
      <div className={classes.sections}>
        {problem && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        {isOffered ? (
          <SpotifyAccount link={link} hasShows={(shows ?? []).length > 0} failure={failure} />
        ) : (
          <SpotifyNeeded />
        )}
        {shows && <SpotifyShows {...{ shows, delivers, link, failure }} />}
      </div>
    </>
  );
}
