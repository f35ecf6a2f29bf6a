import { useSyncExternalStore } from 'react';
import { currentState, subscribe } from './engine';
import { type PlayerState, SILENT } from './state';

const onTheServer = () => SILENT;

/** The player's state; every page and every bar shows the same one. */
export function usePlayer(): PlayerState {
  return useSyncExternalStore(subscribe, currentState, onTheServer);
}
