/**
 * A sensitivity tier for every column, proposed from its name and its values, with the reason. A person may overrule it.
 *
 * | tier         | what falls into it                                                                                  |
 * |--------------|-----------------------------------------------------------------------------------------------------|
 * | Restricted   | secrets, government and payment numbers, e-mail, phone, birth dates, health, every column of a view |
 * | Confidential | names and addresses of people, pay and contract money, free text, bytes                             |
 * | Internal     | keys, states, codes, names of things, measures, times: what is left                                 |
 * | Public       | words that mean the same everywhere: country, currency, unit                                        |
 *
 * A record is named by its key, so nothing of it can be shown above its key: the tier of a class is that of its key, or of
 * its least sensitive column when it has none. A reference has the tier of its column or of the class it leads to, whichever
 * is higher.
 */
import type { Tier } from '../contracts/index.ts'
import { singular, splitIdentifier } from '../kernel/text/index.ts'
import type { Column, Table } from '../sources/index.ts'

export interface Proposed {
  readonly tier: Tier
  readonly because: string
  /** what kind of thing name or values say it is, where they say so: `email`, `secret` ... */
  readonly type?: string
}

/** Words in a row, as they stand in a column's name: `card number` fits `credit_card_number`. */
type Words = readonly string[]
const phrases = (text: string): Words[] => text.split(',').map((phrase) => phrase.trim().split(' '))

interface NameRule {
  readonly tier: Tier
  readonly what: string
  readonly type?: string
  /** `phone` at the end is a phone number; `phone_model` is not. Health stays health wherever it stands, in keys too. */
  readonly place: 'anywhere' | 'end'
  readonly inKeys?: true
  readonly names: readonly Words[]
}

/** The first rule that fits decides, so the stricter ones stand first. */
const BY_NAME: readonly NameRule[] = [
  {
    tier: 'Restricted', what: 'a secret', type: 'secret', place: 'end',
    names: phrases('password, passwd, pwd, secret, secret key, token, api key, apikey, private key, credential, pin, otp, cvv'),
  },
  {
    tier: 'Restricted', what: 'a government number', type: 'government_number', place: 'end', inKeys: true,
    names: phrases('ssn, social security, national id, national insurance, passport, tax id, driver license, nhs'),
  },
  {
    tier: 'Restricted', what: 'a payment number', type: 'payment_number', place: 'end',
    names: phrases('card number, card no, credit card, pan, iban, account number, routing number, bic'),
  },
  { tier: 'Restricted', what: 'a way to reach a person', type: 'email', place: 'end', names: phrases('email, e mail, mail') },
  {
    tier: 'Restricted', what: 'a way to reach a person', type: 'phone', place: 'end',
    names: phrases('phone, mobile, telephone, tel, fax, msisdn, imsi, imei'),
  },
  {
    tier: 'Restricted', what: 'a birth date', type: 'birth_date', place: 'anywhere',
    names: phrases('birth, birthday, birthdate, dob'),
  },
  {
    tier: 'Restricted', what: 'health', type: 'health', place: 'anywhere', inKeys: true,
    names: phrases(
      'diagnosis, symptom, allergy, medication, prescription, blood, hiv, pregnancy, disability, disease, medical, health',
    ),
  },
  {
    tier: 'Restricted', what: 'a protected trait', type: 'protected_trait', place: 'end',
    names: phrases('religion, ethnicity, sexual orientation'),
  },
  {
    tier: 'Confidential', what: 'the name of a person', type: 'person_name', place: 'end',
    names: phrases(
      'first name, last name, full name, middle name, surname, given name, family name, contact name, contact person, username',
    ),
  },
  { tier: 'Internal', what: 'the address of a machine', place: 'end', names: phrases('ip address, mac address, web address') },
  {
    tier: 'Confidential', what: 'an address', type: 'address', place: 'anywhere',
    names: phrases('address, street, postcode, postal code, zip, zipcode'),
  },
  {
    tier: 'Confidential', what: 'money that is nobody else\'s business', type: 'money', place: 'anywhere',
    names: phrases('salary, wage, income, revenue, penalty, contract value, credit limit, balance, margin'),
  },
  { tier: 'Confidential', what: 'free text', type: 'text', place: 'end', names: phrases('note, comment, remark, memo') },
  {
    tier: 'Public', what: 'a word that means the same everywhere', place: 'end',
    names: phrases('country, country code, currency, unit, language, timezone'),
  },
]

/** Most names have none of these, and no rule needs to be tried on them. */
const SPEAKING: ReadonlySet<string> = new Set(BY_NAME.flatMap(({ names }) => names.flat()))

