import { useSyncExternalStore } from 'react';
import { currentState, subscribe } from './engine';
import { INITIAL_STATE, type PlayerState } from './state';

const onTheServer = () => INITIAL_STATE;

/** The state of the one player, shared by all components. */
export function usePlayer(): PlayerState {
  return useSyncExternalStore(subscribe, currentState, onTheServer);
}
