import type { Context } from 'hono';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '~/locales/languages';

const en = {
  banner: 'Sandbox: this is not Spotify. It stands in while no partner ID is set.',
  title: 'Link your Spotify account',
  lead: 'Which account do you use at Spotify?',
  other: 'Another account',
  account: 'User name at Spotify',
  continue: 'Agree',
  deny: 'Cancel',
  badRequest: 'This link is not valid: the client or the redirect address is unknown.',
  completed: 'Your accounts are linked',
  completedLead: 'In the Spotify app, the episodes that you may hear are open now.',
  back: 'Back',
  known: 'What the local Spotify knows',
  knownLead: 'Set the status of a show here, instead of waiting for an approval.',
  shows: 'Shows',
  noShows: 'No show has been submitted.',
  status: 'Status of {{name}}',
  set: 'Set status',
  users: 'Linked users',
  noUsers: 'No user is linked.',
  hearsNothing: 'no entitlements',
};

const es: typeof en = {
  banner: 'Entorno de pruebas: esto no es Spotify. Lo sustituye mientras no haya un ID de socio.',
  title: 'Vincular tu cuenta de Spotify',
  lead: '¿Qué cuenta usas en Spotify?',
  other: 'Otra cuenta',
  account: 'Nombre de usuario en Spotify',
  continue: 'Aceptar',
  deny: 'Cancelar',
  badRequest: 'Este enlace no es válido: no se conoce el cliente o la dirección de vuelta.',
  completed: 'Tus cuentas están vinculadas',
  completedLead: 'En la app de Spotify ya puedes escuchar los episodios a los que tienes acceso.',
  back: 'Volver',
  known: 'Lo que sabe el Spotify local',
  knownLead: 'Aquí puedes fijar el estado de un programa sin esperar a la aprobación.',
  shows: 'Programas',
  noShows: 'No se ha enviado ningún programa.',
  status: 'Estado de {{name}}',
  set: 'Fijar estado',
  users: 'Usuarios vinculados',
  noUsers: 'No hay usuarios vinculados.',
  hearsNothing: 'sin derechos de acceso',
};

export const TEXTS: Record<Language, typeof en> = { en, es };

/** Spotify shows its pages in the language of the browser. */
export function sandboxLanguage(c: Context): Language {
  const named = (c.req.header('accept-language') ?? '').slice(0, 2).toLowerCase();
  return isLanguage(named) ? named : DEFAULT_LANGUAGE;
}
