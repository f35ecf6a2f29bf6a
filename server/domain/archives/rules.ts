/** What `manifest.json` calls the format. A version is raised when a former import would misread it. */
export const FORMAT = 'altavoz-creator';
export const VERSION = 1;
export const MANIFEST = 'manifest.json';
