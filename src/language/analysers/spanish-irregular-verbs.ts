/** What of a verb the rules do not give. Forms are in the order of the persons, blanks between. */
interface Irregular {
  present?: string
  /** The stem of the present subjunctive, where it is not that of the first person. */
  subjunctive?: string
  /** The stem of dijo, dijera; with it, the preterite is -e, -iste, -o. */
  preterite?: string
  /** The stem of diré, diría. */
  future?: string
  imperfect?: string
  participle?: string
  gerund?: string
  command?: string
  more?: string
}

export const irregular: Readonly<Record<string, Irregular>> = {
  ser: {
    present: 'soy eres es somos sois son',
    subjunctive: 'se',
    preterite: 'fu',
    imperfect: 'era eras éramos erais eran',
    command: 'sé',
    more: 'fui fue',
  },
  ir: {
    present: 'voy vas va vamos vais van',
    subjunctive: 'vay',
    preterite: 'fu',
    imperfect: 'iba ibas íbamos ibais iban',
    gerund: 'yendo',
    command: 've',
    more: 'fui fue',
  },
  estar: {
    present: 'estoy estás está estamos estáis están',
    subjunctive: 'est',
    preterite: 'estuv',
    more: 'esté estés estén',
  },
  haber: {
    present: 'he has ha hemos habéis han',
    subjunctive: 'hay',
    preterite: 'hub',
    future: 'habr',
    more: 'hay',
  },
  dar: {
    present: 'doy das da damos dais dan',
    subjunctive: 'd',
    more: 'dé di dio dimos disteis dieron diera dieras dieran',
  },
  ver: {
    present: 'veo ves ve vemos veis ven',
    imperfect: 'veía veías veíamos veíais veían',
    participle: 'visto',
    more: 'vi vio prevé prevés prevén previó',
  },
  saber: {
    present: 'sé sabes sabe sabemos sabéis saben',
    subjunctive: 'sep',
    preterite: 'sup',
    future: 'sabr',
  },
  caber: { present: 'quepo cabes cabe cabemos cabéis caben', preterite: 'cup', future: 'cabr' },
  poder: { preterite: 'pud', future: 'podr', gerund: 'pudiendo' },
  querer: { preterite: 'quis', future: 'querr' },
  hacer: {
    present: 'hago haces hace hacemos hacéis hacen',
    preterite: 'hic',
    future: 'har',
    participle: 'hecho',
    command: 'haz',
    more: 'hizo',
  },
  decir: {
    present: 'digo dices dice decimos decís dicen',
    preterite: 'dij',
    future: 'dir',
    participle: 'dicho',
    gerund: 'diciendo',
    command: 'di',
  },
  traer: {
    present: 'traigo traes trae traemos traéis traen',
    preterite: 'traj',
    gerund: 'trayendo',
    participle: 'traído',
  },
  poner: {
    present: 'pongo pones pone ponemos ponéis ponen',
    preterite: 'pus',
    future: 'pondr',
    participle: 'puesto',
    command: 'pon',
  },
  tener: {
    present: 'tengo tienes tiene tenemos tenéis tienen',
    preterite: 'tuv',
    future: 'tendr',
    command: 'ten',
  },
  venir: {
    present: 'vengo vienes viene venimos venís vienen',
    preterite: 'vin',
    future: 'vendr',
    gerund: 'viniendo',
    command: 'ven',
  },
  salir: { present: 'salgo sales sale salimos salís salen', future: 'saldr', command: 'sal' },
  valer: { present: 'valgo vales vale valemos valéis valen', future: 'valdr' },
  andar: { preterite: 'anduv' },
  caer: { present: 'caigo caes cae caemos caéis caen' },
  oír: { present: 'oigo oyes oye oímos oís oyen', participle: 'oído' },
  reír: {
    present: 'río ríes ríe reímos reís ríen',
    gerund: 'riendo',
    participle: 'reído',
    more: 'rió rio rieron riera rieras rieran riese riesen',
  },
  freír: { present: 'frío fríes fríe freímos freís fríen', gerund: 'friendo', participle: 'frito' },
  satisfacer: {
    present: 'satisfago satisfaces satisface satisfacemos satisfacéis satisfacen',
    preterite: 'satisfic',
    future: 'satisfar',
    participle: 'satisfecho',
    more: 'satisfizo',
  },
  cocer: { present: 'cuezo cueces cuece cocemos cocéis cuecen' },
  oler: { present: 'huelo hueles huele olemos oléis huelen' },
  abrir: { participle: 'abierto' },
  cubrir: { participle: 'cubierto' },
  escribir: { participle: 'escrito' },
  scribir: { participle: 'scrito' },
  imprimir: { participle: 'impreso' },
  morir: { participle: 'muerto' },
  resolver: { participle: 'resuelto' },
  disolver: { participle: 'disuelto' },
  romper: { participle: 'roto' },
  volver: { participle: 'vuelto' },
}

