import { useTranslation } from '~/app/lib/translation';

/** The parameter of the request that each error is about (RFC 6749 §4.1.1, RFC 7636, RFC 8707). */
const PARAMETERS: Record<string, string> = {
  'app.unknown': 'client_id',
  'app.redirect_mismatch': 'redirect_uri',
  'app.request_not_supported': 'response_type',
  'app.challenge_required': 'code_challenge',
  'app.unknown_resource': 'resource',
  'app.no_scopes': 'scope',
};

export const isWrongRequest = (code: string): boolean => Object.hasOwn(PARAMETERS, code);

/** What an app did wrong, for the person, who can only start again, and for the people who make the app. */
export function WrongRequest({ code, message }: { code: string; message: string }) {
  const { t } = useTranslation('apps');
  const parameter = PARAMETERS[code] ?? '';
  return (
    <>
      <h1>{t('wrong.title')}</h1>
      {code !== 'app.no_scopes' && <p className="lead">{message}</p>}
      <p>
        {t('wrong.parameter')} <code>{parameter}</code>
      </p>
      <p>{t('wrong.next')}</p>
    </>
  );
}
