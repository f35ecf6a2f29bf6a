import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { Figures } from '~/app/features/site/figures/figures';
import { toFigures } from '~/app/features/site/figures/figures-data.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { page } from '~/app/lib/doors.server';
import { useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';

const HEADERS = {
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
};

/** Longer tokens are as unknown as others. */
const LONGEST = 100;

/** The figures of a show, for sponsors with a link. */
export const loader = page(async ({ api, context, params }) => {
  try {
    const figures = toFigures(
      await api.statistics.sponsorPage({ token: (params.token ?? '').slice(0, LONGEST) }),
      context,
    );
    return data({ title: figures.name, figures }, { headers: HEADERS });
  } catch (error) {
    const { status } = context.describeError(error);
    if (status !== 410) throw error;
    return data(
      { title: translator(context.language, 'figures')('page.expired'), figures: null },
      { status, headers: HEADERS },
    );
  }
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.title} · Altavoz` },
  { name: 'robots', content: 'noindex, nofollow' },
  // the address is a secret; 'no-referrer' would also hide the origin of the forms in the header and the footer
  { name: 'referrer', content: 'same-origin' },
];

export default function SponsorFigures() {
  const { t } = useTranslation('figures');
  const { title, figures } = useLoaderData<typeof loader>();
  return (
    <SiteShell>
      {figures ? (
        <Figures figures={figures} />
      ) : (
        <div className="wrap form-page">
          <h1>{title}</h1>
          <p className="lead">{t('page.expiredText')}</p>
        </div>
      )}
    </SiteShell>
  );
}
