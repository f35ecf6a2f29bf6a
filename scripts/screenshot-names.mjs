/** The file of a screenshot. Texts choose among the variants for phones and dark screens (server/content/picture-html.ts). */
export const pictureName = ({ name, language, device, scheme }) =>
  `${name}-${language}${device === 'phone' ? '-phone' : ''}${scheme === 'dark' ? '-dark' : ''}.webp`;
