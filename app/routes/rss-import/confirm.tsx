import type { MetaFunction } from '@remix-run/node';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { type Door, type FormFailure, form, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { Form, Link, useActionData, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const tokenOf = ({ url }: Door) => url.searchParams.get('token') ?? '';

/** The target of the link to a feed's owner. Only its buttons answer, because mail scanners also open links. */
export const loader = page(async (door) => {
  const title = translator(door.context.language, 'imports')('confirm.title');
  try {
    return { title, found: await door.api.imports.confirmation({ token: tokenOf(door) }) };
  } catch (error) {
    if (door.context.describeError(error).code !== 'import.link_expired') throw error;
    return { title, found: null };
  }
});

export const action = form(
  (door, { answer }) => door.api.imports.answer({ token: tokenOf(door), action: answer as never }),
  { then: (_, { url }) => url.pathname.replace(/\.data$/, '') + url.search },
);

export { stayOffline as clientAction } from '~/app/lib/offline';
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title} · Altavoz` },
  { name: 'robots', content: 'noindex' },
  // the address contains the token; with 'no-referrer', a form without JavaScript has the origin 'null'
  { name: 'referrer', content: 'same-origin' },
];

/** The texts of each status. */
const TEXTS = {
  awaiting_proof: { heading: 'confirm.heading', text: 'confirm.text' },
  confirmed: { heading: 'confirm.confirmed', text: 'confirm.confirmedText' },
  in_progress: { heading: 'confirm.confirmed', text: 'confirm.confirmedText' },
  cancelled: { heading: 'confirm.cancelled', text: 'confirm.cancelledText' },
  imported: { heading: 'confirm.done', text: 'confirm.doneText' },
  failed: { heading: 'confirm.done', text: 'confirm.doneText' },
  expired: { heading: 'confirm.expired', text: 'confirm.expiredText' },
};

export default function ConfirmImport() {
  const { t } = useTranslation('imports');
  const { found } = useLoaderData<typeof loader>();
  const failure = useActionData<FormFailure>();
  const paths = usePaths();
  const status = found?.status ?? 'expired';
  const { heading, text } = TEXTS[status];
  const name = { name: found?.preview.title ?? '' };
  const isOpen = status === 'awaiting_proof' || status === 'confirmed' || status === 'in_progress';
  return (
    <SiteShell>
      <div className="wrap form-page">
        <h1 dir="auto">{t(heading, name)}</h1>
        <p className="lead">{t(text, name)}</p>
        {failure?.message && (
          <p className="notice bad" role="alert">
            {failure.message}
          </p>
        )}
        {found && status === 'awaiting_proof' && (
          <p dir="auto">
            {found.preview.author && `${t('preview.by', { author: found.preview.author })} · `}
            {t('preview.episodes', { count: found.preview.episodes })}
          </p>
        )}
        {isOpen ? (
          <Form method="post" className="form">
            {status === 'awaiting_proof' && (
              <button className="button" type="submit" name="answer" value="confirm">
                {t('confirm.confirm')}
              </button>
            )}
            <button className="button plain" type="submit" name="answer" value="cancel">
              {t('confirm.cancel')}
            </button>
          </Form>
        ) : (
          <p>
            <Link className="button" to={paths.dashboard}>
              {t('confirm.studio')}
            </Link>
          </p>
        )}
      </div>
    </SiteShell>
  );
}
