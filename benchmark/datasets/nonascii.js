'use strict'

// Owns the `nonascii` data set: records in five languages, most of whose text
// lies outside ASCII.

const { Random } = require('./random')

const languages = {
  ja: {
    gap: '',
    stop: '。',
    names: ['佐藤 花子', '鈴木 一郎', '高橋 美咲', '田中 健太', '渡辺 さくら', '山本 大輔'],
    places: ['東京', '大阪市', '札幌', '名古屋', '京都'],
    words: [
      '今日は',
      '新しい',
      '会議が',
      '午後に',
      '駅の前で',
      '始まり',
      '荷物を',
      '送ります',
      'とても',
      'コンピューター',
      '静かな',
      '町へ',
      '電車で',
      '行きました',
      '天気が',
      '良いので',
    ],
  },
  ru: {
    gap: ' ',
    stop: '.',
    names: ['Анна Иванова', 'Пётр Смирнов', 'Ольга Кузнецова', 'Юрий Соколов', 'Вера Лебедева'],
    places: ['Москва', 'Казань', 'Самара', 'Тверь', 'Новосибирск'],
    words: [
      'сегодня',
      'новый',
      'поезд',
      'утром',
      'город',
      'большой',
      'встреча',
      'начинается',
      'после',
      'обеда',
      'письмо',
      'пришло',
      'вовремя',
      'очень',
      'тихий',
      'вечер',
    ],
  },
  fr: {
    gap: ' ',
    stop: '.',
    names: ['Éloïse Lefèvre', 'François Bénard', 'Hélène Crépin', 'Jérôme Noël', 'Zoé Façade'],
    places: ['Orléans', 'Besançon', 'Nîmes', 'Saint-Étienne', 'Sète'],
    words: [
      'été',
      'où',
      'déjà',
      'forêt',
      'après',
      'très',
      'garçon',
      'la',
      'fenêtre',
      'réunion',
      'près',
      'du',
      'marché',
      'à',
      'cœur',
      'naïf',
    ],
  },
  de: {
    gap: ' ',
    stop: '.',
    names: ['Jürgen Müller', 'Käthe Groß', 'Björn Schäfer', 'Änne Köhler', 'Günter Weiß'],
    places: ['München', 'Köln', 'Düsseldorf', 'Gießen', 'Würzburg'],
    words: [
      'über',
      'schön',
      'die',
      'Straße',
      'größer',
      'für',
      'später',
      'Gespräch',
      'müssen',
      'und',
      'fünf',
      'Bücher',
      'wäre',
      'möglich',
      'heiß',
      'Tür',
    ],
  },
  pl: {
    gap: ' ',
    stop: '.',
    names: ['Łukasz Wójcik', 'Żaneta Kłos', 'Święcicka Małgorzata', 'Józef Dąbrowski'],
    places: ['Łódź', 'Gdańsk', 'Kraków', 'Poznań', 'Wrocław'],
    words: [
      'źródło',
      'jest',
      'późno',
      'książka',
      'święto',
      'żółty',
      'może',
      'być',
      'wąski',
      'dzień',
      'ścieżka',
      'głęboki',
      'miód',
      'ćwiczyć',
      'ręka',
      'się',
    ],
  },
}

function sentence(random, language) {
  const length = random.integer(6, 16)
  const chosen = Array.from({ length }, () => random.pick(language.words))
  return chosen.join(language.gap) + language.stop
}

function nonascii() {
  const random = new Random(65533)
  const record = (_, index) => {
    const code = random.pick(Object.keys(languages))
    const language = languages[code]
    return {
      id: index + 1,
      lang: code,
      name: random.pick(language.names),
      place: random.pick(language.places),
      tags: [random.pick(language.words), random.pick(language.words)],
      subject: sentence(random, language),
      body: `${sentence(random, language)} ${sentence(random, language)}`,
    }
  }
  return [Array.from({ length: 100 }, record)]
}

module.exports = { nonascii }
