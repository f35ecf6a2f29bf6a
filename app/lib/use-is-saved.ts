import { type RefObject, useRef } from 'react';
import { useNavigation } from './router';

/**
 * Whether the page is about to be left because its form was saved. After an expired session it is left for the login
 * page: nothing is saved then.
 * @param isOwn whether this form was sent
 */
export function useIsSaved(isOwn: (sent: FormData) => boolean): RefObject<boolean> {
  const { state, formData, location } = useNavigation();
  const isSaved = useRef(false);
  isSaved.current =
    state === 'loading' && formData !== undefined && isOwn(formData) && !location.pathname.endsWith('/login');
  return isSaved;
}
