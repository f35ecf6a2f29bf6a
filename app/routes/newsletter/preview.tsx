import { useEffect, useRef } from 'react';
import { PageHeader } from '~/app/components/page-header';
import { versionIn } from '~/app/features/studio/newsletter/edition-steps';
import classes from '~/app/features/studio/newsletter/newsletter.module.css';
import { ProblemList } from '~/app/features/studio/newsletter/problem-list';
import { type Door, page } from '~/app/lib/doors.server';
import { usePaths } from '~/app/lib/paths';
import { parseId } from '~/app/lib/route-refs';
import { Link, useLoaderData } from '~/app/lib/router';
import { translator } from '~/app/lib/texts.server';
import { titleMeta } from '~/app/lib/title-meta';
import { useTranslation } from '~/app/lib/translation';
import { formatNumber } from '~/server/base/formats';

/** The height of a frame includes them. */
const BORDERS = 2;

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
  const { subject, sender, preheader } = preview;
  return {
    title,
    id,
    version,
    inbox: { subject, sender, preheader },
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
  const { title, id, version, inbox, chosen, status, automationId, text, bytes, problems } =
    useLoaderData<typeof loader>();
  const paths = usePaths();
  const asked = { ...chosen, ...(version && { version: String(version) }) };
  const isOpen = status === 'draft' || status === 'scheduled';
  const back = isOpen ? paths.editEdition(id) : paths.edition(id);
  const textPath = automationId === null ? back : paths.automationStep(automationId, id);
  const frame = `${paths.previewEdition(id)}/email?${new URLSearchParams(asked)}`;
  const size = formatNumber(Math.round(bytes / 102.4) / 10, locale);
  return (
    <>
      <PageHeader title={title} back={<Link to={textPath}>{t('title')}</Link>} />
      <div className={classes.options}>
        {NAMES.map((name) => (
          <nav key={name} className={classes.option} aria-labelledby={`preview-${name}`}>
            <span id={`preview-${name}`} className={classes.fact}>
              {t(`preview.${name}`)}
            </span>
            <span className={classes.segments}>
              {OPTIONS[name].map((value) => (
                <Link
                  key={value}
                  to={`?${new URLSearchParams({ ...asked, [name]: value })}`}
                  replace
                  preventScrollReset
                  aria-current={chosen[name] === value ? 'true' : undefined}
                >
                  {t(`preview.${name}.${value}`)}
                </Link>
              ))}
            </span>
          </nav>
        ))}
      </div>
      <div className={classes.inbox} data-width={chosen.width}>
        <strong dir="auto">{inbox.sender}</strong>
        <span dir="auto">{inbox.subject || t('untitled')}</span>
        <span className={classes.fact} dir="auto">
          {inbox.preheader}
        </span>
      </div>
      {text === null ? (
        <EmailFrame src={frame} width={chosen.width} />
      ) : (
        <pre className={classes.plain} dir="auto">
          {text}
        </pre>
      )}
      <p className={classes.fact}>{t('preview.size', { size })}</p>
      <ProblemList problems={problems} textPath={textPath} />
    </>
  );
}

/** The frame is as tall as the email, so that only the page scrolls. */
function EmailFrame({ src, width }: { src: string; width: string }) {
  const { t } = useTranslation('editions');
  const element = useRef<HTMLIFrameElement>(null);
  // it may have loaded before the page's scripts
  useEffect(() => void (element.current && fit(element.current)), []);
  return (
    <iframe
      ref={element}
      className={classes.email}
      data-width={width}
      title={t('preview.frame')}
      src={src}
      sandbox="allow-same-origin"
      onLoad={(event) => fit(event.currentTarget)}
    />
  );
}

function fit(frame: HTMLIFrameElement): void {
  // a document is at least as tall as its frame
  frame.style.height = '0';
  const height = frame.contentDocument?.documentElement.scrollHeight;
  frame.style.height = height ? `${height + BORDERS}px` : '';
}
