import { Button } from '~/app/components/button';
import { PageHeader } from '~/app/components/page-header';
import { versionIn } from '~/app/features/studio/newsletter/edition-steps';
import classes from '~/app/features/studio/newsletter/newsletter.module.css';
import { ProblemList } from '~/app/features/studio/newsletter/problem-list';
import { type Door, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Form, Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';

/** What the preview can vary, with the usual value first. */
const OPTIONS = {
  part: ['free', 'paid'],
  width: ['desktop', 'phone'],
  scheme: ['light', 'dark'],
  pictures: ['on', 'off'],
  form: ['html', 'text'],
} as const;
type Option = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as Option[];

/** An edition as its recipients see it. The choices are in the URL. */
export const loader = page(async ({ api, context, params, url }: Door) => {
  const id = parseId(params.id);
  const chosen = Object.fromEntries(
    NAMES.map((name) => [
      name,
      OPTIONS[name].find((value) => value === url.searchParams.get(name)) ?? OPTIONS[name][0],
    ]),
  ) as Record<Option, string>;
  const preview = await api.editions.preview({ id, part: chosen.part === 'paid' ? 'paid' : 'free', ...versionIn(url) });
  const { status, automationId, text, bytes, problems } = preview;
  const title = `${translator(context.language, 'editions')('preview.title')}: ${preview.title}`;
  const { version } = versionIn(url);
  return {
    title,
    id,
    version,
    chosen,
    status,
    automationId,
    text: chosen.form === 'text' ? text : null,
    bytes,
    problems,
  };
});

export const meta = titleMeta;

export default function EditionPreview() {
  const { t, locale } = useTranslation('editions');
  const { title, id, version, chosen, status, automationId, text, bytes, problems } = useLoaderData<typeof loader>();
  const paths = usePaths();
  const isOpen = status === 'draft' || status === 'scheduled';
  const back = isOpen ? paths.editEdition(id) : paths.edition(id);
  const frame = `${paths.previewEdition(id)}/email?${new URLSearchParams({ ...chosen, ...(version && { version: String(version) }) })}`;
  const size = formatNumber(Math.round(bytes / 102.4) / 10, locale);
  return (
    <>
      <PageHeader
        title={title}
        back={<Link to={automationId === null ? back : paths.automationStep(automationId, id)}>{t('title')}</Link>}
      />
      <Form method="get" className={classes.options}>
        {NAMES.map((name) => (
          <label key={name}>
            {t(`preview.${name}`)}
            <select
              name={name}
              defaultValue={chosen[name]}
              onChange={(event) => event.currentTarget.form?.requestSubmit()}
            >
              {OPTIONS[name].map((value) => (
                <option key={value} value={value}>
                  {t(`preview.${name}.${value}`)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <Button type="submit" variant="default">
          {t('preview.show')}
        </Button>
      </Form>
      {text === null ? (
        <iframe
          className={classes.email}
          data-width={chosen.width}
          title={t('preview.frame')}
          src={frame}
          sandbox="allow-same-origin"
        />
      ) : (
        <pre className={classes.plain} dir="auto">
          {text}
        </pre>
      )}
      <p className={classes.fact}>{t('preview.size', { size })}</p>
      <ProblemList problems={problems} />
    </>
  );
}
