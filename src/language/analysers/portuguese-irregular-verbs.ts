/** What of a verb the rules do not give. Forms are separated by blanks. */
interface Irregular {
  present?: string
  preterite?: string
  /** Of the preterite, that of disse, disseram. */
  perfectStem?: string
  imperfect?: string
  subjunctiveStem?: string
  futureStem?: string
  participle?: string
  more?: string
}

export const irregular: Record<string, Irregular> = {
  ser: {
    present: 'sou és é somos sois são',
    preterite: 'fui foste foi fomos foram',
    perfectStem: 'fo',
    imperfect: 'era eras éramos eram',
    subjunctiveStem: 'sej',
    more: 'sê',
  },
  ir: {
    present: 'vou vais vai vamos ides vão',
    preterite: 'fui foste foi fomos foram',
    perfectStem: 'fo',
    imperfect: 'ia ias íamos iam',
    more: 'vá vás vamos vades vão indo',
  },
  estar: {
    present: 'estou estás está estamos estão',
    preterite: 'estive estiveste esteve estivemos estiveram',
    perfectStem: 'estive',
    subjunctiveStem: 'estej',
    more: 'tá tô tava',
  },
  ter: {
    present: 'tenho tens tem temos têm',
    preterite: 'tive tiveste teve tivemos tiveram',
    perfectStem: 'tive',
    imperfect: 'tinha tinhas tínhamos tinham',
    subjunctiveStem: 'tenh',
    more: 'téns tém',
  },
  vir: {
    present: 'venho vens vem vimos vêm',
    preterite: 'vim vieste veio viemos vieram',
    perfectStem: 'vie',
    imperfect: 'vinha vinhas vínhamos vinham',
    subjunctiveStem: 'venh',
    participle: 'vindo',
    more: 'vindo véns vém',
  },
  ver: {
    present: 'vejo vês vê vemos veem vêem',
    preterite: 'vi viste viu vimos viram',
    perfectStem: 'vi',
    subjunctiveStem: 'vej',
    participle: 'visto',
  },
  haver: {
    present: 'hei hás há havemos hão',
    preterite: 'houve houveste houvemos houveram',
    perfectStem: 'houve',
    subjunctiveStem: 'haj',
  },
  fazer: {
    present: 'faço fazes faz fazemos fazem',
    preterite: 'fiz fizeste fez fizemos fizeram',
    perfectStem: 'fize',
    subjunctiveStem: 'faç',
    futureStem: 'far',
    participle: 'feito',
  },
  dizer: {
    present: 'digo dizes diz dizemos dizem',
    preterite: 'disse disseste dissemos disseram',
    perfectStem: 'disse',
    subjunctiveStem: 'dig',
    futureStem: 'dir',
    participle: 'dito',
  },
  trazer: {
    present: 'trago trazes traz trazemos trazem',
    preterite: 'trouxe trouxeste trouxemos trouxeram',
    perfectStem: 'trouxe',
    subjunctiveStem: 'trag',
    futureStem: 'trar',
  },
  poder: {
    present: 'posso podes pode podemos podem',
    preterite: 'pude pudeste pôde pudemos puderam',
    perfectStem: 'pude',
    subjunctiveStem: 'poss',
  },
  querer: {
    present: 'quero queres quer queremos querem',
    preterite: 'quis quiseste quis quisemos quiseram',
    perfectStem: 'quise',
    subjunctiveStem: 'queir',
  },
  saber: {
    present: 'sei sabes sabe sabemos sabem',
    preterite: 'soube soubeste soubemos souberam',
    perfectStem: 'soube',
    subjunctiveStem: 'saib',
  },
  caber: {
    present: 'caibo cabes cabe cabemos cabem',
    preterite: 'coube coubemos couberam',
    perfectStem: 'coube',
    subjunctiveStem: 'caib',
  },
  dar: {
    present: 'dou dás dá damos dão',
    preterite: 'dei deste deu demos deram',
    perfectStem: 'de',
    more: 'dê dês deem dêem',
  },
  crer: { present: 'creio crês crê cremos creem crêem', subjunctiveStem: 'crei' },
  ler: { present: 'leio lês lê lemos leem lêem', subjunctiveStem: 'lei' },
  perder: { present: 'perco perdes perde perdemos perdem', subjunctiveStem: 'perc' },
  ouvir: { present: 'ouço oiço ouves ouve ouvimos ouvem', subjunctiveStem: 'ouç' },
  pedir: { present: 'peço pedes pede pedimos pedem', subjunctiveStem: 'peç' },
  medir: { present: 'meço medes mede medimos medem', subjunctiveStem: 'meç' },
  valer: { present: 'valho vales vale valemos valem', subjunctiveStem: 'valh' },
  sair: {
    present: 'saio sais sai saímos saem',
    preterite: 'saí saíste saiu saímos saíram',
    perfectStem: 'saí',
    imperfect: 'saía saías saíamos saíam',
    subjunctiveStem: 'sai',
    participle: 'saído',
  },
  cair: {
    present: 'caio cais cai caímos caem',
    preterite: 'caí caíste caiu caímos caíram',
    perfectStem: 'caí',
    imperfect: 'caía caías caíamos caíam',
    subjunctiveStem: 'cai',
    participle: 'caído',
  },
  rir: { present: 'rio ris ri rimos riem', subjunctiveStem: 'ri' },
  pôr: {
    present: 'ponho pões põe pomos põem',
    preterite: 'pus puseste pôs pusemos puseram',
    perfectStem: 'puse',
    imperfect: 'punha punhas púnhamos punham',
    subjunctiveStem: 'ponh',
    futureStem: 'por',
    participle: 'posto',
    more: 'pondo',
  },
  destruir: { present: 'destruo destróis destrói destruímos destroem' },
  construir: { present: 'construo constróis constrói construímos constroem' },
  abrir: { participle: 'aberto' },
  cobrir: { present: 'cubro cobres cobre cobrimos cobrem', subjunctiveStem: 'cubr', participle: 'coberto' },
  escrever: { participle: 'escrito' },
  screver: { participle: 'scrito' },
  odiar: { present: 'odeio odeias odeia odiamos odeiam', more: 'odeie odeies odeiem' },
  mediar: { present: 'medeio medeias medeia mediamos medeiam' },
  ansiar: { present: 'anseio anseias anseia ansiamos anseiam' },
  incendiar: { present: 'incendeio incendeias incendeia incendiamos incendeiam' },
  morrer: { more: 'morto morta mortos mortas' },
  ganhar: { more: 'ganho' },
  pagar: { more: 'pago' },
  aceitar: { more: 'aceito aceite' },
  dormir: { present: 'durmo dormes dorme dormimos dormem', subjunctiveStem: 'durm' },
  subir: { present: 'subo sobes sobe subimos sobem' },
  sumir: { present: 'sumo somes some sumimos somem' },
  acudir: { present: 'acudo acodes acode acudimos acodem' },
  sacudir: { present: 'sacudo sacodes sacode sacudimos sacodem' },
  gredir: { present: 'grido grides gride gredimos gridem', subjunctiveStem: 'grid' },
  venir: { present: 'vino vines vine venimos vinem', subjunctiveStem: 'vin' },
  requerer: { present: 'requeiro requeres requer requeremos requerem', subjunctiveStem: 'requeir' },
  fugir: { present: 'fujo foges foge fugimos fogem' },
}
/** Behind a prefix pôr has no accent. */
irregular.por = irregular.pôr!

/** What may stand before an irregular verb: compor, descobrir, obter, prever. */
export const prefixes = new Set(
  'a abs ad ante com con contra d de des dis entre equi ex im in inter man ob o pre pro pros re satis sobre sobres sor sub sus su tran trans tres bem ben mal'.split(
    ' ',
  ),
)
