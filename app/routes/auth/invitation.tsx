import type { MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { AuthForm } from '~/app/features/listener/auth/auth-form';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { withDoneMessage } from '~/app/lib/done-message';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const linkOf = ({ url }: Door) => ({ token: url.searchParams.get('token') ?? '' });

/** The target of a link that invites to a team. Only its button accepts, because mail scanners also open links. */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'team')('accept.title');
  const here = door.url.pathname + door.url.search;
  try {
    return { title, here, offer: await door.api.team.invitation(linkOf(door)) };
  } catch (error) {
    if (door.context.describeError(error).status >= 500) throw error;
    return { title, here, offer: null };
  }
});

export const action = form((door) => door.api.team.acceptInvitation(linkOf(door)), {
  then: (_, { url }) => redirect(withDoneMessage(pathsFor(url).dashboard, 'team_joined')),
});

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

export default function Invitation() {
  const { t } = useTranslation('team');
  const { offer } = useLoaderData<typeof loader>();
  const values = offer && { creator: offer.creator, role: t(`role.${offer.role}`), email: offer.email };
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1>{t(offer ? 'accept.heading' : 'accept.expired', values ?? {})}</h1>
        <p className="lead">
          {offer ? t(`accept.${offer.role}`, { creator: offer.creator }) : t('accept.expiredText')}
        </p>
        {offer && <InvitationAnswer />}
      </div>
    </SiteShell>
  );
}

/** Lets the visitor accept, log in with the invited address, or change to it. */
function InvitationAnswer() {
  const { t } = useTranslation('team');
  const paths = usePaths();
  const { offer, here } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  if (!offer) return null;
  if (offer.isForUser)
    return (
      <AuthForm failure={failure} submit={t('accept.submit')}>
        {null}
      </AuthForm>
    );
  if (offer.isForUser === null)
    return (
      <>
        <p>{t('accept.logIn', { email: offer.email })}</p>
        <p>
          <Link className="button" to={paths.login(here)}>
            {t('accept.toLogin')}
          </Link>
        </p>
        <p className="form-foot">
          <Link to={paths.register(here)}>{t('accept.toRegister')}</Link>
        </p>
      </>
    );
  return (
    <>
      <p className="notice bad">{t('accept.other', { email: offer.email })}</p>
      <form method="post" action={paths.logout}>
        <button className="button" type="submit">
          {t('accept.logOut')}
        </button>
      </form>
    </>
  );
}
