import type { ChatSettings } from '../env/operator';

/** The sources that a chat needs in the policy of pages, besides our own, as its provider documents them. */
export type ChatSources = Record<'script' | 'connect' | 'img' | 'media' | 'font' | 'frame' | 'style', string[]>;

const CRISP = 'https://*.crisp.chat';
const INTERCOM = ['https://*.intercom.io', 'https://*.intercom-messenger.com'];
const INTERCOM_FILES = ['https://*.intercomcdn.com', 'https://*.intercomcdn.eu', 'https://*.intercomassets.com'];

/** Both chats set styles in the page, which no nonce can allow. */
const INLINE = "'unsafe-inline'";

const SOURCES: Record<ChatSettings['provider'], ChatSources> = {
  crisp: {
    script: [CRISP],
    connect: [CRISP, 'wss://*.relay.crisp.chat'],
    img: [CRISP],
    media: [CRISP],
    font: [CRISP],
    frame: [CRISP],
    style: [INLINE, CRISP],
  },
  intercom: {
    script: ['https://app.intercom.io', 'https://widget.intercom.io', 'https://js.intercomcdn.com'],
    connect: [...INTERCOM, 'wss://*.intercom.io', 'wss://*.intercom-messenger.com', ...INTERCOM_FILES],
    img: [...INTERCOM, ...INTERCOM_FILES],
    media: INTERCOM_FILES,
    font: INTERCOM_FILES,
    frame: ['https://intercom-sheets.com', 'https://www.intercom-reporting.com'],
    style: [INLINE],
  },
};

export const chatSources = (chat: ChatSettings | null | undefined): ChatSources | null =>
  chat ? SOURCES[chat.provider] : null;
