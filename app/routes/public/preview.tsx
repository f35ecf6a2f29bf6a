import { data, type HeadersFunction, type MetaFunction } from '@remix-run/node';
import { NativeAudio } from '~/app/components/native-audio';
import { CoverPicture } from '~/app/features/site/public/cover-picture';
import { CreatorShell } from '~/app/features/site/public/creator-shell';
import { creatorsPage } from '~/app/features/site/public/creators-page.server';
import { domainOf, toCreatorCard } from '~/app/features/site/public/page-data.server';
import { People, Transcript } from '~/app/features/site/public/people-and-transcript';
import { notFound } from '~/app/features/site/site/not-found.server';
import { useLoaderData } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';

/** Shows an unpublished episode to visitors with its link. The page is not cached, and its plays are not counted. */
export const loader = creatorsPage(async ({ api, context, params }) => {
  const domain = domainOf(context, params.handle);
  if (domain === null) throw notFound();
  const { creator, episode, audio, transcript } = await api.pages.preview({ domain, token: params.token ?? '' });
  const { name, cover, description, people, product } = episode;
  return data(
    {
      creator: toCreatorCard(creator),
      productName: product.name,
      audio,
      episode: { name, cover, people, description: withoutTimes(description) },
      // no downloads, because the transcript's files require access
      transcript: transcript && { html: transcript.html && withoutTimes(transcript.html), downloads: [] },
    },
    { headers: { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex, nofollow' } },
  );
});

/** Removes links to times, because they lead to the public page, which does not exist yet. */
const withoutTimes = (html: string) => html.replace(/<a href="[^"]*#listen=[^"]*">([\d:]+)<\/a>/g, '$1');

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;
export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.episode.name ?? 'Altavoz' },
  { name: 'robots', content: 'noindex, nofollow' },
  // the URL is a secret
  { name: 'referrer', content: 'no-referrer' },
];

export default function PreviewPage() {
  const { t } = useTranslation('public');
  const { creator, episode, transcript } = useLoaderData<typeof loader>();
  return (
    <CreatorShell creator={creator} head={<PreviewHead />}>
      <section className="section" aria-labelledby="about">
        <h2 id="about">{t('aboutEpisode')}</h2>
        {/* the server sanitised it when it was saved */}
        <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: episode.description }} />
        <People people={episode.people} />
        <Transcript transcript={transcript} language="" />
      </section>
    </CreatorShell>
  );
}

function PreviewHead() {
  const { t } = useTranslation('public');
  const { episode, productName, audio } = useLoaderData<typeof loader>();
  return (
    <div className="product-intro">
      <p className="notice whole" role="note">
        {t('preview.notice')}
      </p>
      <CoverPicture cover={episode.cover} alt="" wide={320} first />
      <div>
        <h1 dir="auto">{episode.name}</h1>
        <p className="by" dir="auto">
          {productName}
        </p>
        {audio ? <NativeAudio src={audio} label={episode.name} /> : <p className="muted">{t('preview.unchecked')}</p>}
      </div>
    </div>
  );
}
