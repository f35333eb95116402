'use strict'

// Owns the `twitter` data set: a page of 100 statuses as a social network's
// API answers them, with users and entities nested in each.

const { Random } = require('./random')
const { cities, fullName, lastNames, phrase, words } = require('./english')

const remarks = ['😀', '🚀🚀', '👍🏽', '→ très bien', 'größer', 'すごい', 'да', '…', '“quoted”']

const clock = new Date(0)

// Such as `Thu Jan 01 00:00:00 +0000 1970`.
function createdAt(random) {
  clock.setTime(random.time())
  const [day, date, month, year, time] = clock.toUTCString().split(' ')
  return `${day.slice(0, 3)} ${month} ${date} ${time} +0000 ${year}`
}

// Beyond the safe integers, like the identifiers that such APIs give both as a
// number and as text.
function snowflake(random) {
  const text = `${random.integer(500000000, 699999999)}${random.integer(100000000, 999999999)}`
  return { id: Number(text), id_str: text }
}

function user(random) {
  const id = random.integer(1000000, 2000000000)
  const screenName = `${random.pick(lastNames).toLowerCase()}_${random.integer(1, 9999)}`
  const remark = random.chance(0.4) ? ` ${random.pick(remarks)}` : ''
  return {
    id,
    id_str: String(id),
    name: fullName(random),
    screen_name: screenName,
    location: random.pick(cities),
    description: `${phrase(random, random.integer(4, 16))}${remark}`,
    url: random.chance(0.5) ? `https://t.example/${random.hex(10)}` : null,
    protected: false,
    followers_count: random.integer(0, 200000),
    friends_count: random.integer(0, 5000),
    listed_count: random.integer(0, 400),
    created_at: createdAt(random),
    favourites_count: random.integer(0, 30000),
    utc_offset: random.chance(0.5) ? random.integer(-11, 12) * 3600 : null,
    geo_enabled: random.chance(0.4),
    verified: random.chance(0.1),
    statuses_count: random.integer(1, 90000),
    lang: random.pick(['de', 'en', 'fr', 'ja', 'ru']),
    profile_image_url: `https://img.example/profile/${id}/${random.hex(8)}_normal.jpeg`,
    profile_background_color: random.hex(6).toUpperCase(),
    default_profile: random.chance(0.6),
    following: false,
    notifications: null,
  }
}

// Adds an entity's text to the status and says where it stands there.
function append(status, text) {
  const start = status.text.length + 1
  status.text += ` ${text}`
  return [start, start + text.length]
}

function hashtag(random, status) {
  const text = `${random.pick(words)}${random.pick(words)}`
  return { text, indices: append(status, `#${text}`) }
}

function link(random, status) {
  const url = `https://t.example/${random.hex(10)}`
  const page = `news.example/${phrase(random, 3).replaceAll(' ', '-')}`
  return {
    url,
    expanded_url: `https://${page}`,
    display_url: page,
    indices: append(status, url),
  }
}

function mention(random, status) {
  const { id, id_str, name, screen_name } = user(random)
  return {
    screen_name,
    name,
    id,
    id_str,
    indices: append(status, `@${screen_name}`),
  }
}

function some(random, most, make) {
  return Array.from({ length: random.integer(0, most) }, make)
}

function tweet(random) {
  const status = { text: phrase(random, random.integer(4, 14)) }
  if (random.chance(0.5)) append(status, random.pick(remarks))
  const hashtags = some(random, 2, () => hashtag(random, status))
  const urls = some(random, 2, () => link(random, status))
  const mentions = some(random, 2, () => mention(random, status))
  return {
    metadata: { result_type: 'recent', iso_language_code: 'en' },
    created_at: createdAt(random),
    ...snowflake(random),
    text: status.text,
    source: '<a href="https://app.example" rel="nofollow">App</a>',
    truncated: false,
    in_reply_to_status_id: null,
    in_reply_to_user_id: null,
    in_reply_to_screen_name: null,
    user: user(random),
    geo: null,
    coordinates: null,
    place: null,
    retweet_count: random.integer(0, 3000),
    favorite_count: random.integer(0, 9000),
    entities: { hashtags, symbols: [], urls, user_mentions: mentions },
    favorited: random.chance(0.1),
    retweeted: random.chance(0.1),
    lang: 'en',
  }
}

function twitter() {
  const random = new Random(140280)
  return [
    {
      statuses: Array.from({ length: 100 }, () => tweet(random)),
      search_metadata: {
        completed_in: 0.087,
        query: 'plan',
        count: 100,
        next_results: null,
      },
    },
  ]
}

module.exports = { twitter }
