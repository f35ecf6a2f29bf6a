import { useSyncExternalStore } from 'react';
import { currentState, subscribe } from './engine';
import { INITIAL_STATE, type PlayerState } from './state';

const onTheServer = () => INITIAL_STATE;

/** The player's state; every page and every bar shows the same one. */
export function usePlayer(): PlayerState {
  return useSyncExternalStore(subscribe, currentState, onTheServer);
}
