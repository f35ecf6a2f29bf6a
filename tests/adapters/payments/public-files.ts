/** The adapter's files that the product may import. */
export const PUBLIC_FILES = ['port', 'objects', 'errors', 'stripe'];
