/** The summaries of calls in Spanish, by method and path; the table has them in English. A test compares both. */
export const SPANISH_SUMMARIES: Record<string, string> = {
  'GET /shows': 'Los programas, empezando por el último.',
  'POST /shows': 'Crea un programa gratuito. `cover_key` es la `key` de una subida con el propósito `cover`.',
  'GET /shows/:id': 'Un programa.',
  'PATCH /shows/:id': 'Cambia los campos que envíes de un programa.',
  'POST /shows/:id/archive': 'Archiva un programa: sale de las listas y ya no se puede comprar.',
  'DELETE /shows/:id/archive': 'Recupera un programa archivado.',
  'GET /shows/:show_id/episodes': 'Los episodios de un programa. Si no dices otra cosa, `ordering` es `-release_date`.',
  'POST /shows/:show_id/episodes':
    'Crea un episodio. `file_key` es la `key` de una subida con el propósito `episode_audio`, o `audio_url` dice de dónde descargamos el audio. Queda en `in_progress` hasta que comprobemos el audio; con `hold`, después queda como borrador.',
  'GET /episodes/:id': 'Un episodio.',
  'PATCH /episodes/:id':
    'Cambia los campos que envíes de un episodio. Otra `file_key` u otra `audio_url` sustituye el audio. Si `audio.status` es `failed`, envía `audio_url` otra vez y lo descargamos de nuevo.',
  'DELETE /episodes/:id': 'Elimina un episodio. Durante 7 días se puede recuperar en el estudio.',
  'POST /episodes/:id/publish': 'Publica un episodio en pausa: ahora, o en `release_date`.',
  'POST /episodes/:id/unpublish': 'Pone un episodio en pausa. Nadie lo oye hasta que se publique otra vez.',
  'GET /episodes/:id/chapters': 'Los capítulos de un episodio.',
  'PUT /episodes/:id/chapters':
    'Sustituye los capítulos de un episodio, en cualquier orden. Una lista vacía los elimina.',
  'GET /episodes/:id/transcript': 'La transcripción de un episodio, con las direcciones de sus archivos.',
  'PUT /episodes/:id/transcript':
    'Añade o sustituye la transcripción de un episodio: SRT, WebVTT, JSON o texto, en base64 en `content`.',
  'DELETE /episodes/:id/transcript': 'Elimina la transcripción de un episodio.',
  'POST /uploads':
    'Pregunta adónde enviar un archivo. Envíalo allí como dicen `method`, `fields` y `headers`, y usa su `key` en el plazo de un día.',
  'GET /shows/:show_id/subscribers': 'Los suscriptores y clientes de un programa, empezando por el último.',
  'POST /shows/:show_id/subscribers':
    'Da a una persona acceso gratuito a un programa de pago, por su dirección. Recibe un email con su feed privado. La respuesta no dice si tiene cuenta.',
  'POST /shows/:show_id/subscribers/batch':
    'Da acceso gratuito a un programa de pago a hasta 1000 personas, por sus direcciones. Cada una tiene su resultado, en el mismo orden. Repetirla no cambia nada, así que una llamada repetida se hace de nuevo y no se responde de memoria. Si ya has gastado los emails del día, el resto recibe acceso sin email. A partir del máximo de personas nuevas de un día, el resultado es `try_later`. Los identificadores están en la lista de suscriptores. Solo se procesa un lote a la vez.',
  'POST /shows/:show_id/subscribers/batch/end':
    'Termina el acceso gratuito de hasta 1000 personas a un programa, por sus direcciones. Lo que pagaron, ellas u otra persona por ellas, se mantiene: `paid`. Cada una tiene su resultado, en el mismo orden, y una llamada repetida se hace de nuevo.',
  'GET /shows/:show_id/subscribers/:user_id/feed':
    'Cuándo creaste el feed privado de un suscriptor. Su dirección solo se dice al crearlo.',
  'POST /shows/:show_id/subscribers/:user_id/feed':
    'Crea un feed privado de un programa para un suscriptor con acceso, además de sus propias direcciones. La respuesta trae la dirección, una sola vez. Es como una contraseña y termina con el acceso.',
  'POST /shows/:show_id/subscribers/:user_id/feed/replace':
    'Cambia la dirección de un feed privado que creaste. La anterior deja de funcionar y el suscriptor recibe un email.',
  'DELETE /shows/:show_id/subscribers/:user_id/feed':
    'Termina un feed privado que creaste. El suscriptor mantiene su acceso y sus propias direcciones.',
  'GET /shows/:show_id/subscribers/:user_id': 'Un suscriptor.',
  'DELETE /shows/:show_id/subscribers/:user_id':
    'Termina ahora el acceso de una persona a un programa, y su suscripción. No reembolsa nada.',
  'GET /contacts':
    'Los contactos. `tag` y `show` son un nombre y un slug; si no dices otra cosa, `sort` es `newest`. `total` cuenta hasta 10 000.',
  'POST /contacts': 'Añade un contacto. Con `has_agreed` declaras que la persona acepta tus emails.',
  'GET /contacts/:id': 'Un contacto.',
  'PUT /contacts/:id': 'Cambia el nombre y las etiquetas de un contacto, y su dirección si la envías.',
  'DELETE /contacts/:id': 'Elimina un contacto.',
  'POST /contacts/changes': 'Cambia muchos contactos a la vez: los que están en `ids` o los que encuentra un `filter`.',
  'GET /editions': 'Las ediciones del boletín: las programadas, los borradores y las enviadas, en este orden.',
  'POST /editions': 'Crea un borrador, vacío o sobre el episodio `episode_id`.',
  'GET /editions/:id': 'Una edición, con su `revision`.',
  'PATCH /editions/:id': 'Cambia los campos que envíes de una edición. Falla si la edición ya tiene otra `revision`.',
  'DELETE /editions/:id': 'Elimina un borrador.',
  'POST /editions/:id/test': 'Envía una edición a unas direcciones, con un asunto que lo señala como prueba.',
  'POST /editions/:id/send': 'Envía una edición a su audiencia: ahora, o en `send_at`.',
  'POST /editions/:id/cancel': 'Retira una edición programada, o detiene un envío en marcha.',
  'GET /coupons': 'Los cupones, empezando por el más reciente.',
  'POST /coupons':
    'Crea un cupón para un programa de pago. `discount` es un porcentaje entero o, con `discount_type` `flat`, un importe en la unidad menor.',
  'PATCH /coupons/:id': 'Desactiva un cupón o lo vuelve a activar.',
  'GET /balances': 'Lo que se debe al creador, en cada moneda.',
  'GET /payouts': 'Los pagos al creador, empezando por el más reciente.',
  'GET /sales':
    'Ventas, reembolsos y pagos al creador de un mes, `month`, como están en los libros; si no lo envías, el mes en curso.',
  'GET /statistics':
    'Las escuchas de todos los programas en un periodo de días locales; si no lo envías, los últimos 30.',
  'GET /shows/:id/statistics': 'Las escuchas de un programa.',
  'GET /episodes/:id/statistics': 'Las escuchas de un episodio.',
  'POST /imports':
    'Pide importar el feed de otro alojamiento. Empieza cuando quien es titular lo demuestra: con un enlace a la dirección del feed o, si `proof` es `feed`, con el `proof_code` de la respuesta dentro del feed.',
  'POST /imports/:id/prove': 'Di que el código ya está en el feed, y lo leemos.',
  'GET /imports/:id': 'Una importación y cómo avanza.',
  'GET /imports/:id/items': 'Los episodios de una importación, en el orden del feed.',
  'DELETE /imports/:id': 'Cancela una importación. Lo que ya ha traído se queda.',
  'GET /clips': 'Los sonidos que se pueden insertar.',
  'POST /clips': 'Añade un sonido. `clip_key` es la `key` de una subida con el propósito `insertion_audio`.',
  'GET /campaigns': 'Las campañas de todos los programas, o del que diga `show_id`.',
  'POST /campaigns': 'Crea una campaña para un programa. Con `is_draft` solo necesita un nombre.',
  'GET /campaigns/:id': 'Una campaña.',
  'GET /campaigns/:id/figures': 'Cuántas veces se ha oído una campaña: por día, episodio, país y app.',
  'PATCH /campaigns/:id': 'Activa o desactiva una campaña.',
  'POST /campaigns/:id/end': 'Termina una campaña para siempre.',
  'GET /webhooks':
    'Las direcciones que reciben eventos, empezando por la más antigua. De un chat solo se ve el dominio, porque el resto es un secreto.',
  'POST /webhooks':
    'Suscribe una dirección a eventos; sin `events`, a todos. Necesita los permisos que leen lo que dicen los eventos, como `money:read`. La respuesta trae el secreto de las firmas, una sola vez.',
  'PUT /webhooks/:id':
    'Sustituye la dirección, la nota y los eventos. Necesita los permisos de los eventos anteriores y de los nuevos.',
  'DELETE /webhooks/:id': 'Da de baja una dirección. También se elimina su registro.',
  'POST /webhooks/:id/secret': 'Cambia el secreto de las firmas. Durante 24 horas, los mensajes se firman con los dos.',
  'POST /webhooks/:id/on':
    'Vuelve a activar una dirección, por ejemplo si todos sus intentos han fallado durante cinco días.',
  'POST /webhooks/:id/off': 'Desactiva una dirección. Lo que pase hasta que se active de nuevo no se le envía nunca.',
  'POST /webhooks/:id/test': 'Envía un evento inventado.',
  'GET /webhooks/:id/deliveries':
    'Lo enviado en los últimos 30 días, con cada intento y los primeros 500 caracteres de su respuesta, empezando por lo último.',
  'GET /webhooks/:id/deliveries/:delivery_id': 'Una entrega, con todo lo que el registro conserva de cada respuesta.',
  'POST /webhooks/:id/deliveries/:delivery_id': 'Envía un evento otra vez, con el mismo `webhook-id`.',
  'GET /webhooks/sample':
    'Un mensaje inventado de un evento, para herramientas que muestran sus campos antes de que ocurra.',
};
