/** The file of a screenshot. Texts show the dark one to visitors with a dark screen (server/content/render-markdown.ts). */
export const pictureName = ({ name, language, scheme }) =>
  `${name}-${language}${scheme === 'dark' ? '-dark' : ''}.webp`;
