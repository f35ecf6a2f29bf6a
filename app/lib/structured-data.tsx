import { createContext, useContext } from 'react';

/** Server only: schema.org's description of the page, as JSON. Loaders set it in `context.structuredData`. */
const StructuredDataContext = createContext('{}');

export const StructuredDataProvider = StructuredDataContext.Provider;

/**
 * A script element for search engines, which read only the server's page: navigations in the browser leave the element
 * as it is.
 */
export function StructuredData() {
  const json = useContext(StructuredDataContext).replace(/</g, '\\u003c');
  return <script type="application/ld+json" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: json }} />;
}
