import { redirect } from '@remix-run/node';
import { Alert } from '~/app/components/alert';
import { Button } from '~/app/components/button';
import { Section } from '~/app/components/page-header';
import { ConfirmIdentity } from '~/app/features/listener/account/confirm-identity';
import { withNotice } from '~/app/features/listener/auth/identity-notice.server';
import { withDoneMessage } from '~/app/lib/done-message';
import { type FormFailure, form, page } from '~/app/lib/doors.server';
import { pathsFor, usePaths } from '~/app/lib/paths';
import { Form, Link, useActionData, useLoaderData } from '~/app/lib/router';
import { sectionAction } from '~/app/lib/section-action.server';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { PROVIDER_NAMES } from '~/server/domain/accounts/base/kinds';

export const loader = page(async ({ api, context, url }) => {
  const { provider, email } = await api.identities.pending().catch((error: unknown) => {
    const { kind, code } = context.describeError(error);
    throw kind === 'expired' ? redirect(withNotice(pathsFor(url).security, code)) : error;
  });
  const { missingProof, passkeys } = await api.accounts.secondFactor();
  return { provider, email, missingProof, passkeys, title: translator(context.language, 'account')('connect.title') };
});

/** Only this button connects, because another user's link may have led here. */
export const action = form(
  sectionAction({
    confirm: async ({ api, url }, values) => {
      await api.accounts.confirmIdentity(values as never);
      return url.pathname;
    },
    connect: async ({ api, url }) => {
      await api.identities.link();
      return withDoneMessage(pathsFor(url).security, 'identity_linked');
    },
  }),
  { then: (path) => path },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta = titleMeta;

export default function Connect() {
  const { t } = useTranslation('account');
  const paths = usePaths();
  const { provider, email, missingProof, passkeys } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const service = PROVIDER_NAMES[provider];
  return (
    <Section title={t('connect.title')}>
      {failure?.message && failure.values.intent === 'connect' && (
        <Alert color="red" variant="light" role="alert">
          {failure.message}
        </Alert>
      )}
      <p>{email ? t('connect.lead', { provider: service, email }) : t('connect.leadNoEmail', { provider: service })}</p>
      {missingProof ? (
        <ConfirmIdentity state={{ passkeys }} proof={missingProof} failure={failure} />
      ) : (
        <Form method="post">
          <Button type="submit" name="intent" value="connect">
            {t('connect.submit', { provider: service })}
          </Button>{' '}
          <Button component={Link} to={paths.security} variant="subtle" color="gray">
            {t('connect.cancel')}
          </Button>
        </Form>
      )}
    </Section>
  );
}
