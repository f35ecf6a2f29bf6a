import { useState } from 'react';
import { useLocation } from '~/app/lib/router';
import { useTranslation } from '~/app/lib/translation';
import type { ChatSettings } from '~/server/env/operator';

type Queue = { (...call: unknown[]): void; q?: unknown[][] };

declare global {
  interface Window {
    $crisp?: unknown[][];
    CRISP_WEBSITE_ID?: string;
    intercomSettings?: { app_id: string };
    Intercom?: Queue;
  }
}

let isLoaded = false;

/** Whether the chat's scripts run in this document. */
export const hasChat = () => isLoaded;

/**
 * Our own button, shown after consent. The chat loads only when the visitor clicks it, and then shows its own button.
 * Links from emails contain a secret in their address, which no third party may read.
 */
export function ChatButton({ chat }: { chat: ChatSettings }) {
  const { t } = useTranslation('tracking');
  const { search } = useLocation();
  const [state, setState] = useState<'closed' | 'open' | 'failed'>(isLoaded ? 'open' : 'closed');
  if (state === 'open' || new URLSearchParams(search).has('token')) return null;
  const open = () => {
    setState('open');
    openChat(chat, () => setState('failed'));
  };
  return (
    <button type="button" className="button chat-button" onClick={open}>
      {t(state === 'failed' ? 'chat.failed' : 'chat.open')}
    </button>
  );
}

/** Opens the chat, and loads it first if necessary. */
export function openChat({ provider, id }: ChatSettings, onError: () => void): void {
  if (isLoaded) showChat();
  else loadChat({ provider, id }, onError);
}

function loadChat({ provider, id }: ChatSettings, onError: () => void): void {
  isLoaded = true;
  const src = provider === 'crisp' ? prepareCrisp(id) : prepareIntercom(id);
  const onFailure = () => {
    isLoaded = false;
    onError();
  };
  document.head.append(Object.assign(document.createElement('script'), { async: true, src, onerror: onFailure }));
}

function showChat(): void {
  window.$crisp?.push(['do', 'chat:open']);
  window.Intercom?.('show');
}

/** Calls made before the script loads wait in a queue, as both providers document. */
function prepareCrisp(id: string): string {
  window.CRISP_WEBSITE_ID = id;
  window.$crisp = [['do', 'chat:open']];
  return 'https://client.crisp.chat/l.js';
}

function prepareIntercom(id: string): string {
  const queue: Queue = (...call) => void queue.q?.push(call);
  queue.q = [];
  window.intercomSettings = { app_id: id };
  window.Intercom = queue;
  queue('show');
  return `https://widget.intercom.io/widget/${id}`;
}
