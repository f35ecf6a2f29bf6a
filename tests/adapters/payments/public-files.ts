/** The adapter's files that the product may import. */
export const PUBLIC_FILES = [
  'port',
  'book-port',
  'return-port',
  'setup-port',
  'objects',
  'payment-events',
  'errors',
  'stripe',
];
