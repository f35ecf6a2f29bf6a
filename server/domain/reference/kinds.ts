import { slugFrom } from '../../base/fields';

/** Apple's category tree. `name` is Apple's own spelling, which feeds must use; ids never change. */
export type Category = { id: number; parentId: number | null; name: string; nameEs: string; slug: string };

const ROWS: [id: number, parentId: number | null, name: string, nameEs: string][] = [
  [100, null, 'Arts', 'Arte'],
  [101, 100, 'Books', 'Libros'],
  [102, 100, 'Design', 'Diseño'],
  [103, 100, 'Fashion & Beauty', 'Moda y belleza'],
  [104, 100, 'Food', 'Gastronomía'],
  [105, 100, 'Performing Arts', 'Artes escénicas'],
  [106, 100, 'Visual Arts', 'Artes visuales'],
  [200, null, 'Business', 'Economía y empresa'],
  [201, 200, 'Careers', 'Desarrollo profesional'],
  [202, 200, 'Entrepreneurship', 'Emprendimiento'],
  [203, 200, 'Investing', 'Inversión'],
  [204, 200, 'Management', 'Gestión'],
  [205, 200, 'Marketing', 'Marketing'],
  [206, 200, 'Non-Profit', 'Sin ánimo de lucro'],
  [300, null, 'Comedy', 'Comedia'],
  [301, 300, 'Comedy Interviews', 'Entrevistas de humor'],
  [302, 300, 'Improv', 'Improvisación'],
  [303, 300, 'Stand-Up', 'Monólogos'],
  [400, null, 'Education', 'Educación'],
  [401, 400, 'Courses', 'Cursos'],
  [402, 400, 'How To', 'Tutoriales'],
  [403, 400, 'Language Learning', 'Idiomas'],
  [404, 400, 'Self-Improvement', 'Superación personal'],
  [500, null, 'Fiction', 'Ficción'],
  [501, 500, 'Comedy Fiction', 'Comedia de ficción'],
  [502, 500, 'Drama', 'Drama'],
  [503, 500, 'Science Fiction', 'Ciencia ficción'],
  [600, null, 'Government', 'Administración pública'],
  [700, null, 'History', 'Historia'],
  [800, null, 'Health & Fitness', 'Salud y forma física'],
  [801, 800, 'Alternative Health', 'Salud alternativa'],
  [802, 800, 'Fitness', 'Ejercicio'],
  [803, 800, 'Medicine', 'Medicina'],
  [804, 800, 'Mental Health', 'Salud mental'],
  [805, 800, 'Nutrition', 'Nutrición'],
  [806, 800, 'Sexuality', 'Sexualidad'],
  [900, null, 'Kids & Family', 'Niños y familia'],
  [901, 900, 'Education for Kids', 'Educación infantil'],
  [902, 900, 'Parenting', 'Crianza'],
  [903, 900, 'Pets & Animals', 'Mascotas y animales'],
  [904, 900, 'Stories for Kids', 'Cuentos infantiles'],
  [1000, null, 'Leisure', 'Ocio'],
  [1001, 1000, 'Animation & Manga', 'Animación y manga'],
  [1002, 1000, 'Automotive', 'Motor'],
  [1003, 1000, 'Aviation', 'Aviación'],
  [1004, 1000, 'Crafts', 'Manualidades'],
  [1005, 1000, 'Games', 'Juegos'],
  [1006, 1000, 'Hobbies', 'Aficiones'],
  [1007, 1000, 'Home & Garden', 'Hogar y jardín'],
  [1008, 1000, 'Video Games', 'Videojuegos'],
  [1100, null, 'Music', 'Música'],
  [1101, 1100, 'Music Commentary', 'Comentario musical'],
  [1102, 1100, 'Music History', 'Historia de la música'],
  [1103, 1100, 'Music Interviews', 'Entrevistas musicales'],
  [1200, null, 'News', 'Noticias'],
  [1201, 1200, 'Business News', 'Noticias de economía'],
  [1202, 1200, 'Daily News', 'Noticias diarias'],
  [1203, 1200, 'Entertainment News', 'Noticias del espectáculo'],
  [1204, 1200, 'News Commentary', 'Opinión'],
  [1205, 1200, 'Politics', 'Política'],
  [1206, 1200, 'Sports News', 'Noticias deportivas'],
  [1207, 1200, 'Tech News', 'Noticias de tecnología'],
  [1300, null, 'Religion & Spirituality', 'Religión y espiritualidad'],
  [1301, 1300, 'Buddhism', 'Budismo'],
  [1302, 1300, 'Christianity', 'Cristianismo'],
  [1303, 1300, 'Hinduism', 'Hinduismo'],
  [1304, 1300, 'Islam', 'Islam'],
  [1305, 1300, 'Judaism', 'Judaísmo'],
  [1306, 1300, 'Religion', 'Religión'],
  [1307, 1300, 'Spirituality', 'Espiritualidad'],
  [1400, null, 'Science', 'Ciencia'],
  [1401, 1400, 'Astronomy', 'Astronomía'],
  [1402, 1400, 'Chemistry', 'Química'],
  [1403, 1400, 'Earth Sciences', 'Ciencias de la Tierra'],
  [1404, 1400, 'Life Sciences', 'Ciencias de la vida'],
  [1405, 1400, 'Mathematics', 'Matemáticas'],
  [1406, 1400, 'Natural Sciences', 'Ciencias naturales'],
  [1407, 1400, 'Nature', 'Naturaleza'],
  [1408, 1400, 'Physics', 'Física'],
  [1409, 1400, 'Social Sciences', 'Ciencias sociales'],
  [1500, null, 'Society & Culture', 'Sociedad y cultura'],
  [1501, 1500, 'Documentary', 'Documental'],
  [1502, 1500, 'Personal Journals', 'Diarios personales'],
  [1503, 1500, 'Philosophy', 'Filosofía'],
  [1504, 1500, 'Places & Travel', 'Lugares y viajes'],
  [1505, 1500, 'Relationships', 'Relaciones'],
  [1600, null, 'Sports', 'Deportes'],
  [1601, 1600, 'Baseball', 'Béisbol'],
  [1602, 1600, 'Basketball', 'Baloncesto'],
  [1603, 1600, 'Cricket', 'Críquet'],
  [1604, 1600, 'Fantasy Sports', 'Ligas de fantasía'],
  [1605, 1600, 'Football', 'Fútbol americano'],
  [1606, 1600, 'Golf', 'Golf'],
  [1607, 1600, 'Hockey', 'Hockey'],
  [1608, 1600, 'Rugby', 'Rugby'],
  [1609, 1600, 'Running', 'Correr'],
  [1610, 1600, 'Soccer', 'Fútbol'],
  [1611, 1600, 'Swimming', 'Natación'],
  [1612, 1600, 'Tennis', 'Tenis'],
  [1613, 1600, 'Volleyball', 'Voleibol'],
  [1614, 1600, 'Wilderness', 'Naturaleza salvaje'],
  [1615, 1600, 'Wrestling', 'Lucha'],
  [1700, null, 'Technology', 'Tecnología'],
  [1800, null, 'True Crime', 'Crímenes reales'],
  [1900, null, 'TV & Film', 'Cine y televisión'],
  [1901, 1900, 'After Shows', 'Tras el programa'],
  [1902, 1900, 'Film History', 'Historia del cine'],
  [1903, 1900, 'Film Interviews', 'Entrevistas de cine'],
  [1904, 1900, 'Film Reviews', 'Críticas de cine'],
  [1905, 1900, 'TV Reviews', 'Críticas de televisión'],
];

