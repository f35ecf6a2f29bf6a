import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import figureClasses from '~/app/features/site/figures/figures.module.css';
import { openCampaignReport, REPORT_HEADERS } from '~/app/features/site/figures/open-campaign-report.server';
import { SiteShell } from '~/app/features/site/site/site-shell';
import { Heard } from '~/app/features/studio/insertions/campaign-facts';
import { CampaignFigures } from '~/app/features/studio/insertions/campaign-figures';
import { daysText, placeText } from '~/app/features/studio/insertions/campaign-words';
import { namedFigures } from '~/app/features/studio/insertions/named-figures.server';
import { page } from '~/app/lib/doors.server';
import { useLoaderData, useLocation } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { useTranslation } from '~/app/lib/translation';
import { formatDate } from '~/server/base/formats';

/** The report of a campaign, for sponsors with a link. */
export const loader = page(async (door) => {
  const { context } = door;
  try {
    const found = await openCampaignReport(door);
    const { campaign, show, zone } = found;
    const expires = formatDate(found.expiresAt, context.locale, { dateStyle: 'long', timeZone: zone });
    const report = { campaign, show, expires, figures: namedFigures(found.figures, context) };
    return data({ title: campaign.name, report }, { headers: REPORT_HEADERS });
  } catch (error) {
    const { status } = context.describeError(error);
    if (status !== 410) throw error;
    const title = translator(context.language, 'figures')('page.expired');
    return data({ title, report: null }, { status, headers: REPORT_HEADERS });
  }
});

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: `${loaded?.title} · Altavoz` },
  { name: 'robots', content: 'noindex, nofollow' },
  // the address is a secret
  { name: 'referrer', content: 'same-origin' },
];

export default function CampaignReport() {
  const { t } = useTranslation('figures');
  const { title, report } = useLoaderData<typeof loader>();
  return (
    <SiteShell>
      {report ? (
        <Report />
      ) : (
        <div className="wrap form-page">
          <h1>{title}</h1>
          <p className="lead">{t('page.expiredText')}</p>
        </div>
      )}
    </SiteShell>
  );
}

function Report() {
  const { t, locale } = useTranslation('campaigns');
  const { t: words } = useTranslation('figures');
  const { report } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  if (!report) return null;
  const { campaign, show, figures, expires } = report;
  return (
    <div className={`wrap ${figureClasses.page}`}>
      <header className={figureClasses.head}>
        <img src={show.cover.webp[320]} alt="" width="112" height="112" />
        <div>
          <p className="muted">{t('report.of')}</p>
          <h1 dir="auto">{campaign.name}</h1>
          <p className="lead">
            <bdi>{show.name}</bdi> · <bdi>{show.creator}</bdi>
          </p>
        </div>
      </header>
      <p className="muted">
        {daysText(campaign, t, locale)} · {placeText(campaign, t)}
      </p>
      <Heard campaign={campaign} />
      <p className={figureClasses.files}>
        <a className="button plain" href={`${pathname}/report.pdf`} download>
          {t('report.pdf')}
        </a>
        <a className="button plain" href={`${pathname}/impressions.csv`} download>
          {t('figures.csv')}
        </a>
      </p>
      <CampaignFigures figures={figures} />
      <p className="muted">{words('page.expires', { date: expires })}</p>
    </div>
  );
}