/** What may stand before an irregular verb: componer, describir, sonreír. */
export const prefixes = new Set(
  'a abs ad ante atra com con contra de des dis en entre equi ex ex im in inter man ob o pos pre pro re so sobre son sos su sub super sus tra tran trans tras ben mal'.split(
    ' ',
  ),
)

/** What becomes of the last vowel of a stem where the stress is on it. */
const stressedVowels: readonly [from: string, to: string, verbs: string][] = [
  [
    'e',
    'ie',
    'pensar cerrar empezar comenzar despertar sentar negar calentar confesar gobernar temblar apretar atravesar acertar alentar arrendar manifestar merendar nevar plegar quebrar recomendar regar remendar reventar segar sembrar serrar tropezar enterrar desterrar encerrar helar herrar fregar encomendar cegar desplegar sosegar asentar sentir mentir preferir sugerir referir divertir advertir convertir herir hervir arrepentir digerir invertir consentir requerir adherir ingerir diferir conferir transferir desmentir presentir asentir interferir inferir pervertir tender entender perder defender encender atender extender descender ascender verter trascender querer',
  ],
  [
    'e',
    'i',
    'pedir servir repetir seguir vestir medir elegir corregir despedir impedir competir conseguir perseguir derretir rendir reñir gemir concebir expedir embestir desvestir regir proseguir teñir ceñir',
  ],
  [
    'o',
    'ue',
    'contar encontrar mostrar demostrar recordar acordar probar comprobar aprobar costar soñar volar sonar almorzar apostar acostar colgar descolgar rogar forzar esforzar reforzar renovar rodar soltar tostar consolar colar poblar descontar desaprobar trocar volcar volver devolver resolver envolver revolver mover conmover promover remover doler morder torcer retorcer llover soler absolver disolver moler poder dormir morir',
  ],
  ['o', 'üe', 'avergonzar'],
  ['u', 'ue', 'jugar'],
  ['i', 'ie', 'adquirir inquirir'],
  ['u', 'ú', 'reunir rehusar'],
  ['i', 'í', 'prohibir aislar'],
]

const stressed = new Map(
  stressedVowels.flatMap(([from, to, verbs]) =>
    verbs.split(' ').map((verb) => [verb, { from, to }] as const),
  ),
)

/** The stem under stress: pens- as in pienso, or the same; enviar and continuar take an accent. */
export function stressedStem(verb: string, stem: string): string {
  const change = stressed.get(verb)
  if (!change) return stem
  const at = stem.lastIndexOf(change.from)
  return stem.slice(0, at) + change.to + stem.slice(at + 1)
}

/** The stem of pidió and durmiendo: e becomes i, and o becomes u, in verbs in -ir that change. */
export function raisedStem(verb: string, stem: string): string {
  const change = stressed.get(verb)
  if (!verb.endsWith('ir') || !change || !/[eo]/.test(change.from)) return stem
  const at = stem.lastIndexOf(change.from)
  return stem.slice(0, at) + (change.from === 'e' ? 'i' : 'u') + stem.slice(at + 1)
}
