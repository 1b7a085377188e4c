/** What must not be shown: values that name or unlock a person, told by the slot's name or by the values themselves. */
import { hash64, isDigit, isEmail, splitIdentifier } from '../../kernel/text/index.ts'

const NAMES: ReadonlySet<string> = new Set(
  `imsi msisdn supi gpsi imei email mail mailto phone mobile tel msin subscriber user username login person customer
  owner firstname lastname surname birthday birthdate dob street ssn passport iban creditcard
  cardnumber pan cvv token secret password passwd pwd apikey accesskey authorization bearer cookie credential credentials
  pin otp jwt latitude longitude patient
  fullname realname legalname maidenname middlename givenname familyname contactname accountholder cardholder homeaddress
  postaladdress billingaddress shippingaddress mailingaddress streetaddress deliveryaddress homephone nationalid personalid
  identitycard driverlicense drivinglicence taxid bankaccount accountnumber`.split(/\s+/),
)

/** Private as a key (`holder=...`), while in a sentence they are words as any other (`contact the server`). */
const KEY_WORDS: ReadonlySet<string> = new Set('holder contact nickname salary wage birth gender religion ethnicity nationality'.split(' '))
/** `lock_holder` is a process. */
const OF_PROGRAMS: ReadonlySet<string> = new Set('lock lease mutex semaphore latch port'.split(' '))

/** `isPrivateName('user_email')`: any word of the name is enough, or two that stand together (`x_api_key`). */
export function isPrivateName(name: string): boolean {
  const known = judgedNames.get(name)
  if (known !== undefined) return known
  const words = splitIdentifier(name)
  const isPrivate = words.some((word, i) => NAMES.has(word) || NAMES.has(word + (words[i + 1] ?? '')))
  if (judgedNames.size >= REMEMBERED_NAMES) judgedNames.clear()
  judgedNames.set(name, isPrivate)
  return isPrivate
}

/** `isPrivateKey('account_holder')`: of what stands before `=`, or names a slot, a few words more are private. */
export function isPrivateKey(name: string): boolean {
  if (isPrivateName(name)) return true
  const words = splitIdentifier(name)
  return words.some((word) => KEY_WORDS.has(word)) && !words.some((word) => OF_PROGRAMS.has(word))
}

/** `name="Ann Smith"`: things have names too, but hardly any of two capitalised words. */
export function arePersonNames(name: string, values: readonly string[]): boolean {
  const like = values.filter((value) => PERSON.test(value)).length
  return name.toLowerCase() === 'name' && like > 0 && like * 2 >= values.length
}

