// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it removes
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Text without control characters and halves of characters, which neither XML nor emails may contain. */
export const cleanCharacters = (text: string): string => text.toWellFormed().replace(CONTROL, '');