/** Words that say how a value is written, not what it is: `phone_number`, `password_hash`. */
const FORMS: ReadonlySet<string> = new Set(['number', 'no', 'nr', 'address', 'hash', 'value', 'text'])

const PEOPLE: ReadonlySet<string> = new Set([
  'person', 'patient', 'employee', 'user', 'contact', 'member', 'student', 'teacher', 'doctor', 'nurse', 'subject', 'applicant',
])

interface ValueRule {
  readonly what: string
  readonly type: string
  readonly fits: (value: string) => boolean
}

/** Each makes a column Restricted. */
const BY_VALUE: readonly ValueRule[] = [
  {
    what: 'its values are e-mail addresses', type: 'email',
    fits: (value) => /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value),
  },
  {
    what: 'its values look like social security numbers', type: 'government_number',
    fits: (value) => /^\d{3}-\d{2}-\d{4}$/.test(value),
  },
  { what: 'its values look like phone numbers', type: 'phone', fits: (value) => /^\+\d[\d ()-]{7,18}$/.test(value) },
  {
    what: 'its values look like bank accounts', type: 'payment_number',
    fits: (value) => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(value),
  },
  {
    what: 'its values look like signed tokens', type: 'secret',
    fits: (value) => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value),
  },
  { what: 'its values are card numbers by their check digit', type: 'payment_number', fits: isCardNumber },
]

/** Fewer values prove nothing by their shape: one number in ten passes a check digit by chance. */
const ENOUGH_VALUES = 3
/** A column of addresses stays one when somebody has written "none" into it. */
const MOST = 0.5
const PROSE_CHARS = 60

export function proposeTier(table: Pick<Table, 'name' | 'kind'>, column: Column): Proposed {
  const evident = evidence(table, column)
  if (table.kind !== 'view') return evident
  return { ...evident, tier: 'Restricted', because: 'a view can show any column under any name' }
}

/** What name and values say, also of a column of a view. */
function evidence(table: Pick<Table, 'name'>, column: Column): Proposed {
  const words = wordsOf(column.name)
  const named = words.some((word) => SPEAKING.has(word)) ? BY_NAME.find((rule) => saysSo(rule, words)) : undefined
  const { samples } = column
  const valued = BY_VALUE.find(({ fits }) => mostly(samples, fits))
  if (named?.tier === 'Restricted') return byName(named)
  if (valued !== undefined) return { tier: 'Restricted', because: valued.what, type: valued.type }
  if (words.at(-1) === 'name' && splitIdentifier(table.name).some((word) => PEOPLE.has(singular(word)))) {
    return { tier: 'Confidential', because: `${table.name} is about people`, type: 'person_name' }
  }
  if (named !== undefined) return byName(named)
  if (column.valueType === 'blob') return { tier: 'Confidential', because: 'bytes cannot be looked at' }
  if (column.valueType === 'text' && samples.length > 0 && meanLength(samples) > PROSE_CHARS) {
    return { tier: 'Confidential', because: 'its values are free text', type: 'text' }
  }
  return { tier: 'Internal', because: 'nothing in its name or values is sensitive' }
}

/** `address2`, `phone_1`: a number behind a word says which one it is, not what it is. */
const wordsOf = (name: string): string[] =>
  splitIdentifier(name)
    .map((word) => singular(word.replace(/\d+$/, '')))
    .filter((word) => word !== '')

const byName = ({ tier, what, type }: NameRule): Proposed =>
  ({ tier, because: `its name says ${what}`, ...(type === undefined ? {} : { type }) })

function mostly(samples: readonly string[], fits: (value: string) => boolean): boolean {
  const fitting = samples.filter(fits).length
  return fitting >= ENOUGH_VALUES && fitting >= samples.length * MOST
}

function saysSo({ names, place, inKeys }: NameRule, words: Words): boolean {
  // `address_id` is a number that leads to an address, not an address
  if (words.at(-1) === 'id' && inKeys !== true) return false
  if (place === 'anywhere') return names.some((name) => words.some((_, start) => standsAt(words, start, name)))
  const bare = FORMS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words
  return names.some((name) => [words, bare].some((each) => standsAt(each, each.length - name.length, name)))
}

const standsAt = (words: Words, start: number, phrase: Words): boolean =>
  phrase.every((word, i) => words[start + i] === word)

const meanLength = (samples: readonly string[]): number =>
  samples.reduce((sum, { length }) => sum + length, 0) / samples.length

/** 13 to 19 digits whose Luhn sum is a multiple of ten: from the right every second digit is doubled, less 9 where above 9. */
export function isCardNumber(value: string): boolean {
  const digits = value.replaceAll(/[ -]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const counted = i % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}
