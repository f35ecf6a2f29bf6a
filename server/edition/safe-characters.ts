/** Delimiters of the placeholders for what differs per recipient: private-use characters, removed from all content. */
export const OPEN = '\ue000';
export const CLOSE = '\ue001';

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it removes
const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ue000\ue001]/g;

/** Text without control characters, halves of characters, and our delimiters. */
export const cleanCharacters = (text: string): string => text.toWellFormed().replace(UNSAFE, '');
