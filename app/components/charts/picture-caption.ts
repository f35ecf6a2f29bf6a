import { createContext } from 'react';

/** What pictures of a page's charts are about, below their title: the show and the period. */
export const PictureCaption = createContext('');