const SLUG_LENGTH = 60;

export const CATEGORIES: readonly Category[] = ROWS.map(([id, parentId, name, nameEs]) => ({
  id,
  parentId,
  name,
  nameEs,
  slug: slugFrom(name, SLUG_LENGTH),
}));

const byId = new Map(CATEGORIES.map((category) => [category.id, category]));

/** A category and its parent; null for an unknown id. */
export function categoryPath(id: number): { category: Category; parent: Category | null } | null {
  const category = byId.get(id);
  if (!category) return null;
  return { category, parent: category.parentId === null ? null : (byId.get(category.parentId) ?? null) };
}

/** A category and those directly below it, by their ids. */
export function categoriesBelow(id: number): number[] {
  return CATEGORIES.filter((category) => category.id === id || category.parentId === id).map((category) => category.id);
}

/** What operators can switch off, for example while something is repaired. Each is asked where it begins; what runs goes on. */
export const SWITCHES = ['registrations', 'uploads', 'imports', 'payout_requests'] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** On what ground operators take something down. */
export const TAKE_DOWN_GROUNDS = ['law', 'terms'] as const;
export type TakeDownGround = (typeof TAKE_DOWN_GROUNDS)[number];
/** The statement of reasons for its team. `isWhole`: with everything of its creator. */
export type TakeDown = { ground: TakeDownGround; reason: string; isWhole: boolean };
