import { data } from '@remix-run/node';
import {
  CONTENT_TAGS,
  describeText,
  sitePageMetadata,
  textAt,
  textMetadata,
} from '~/app/features/site/blog/text-metadata.server';
import { siteLinks, sitePagePath } from '~/app/features/site/marketing/site-links.server';
import { questionsData } from '~/app/features/site/marketing/software-data.server';
import { toShelfShow } from '~/app/features/site/public/shelf-data.server';
import type { Door } from '~/app/lib/doors.server';
import { type Prefix, prefixOf } from '~/app/lib/site-paths';
import { translator } from '~/app/lib/texts.server';
import type { SitePage } from '~/locales/site-slugs';
import { slugOfText } from '~/server/base/public-paths';

type ListPage = Extract<SitePage, 'faq' | 'stories' | 'resources' | 'webinars'>;

/** The frame of a page that lists texts. `what`: its description by schema.org. */
async function listPage(door: Door, page: ListPage, ...what: object[]) {
  const t = translator(door.context.language, 'pages');
  const described = { title: t(`${page}.title`), description: t(`description.${page}`) };
  const pathIn = (prefix: Prefix) => sitePagePath(prefix, page);
  return { metadata: await sitePageMetadata(door, { ...described, pathIn }, ...what), links: siteLinks(door) };
}

/** All questions by topic. */
export async function faqData(door: Door) {
  const found = await door.api.content.questions();
  const questions = found.flatMap((each) => each.questions);
  const what = questionsData(questions.map(({ question, text }) => ({ question, answer: text })));
  const topics = found.map((each) => ({
    id: slugOfText(each.topic),
    topic: each.topic,
    questions: each.questions.map(({ slug, question, html }) => ({ slug, question, html })),
  }));
  return data({ ...(await listPage(door, 'faq', ...(questions.length > 0 ? [what] : []))), topics }, CONTENT_TAGS);
}

export type FaqView = Omit<Awaited<ReturnType<typeof faqData>>['data'], 'metadata'>;

/** The stories, each with its show if this installation has it. */
export async function storiesData(door: Door) {
  const found = await door.api.content.stories();
  const stories = await Promise.all(
    found.map(async ({ show, ...story }) => ({ ...story, show: show && (await findShow(door, show)) })),
  );
  // a change to a listed show purges the page at once
  const tags = stories.flatMap(({ show }) => (show ? [`product:${show.id}`] : []));
  return data(
    { ...(await listPage(door, 'stories')), stories },
    { headers: { 'x-cache-tags': ['content', ...tags].join(' ') } },
  );
}

export type StoriesView = Omit<Awaited<ReturnType<typeof storiesData>>['data'], 'metadata'>;

/** Of an address such as `/@lucia/p/noches-de-taller`. Null if the visitor can't see the show. */
async function findShow(door: Door, path: string) {
  const [, handle = '', , slug = ''] = path.split('/');
  try {
    const found = await door.api.pages.product({ domain: handle.slice(1), slug });
    return found.moved ? null : toShelfShow(door, found.product);
  } catch (error) {
    if (door.context.describeError(error).unexpected) throw error;
    return null;
  }
}

export async function resourcesData(door: Door) {
  const { resources: start } = paths(door);
  const resources = (await door.api.content.resources()).map(({ slug, ...resource }) => ({
    ...resource,
    path: `${start}/${slug}`,
  }));
  const planned = await door.api.content.webinars();
  const webinars = planned.length > 0 ? paths(door).webinars : null;
  return data({ ...(await listPage(door, 'resources')), resources, webinars }, CONTENT_TAGS);
}

export type ResourcesView = Omit<Awaited<ReturnType<typeof resourcesData>>['data'], 'metadata'>;

const paths = ({ url }: Door) => ({
  resources: sitePagePath(prefixOf(url.pathname), 'resources'),
  webinars: sitePagePath(prefixOf(url.pathname), 'webinars'),
});

/** A guide at its address in the language of the page; other spellings redirect there. */
export async function resourceData(door: Door) {
  const { addresses, ...page } = await textAt(door, (slug) => door.api.content.resource({ slug }));
  const { language } = door.context;
  const t = translator(language, 'pages');
  const list = { name: t('resources.title'), path: sitePagePath(`/${language}`, 'resources') };
  describeText(door, [list, { name: page.title, path: addresses[language] }]);
  const up = { text: t('resources.title'), to: paths(door).resources };
  return data({ metadata: await textMetadata(door, page, addresses), links: siteLinks(door), up, page }, CONTENT_TAGS);
}

/** The webinars. Search engines do not list a page without any. */
export async function webinarsData(door: Door) {
  const webinars = await door.api.content.webinars();
  const { metadata, links } = await listPage(door, 'webinars');
  return data(
    { metadata: { ...metadata, isUnlisted: webinars.length === 0 }, links, resources: paths(door).resources, webinars },
    CONTENT_TAGS,
  );
}

export type WebinarsView = Omit<Awaited<ReturnType<typeof webinarsData>>['data'], 'metadata'>;
