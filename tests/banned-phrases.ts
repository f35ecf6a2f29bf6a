import type { Language } from '~/locales/languages';

/**
 * Words and phrases that the writing guide replaces: archaic words, metaphors, and second terms for a concept that has
 * one. The values of placeholders such as `{{product}}` are not text and are not checked.
 */
export const BANNED: Record<Language, readonly RegExp[]> = {
  en: [
    // one term per concept
    /\be-mails?\b/i,
    /\bproducts?\b/i,
    /\b(?:a|the|our|your|this|another) mail\b/i,
    /\bregister(?:s|ed|ing)?\b/i,
    /\bcreate (?:an|your) account\b/i,
    /\bsign(?:s|ed)? in\b/i,
    /\blog-?ins?\b/i,
    /\bconfirm (?:your|my|the|this|that) (?:e-?mail|address)/i,
    /\bvalidate\b/i,
    /\bhold back\b|\bheld back\b|\bwithh[eo]ld/i,
    /\b(?:go|goes|come|comes|came|went) out\b|\bcomes? out\b|\bout since\b|\bit is out\b/i,
    /\bshel(?:f|ves)\b/i,
    /\b(?:is|are|will be) gone\b/i,
    /\btakes? (?:it )?off\b/i,
    /\brefused\b/i,
    // archaic words and metaphors
    /\banew\b/i,
    /\bmend(?:s|ed)?\b/i,
    /\bstrangers?\b/i,
    /\bwhoever\b|\bwhomever\b/i,
    /\b(?:some|no|any|every)body\b/i,
    /\belse the\b/i,
    /\bis none\b|\bby itself\b|\bfor who\b/i,
    /\bstands?\b/i,
    /\bbehind\b/i,
    /\b(?:go|goes|going|went) on\b/i,
    /\bkeeps? leading\b/i,
    /\bare meant\b/i,
    /\bfree to begin\b/i,
    /\bhear one\b/i,
    /\blooks like that\b/i,
    /\bneeds? another look\b/i,
    /\blook into your inbox\b/i,
    /\bon its way\b/i,
    /\bholds for\b/i,
    /\bhave a slip\b|\bmoved out\b/i,
    /\blet go\b/i,
    /\bline is down\b/i,
    /\bnothing of it is lost\b/i,
    /\ba taste\b/i,
    /\bfault of its own\b|\bbroke off\b|\bleft alone\b|\bnever comes to\b/i,
    /\bexists already\b/i,
    /\bwas checked\b/i,
    /\basks? to be\b|\bwait to be used\b/i,
  ],
  es: [
    /\bentra(?:r|s)?\b(?! en )/i,
    /\bproductos?\b/i,
    /\bestanter[ií]as?\b/i,
    /\bretener\b|\bretenid[oa]s?\b/i,
    /\bconfirma(?:r|do|da)? (?:tu|mi|que esta|la direcci|el correo)/i,
    /\bvalidar?\b|\bvalidaci[oó]n\b/i,
    /\baplicaci[oó]n(?:es)?\b/i,
    /\bregistra(?:rte|rse|te)\b|\bse registró\b/i,
    /\ba una hora\b/i,
    /\bvosotros\b|\busted(?:es)?\b/i,
    /\b(?:haz|haced) clic\b/i,
    /\bmira tu bandeja\b/i,
    /\bhemos\b|\bha (?:ocurrido|ido)\b/i,
  ],
};

/**
 * Words that have another spelling or another word in our texts, in locales and in the site's Markdown; names, values and
 * other hosts' words keep theirs.
 */
export const REPLACED: Record<Language, { word: RegExp; names: RegExp }> = {
  // a subscription, as the specification calls it
  en: { word: /\bmemberships?\b/i, names: /\bPatreon memberships?\b/g },
  // «pódcast», «pódcasts», «pódcaster»
  es: {
    word: /podcast/i,
    names:
      /Apple Podcasts|Podcast Addict|Podcasting 2\.0|Podcast Taxonomy|Podcast Measurement Guidelines|(?:iVoox|Amazon Music for) Podcasters|Podcast Feed URL|Podcasts and audio|«Añadir podcast(?: por dirección RSS)?»|«podcast(?:er)?»|\bpodcaster\b(?= indica)|\{\{[\w-]+\}\}|\bpodcast:\w+|\S*\/\S*/g,
  },
};

/** Sentences that the specification quotes, which stay as they are. */
export const VERBATIM = [
  'Unable to log in with provided credentials.',
  'Validation Link Expired',
  'Logout for security purpose',
  "You've reached the maximum free episodes",
  "You don't have enough credits available. Do you want to upgrade your plan?",
] as const;