const PERSON = /^["']?\p{Lu}[\p{Ll}'-]{1,30}(?: \p{Lu}\.?)?(?: \p{Lu}[\p{L}'-]{1,30}){1,3}["']?$/u

/** The template pass asks for the words of a log over and over; what it was told is no secret, as it says yes or no. */
const judgedNames = new Map<string, boolean>()
const REMEMBERED_NAMES = 4096

/**
 * An e-mail, a payment card, an IBAN, an IMSI, a phone number, a web token, a key of a known maker, the user of a URL or a value
 * behind a private name in one, alone or inside a text. What is shown by itself is judged by this; it may hide too much, as one
 * number in ten passes for a card.
 */
export const isPrivateValue = (value: string): boolean => holdsSecret(value) || holdsPersonalNumber(value)

/** True of the values of a slot when one of them is certain, or half of them are numbers that a person has. */
export function arePrivateValues(values: readonly string[]): boolean {
  if (values.some(holdsSecret)) return true
  const numbers = values.filter(holdsPersonalNumber).length
  return numbers > 0 && numbers * 2 >= values.length
}

/** The text itself, or a name that tells equal ones apart without saying what they are. */
export const withoutPrivate = (value: string): string => (isPrivateValue(value) ? `private-${hash64(value)}` : value)

export const HIDDEN = '<private>'

/** A text without the private values in it. */
export function hidePrivate(text: string): string {
  const grouped = text.replace(SPACED_IBAN, (found) => (isIban(found.replaceAll(' ', '')) ? HIDDEN : found))
    .replace(GROUPED_CARD, (found) => (isCard(found.replace(/[ -]/g, '')) ? HIDDEN : found))
    .replace(SPACED_PHONE, (found) => (isPhone(found) ? HIDDEN : found))
  return grouped.replace(/[^\s,;<>()"']+/g, (word) => (isPrivateValue(word) ? HIDDEN : word))
}

// bounded repeats only: a line is written by strangers
const SPACED_IBAN = /\b[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?\b/g
const GROUPED_CARD = /(?<![\d.-])\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}(?![\d.])|(?<![\d.-])\d{4}[ -]\d{6}[ -]\d{4,5}(?![\d.])/g
const SPACED_PHONE = /(?<![\w+])\+[1-9]\d{0,2}(?:[ .()/-]{1,2}\d{1,8}){1,5}(?!\d)/g
const LONGEST = 4096

/** Told by its form: hardly anything else looks so. */
function holdsSecret(value: string): boolean {
  if (value.length < 6) return false
  const text = value.length > LONGEST ? value.slice(0, LONGEST) : value
  const plain = text.includes('%40') ? text.replaceAll('%40', '@') : text
  if (plain.includes('@') && (wordsOf(plain).some(isEmail) || hasUserInfo(plain))) return true
  if (plain.includes('=') && plain.split(/[\s?&;,{}"'|/]+/).some(isPrivatePair)) return true
  if (!MAY_BE_SECRET.test(plain)) return false
  if (matches(plain, SPACED_PHONE, isPhone) || matches(plain, SPACED_IBAN, (found) => isIban(found.replaceAll(' ', '')))) return true
  return wordsOf(plain).some((word) => word.length >= 8 && (isKeyOrToken(word) || isE164(word) || (word.length <= 34 && isIban(word))))
}

function holdsPersonalNumber(value: string): boolean {
  if (value.length < 11) return false
  const text = value.length > LONGEST ? value.slice(0, LONGEST) : value
  return (ELEVEN_DIGITS.test(text) && wordsOf(text).some(isPersonalNumber)) || matches(text, GROUPED_CARD, (found) => isCard(found.replace(/[ -]/g, '')))
}

const wordsOf = (value: string): string[] => value.split(/[\s,;:<>()[\]{}"'=/&?#|\\]+/)

const matches = (text: string, pattern: RegExp, holds: (found: string) => boolean): boolean =>
  text.search(pattern) >= 0 && [...text.matchAll(pattern)].some(([found]) => holds(found))

/** `svc:pass@host`, with or without a scheme before it (RFC 3986, 3.2.1). */
const hasUserInfo = (text: string): boolean =>
  text.split(/[\s"'<>,;]+/).some((word) => {
    const start = word.indexOf('://') < 0 ? 0 : word.indexOf('://') + 3
    const at = word.indexOf('@', start)
    return at > start && at < word.length - 1 && (start > 0 ? !word.slice(start, at).includes('/') : /^[^:/]+:[^:/]/.test(word.slice(0, at)))
  })

/** `token=abc` in a query. */
function isPrivatePair(pair: string): boolean {
  const equals = pair.indexOf('=')
  return equals > 0 && equals < pair.length - 1 && pair[equals + 1] !== '<' && isPrivateName(pair.slice(0, equals))
}

/** Keys that say in their first letters who gave them out. */
const KEY_HEADS = [
  'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_', 'glpat-', 'xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-', 'sk-', 'sk_live_', 'sk_test_',
  'rk_live_', 'pk_live_', 'AIza', 'ya29.', 'npm_', 'pypi-', 'dop_v1_', 'hf_',
]

/** Values are judged by the thousand, and most hold nothing of this: a number dialled abroad, an account, a token, a key. */
const MAY_BE_SECRET = new RegExp(['\\+', '[A-Z]{2}\\d{2}', 'eyJ', 'A[KS]IA', ...KEY_HEADS.map((head) => head.replace('.', '\\.'))].join('|'))
const ELEVEN_DIGITS = /\d{11}/

function isKeyOrToken(word: string): boolean {
  if (word.startsWith('eyJ') && word.length > 20) return true
  if (/^A[KS]IA[A-Z0-9]{16}$/.test(word)) return true
  return word.length >= 16 && KEY_HEADS.some((head) => word.startsWith(head))
}

/** ITU-T E.164: at most fifteen digits. */
const isE164 = (word: string): boolean => word.startsWith('+') && word.length >= 9 && word.length <= 16 && allDigits(word.slice(1))
const isPhone = (found: string): boolean => {
  const digits = [...found].filter(isDigit).length
  return digits >= 8 && digits <= 15
}

/** A card, fifteen digits that begin as an IMSI does (ITU-T E.212: country codes from 2 to 7), or a number dialled abroad with 00. */
function isPersonalNumber(word: string): boolean {
  const digits = /^[A-Za-z]{2,8}-\d+$/.test(word) ? word.slice(word.indexOf('-') + 1) : word
  if (digits.length < 11 || digits.length > 19 || !allDigits(digits)) return false
  if (/^00[1-9]\d{8,12}$/.test(digits)) return true
  const first = digits[0] ?? ''
  return (digits.length === 15 && first >= '2' && first <= '7') || isCard(digits)
}

const isCard = (digits: string): boolean =>
  digits.length >= 13 && digits.length <= 19 && allDigits(digits) && '23456'.includes(digits[0] ?? '-') && luhn(digits)

const allDigits = (text: string): boolean => text !== '' && [...text].every(isDigit)

/** The check digit of card numbers (ISO/IEC 7812-1). */
export function luhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Country, check digits, account; the rearranged number leaves 1 when divided by 97 (ISO 13616). */
function isIban(word: string): boolean {
  if (word.length < 15 || word.length > 34 || !/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(word)) return false
  const moved = word.slice(4) + word.slice(0, 4)
  let rest = 0
  for (const char of moved) for (const digit of String(parseInt(char, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}
